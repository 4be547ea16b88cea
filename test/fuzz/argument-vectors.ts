/** Random argument vectors for a builtin: of its own flags, of the words of its examples, of what breaks parsers. */
import type { BuiltinDefinition } from "../../src/builtin/definition.ts";
import { namedFlags } from "../../src/builtin/flag-names.ts";
import type { Dice } from "./dice.ts";

/** Paths that exist (test/fuzz/arguments.test.ts makes them), paths that do not, and paths that lead out of the root. */
const PATHS: readonly string[] = [
  ..."f g d d/f d/e empty bin crlf nonl link dangling d/ ./f d/../f - nothing no/thing out out/secret ../evil/secret /etc/passwd".split(
    " ",
  ),
  ..."/dev/null /dev/stdin /proc/self/environ . .. / ~ sp\u00a0ace -dash --also nl\nname \udcff\udcfe é 😀 data.json lines.gz".split(" "),
];

const VALUES: readonly string[] = [
  ..."0 1 2 3 7 -1 +1 -0 +0 00 010 0x10 1e3 1.5 .5 -.5 1k 1K 1kB 1KiB 1M 2G 1Y 1Q 9R 4294967295 4294967296 2147483648".split(" "),
  ..."9007199254740993 9223372036854775807 9223372036854775808 18446744073709551615 18446744073709551616 1e309 -1e309 inf nan".split(" "),
  ...[
    "9".repeat(400),
    "-".repeat(300),
    "a".repeat(5000),
    "(".repeat(600),
    "[".repeat(500),
    "\\".repeat(301),
    "{".repeat(400),
    "é".repeat(200),
  ],
  ..."always never auto none all x xx a,b 1,2 1-3 -3 3- 1-3-5 , - -- = == : ; % %d %s %5.3f %n %q %- %* \\ \\n \\0 \\x \\777 [ ] [a [^ (a) a{2} * ? + . ^ $ | ^$".split(
    " ",
  ),
  ..."%% %Y %s%N @0 now yesterday 2020-02-30 tomorrow@ [:alpha:] [:x:] [=a=] [.a.] a-z z-a \\-a NaN null true false {} [] \"\" '' ' \" ` $x $(x) !".split(
    " ",
  ),
  ..."__proto__ constructor toString hasOwnProperty prototype valueOf length undefined NaN Infinity".split(" "),
  ..."s/a/b/ s/a y/ab/c/ p;p {print} {print} BEGIN{} 1 /x/ .[] .a|.b .. @base64 $__loc__ \\1 (?=a) (?<n>a) \\p{L} \\b\\B a** (*) x{99999} (a|b)*c [[:alpha:]]+".split(
    " ",
  ),
  "",
  " ",
  "\t",
  "\n",
  "a b",
  "\u0001",
  "\u202e",
  "\ufeff",
  "\udc80",
  "\udcc3\udc28",
  "İ",
  "ß",
  "👩‍👩‍👧",
  "a\u0301",
];

const INPUTS: readonly string[] = [
  "",
  "a\nb\nc\n",
  "1 2 3\n4 5 6\n",
  "no newline",
  "\n\n\n",
  "a\tb\r\nc\td\r\n",
  '{"a":[1,2,{"b":null}]}\n',
  "\u0000\u0001\udcff\n",
  "x".repeat(3000),
];

const examples = new WeakMap<object, readonly string[]>();

/** A stage's argument words, and perhaps its input. */
export function argumentVector(
  definition: BuiltinDefinition,
  dice: Dice,
): { readonly args: readonly string[]; readonly stdin: string | undefined } {
  const named = namedFlags(definition.flags);
  const words = exampleWords(definition);
  const args: string[] = [];
  const count = dice.below(7);
  for (let at = 0; at < count; at++) {
    const what = dice.below(100);
    if (what < 45 && named.length > 0) args.push(...flag());
    else if (what < 62) args.push(dice.pick(PATHS));
    else if (what < 78) args.push(dice.pick(VALUES));
    else if (what < 94 && words.length > 0) args.push(dice.chance(25) ? bent(dice.pick(words)) : dice.pick(words));
    else if (what < 96) args.push("--");
    else args.push(`${dice.pick(["-", "--", "+", "-é", "--no-", "-\n"])}${dice.pick(["", "x", "zz", "9", dice.pick(VALUES)])}`);
  }
  return { args: args.map((arg) => arg.replaceAll("\0", "")), stdin: dice.chance(60) ? dice.pick(INPUTS) : undefined };

  function flag(): string[] {
    const {
      letters,
      longNames,
      flag: { kind },
    } = dice.pick(named);
    const takesValue = kind !== "switch";
    const value = dice.chance(75) ? dice.pick(VALUES) : dice.chance(60) ? dice.pick(PATHS) : dice.pick([...words, ""]);
    const long = longNames.length > 0 && (letters.length === 0 || dice.chance(50)) ? dice.pick(longNames) : undefined;
    if (long !== undefined) {
      const typed = `--${dice.chance(20) ? long.slice(0, 1 + dice.below(long.length)) : dice.chance(5) ? bent(long) : long}`;
      if (dice.chance(takesValue ? 55 : 8)) return [`${typed}=${value}`];
      return takesValue && dice.chance(85) ? [typed, value] : [typed];
    }
    if (letters.length === 0) return [];
    const other = dice.chance(35) ? dice.pick(named).letters.slice(0, 1).join("") : "";
    const typed = `-${other}${dice.pick(letters)}${dice.chance(10) ? dice.pick(named).letters.join("") : ""}`;
    if (!takesValue) return [typed];
    return dice.chance(50) ? [typed + value] : dice.chance(90) ? [typed, value] : [typed];
  }

  /** One character less, more, twice, or another. */
  function bent(word: string): string {
    const at = dice.below(word.length + 1);
    const piece = dice.pick(["", "", "9", "-", "\\", "(", "[", "*", "{", "}", ")", "]", "'", "$", "%", "\n", "é", "\udcff", word, "/"]);
    return word.slice(0, at) + piece + word.slice(at + dice.below(3));
  }
}

/** The words of the stages of its examples, quotes removed, as far as they are plain. */
function exampleWords(definition: BuiltinDefinition): readonly string[] {
  let words = examples.get(definition);
  if (words === undefined) {
    const texts = definition.examples.flatMap(({ command }) => command.match(/'[^']*'|"[^"$`\\]*"|[^\s'"|;&<>()]+/g) ?? []);
    words = [...new Set(texts.map((text) => text.replace(/^(['"])([^]*)\1$/, "$2")).filter((text) => text !== definition.name))];
    examples.set(definition, words);
  }
  return words;
}
