/**
 * Command lines that nobody means to type, made from those that somebody might: any flag of the definition in any of its
 * spellings and with any value, flags after operands, `--`, operands that are no files, one argument too many or too few.
 */
import { parseArguments, type ParsedArguments } from "../../src/builtin/arguments.ts";
import type { BuiltinDefinition } from "../../src/builtin/definition.ts";
import { namedFlags, type NamedFlag } from "../../src/builtin/flag-names.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import type { Dice } from "../fuzz/dice.ts";

/** Values that some flag reads as a number, a size, a word, a character or a name. */
const VALUES = [
  ...["0", "1", "2", "3", "8", "10", "-1", "+2", " 3", "007", "0x10", "1k", "1K", "2b", "1.5", "-0", "1e1", "1x"],
  ...["18446744073709551615", "18446744073709551616", "9223372036854775808", "99999999999999999999", "-9223372036854775809"],
  ...["", "x", "a", ",", ":", "--", "-", "a,b", "1,2", "1-3", "é", "日", "\udcff", "a\nb", " ", "\t", "\\n", "%", "%d", "*", "[", "\\"],
  ...["auto", "always", "never", "none", "all", "both", "no", "nope", ".", "f"],
];
/** Flags that the real tools do not have: `tail --since`. */
const OURS: ReadonlySet<string> = new Set(["since"]);
const OPERANDS = [
  "-",
  "-",
  "nope",
  "nope",
  ".",
  "",
  "./f",
  "nope/x",
  "f/x",
  "a\nb",
  "é",
  "\udcff",
  "it's",
  "a b",
  "-x",
  "--nope",
  "+1",
  "1",
];

/** `files` are the names that stand in the working directory. */
export function bentArguments(
  dice: Dice,
  definition: BuiltinDefinition,
  args: readonly string[],
  files: readonly string[],
): readonly string[] {
  const bent = [...args];
  const flags = namedFlags(definition.flags).filter(({ key, flag }) => flag.kind !== "refused" && !OURS.has(key));
  const place = (): number => dice.below(bent.length + 1);
  const operand = (): string => dice.pick([...OPERANDS, ...files, ...files, ...files]);
  const value = (): string => dice.pick([...VALUES, ...VALUES, ...args, ...files]).replaceAll("\0", "");
  for (let left = dice.pick([1, 1, 1, 2, 3]); left > 0; left--) {
    switch (dice.below(9)) {
      case 0:
        bent.splice(place(), 0, "--");
        break;
      case 1:
        bent.splice(place(), 0, operand());
        break;
      case 2:
        bent.splice(dice.below(bent.length || 1), 1);
        break;
      case 3:
        if (bent.length > 0) bent.splice(place(), 0, dice.pick(bent));
        break;
      case 4:
        // Not `---`: it stands for flags by which a tool's authors look for faults (`---debug`), as a name of its own.
        if (dice.chance(20))
          bent.splice(place(), 0, dice.pick(["-@", "--nope", "--zero-terminated=x", "--nope=x", "-%", "-é", "-\udcff", "--="]));
        break;
      default:
        if (flags.length > 0) bent.splice(place(), 0, ...spelledFlag(dice, dice.pick(flags), value));
    }
  }
  return bent;
}

function spelledFlag(dice: Dice, { flag, letters, longNames }: NamedFlag, value: () => string): string[] {
  const isLong = longNames.length > 0 && (letters.length === 0 || dice.chance(50));
  const long = isLong ? dice.pick(longNames) : "";
  const name = isLong ? `--${dice.chance(70) ? long : long.slice(0, 1 + dice.below(long.length))}` : `-${dice.pick(letters)}`;
  if (flag.kind === "switch") return [isLong && dice.chance(4) ? `${name}=${value()}` : name];
  if (dice.chance(4) || ("ifBare" in flag && dice.chance(40))) return [name];
  return dice.chance(50) ? [`${name}${isLong ? "=" : ""}${value()}`] : [name, value()];
}

/** True if both may run it: nothing refused here, nothing written or run, and no text that is each tool's own. */
export function isComparable(definition: BuiltinDefinition, args: readonly string[]): boolean {
  return isAsked(definition, definition.name, args, (parsed) =>
    (definition.effects?.(parsed) ?? []).every(({ kind }) => kind !== "write" && kind !== "run"),
  );
}

/** True if `args` are neither refused by design nor ask for help, and `also` holds for them where they can be read. */
export function isAsked(
  definition: BuiltinDefinition,
  name: string,
  args: readonly string[],
  also: (parsed: ParsedArguments) => boolean = () => true,
): boolean {
  try {
    const parsed = parseArguments(
      definition,
      name,
      args.map((text) => ({ text })),
    );
    if (parsed.informs !== undefined) return false;
    definition.check?.(parsed);
    return also(parsed);
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return thrown.kind !== "refused-flag";
  }
}
