/** Random small programs in awk's grammar, with input for them. */
import { looseExpression } from "./awk-fuzz-expressions.ts";
import { script } from "./awk-fuzz-scripts.ts";
import { libraryStatement, ODD_TEXTS } from "./awk-fuzz-statements.ts";
import type { Dice } from "../../fuzz/dice.ts";
import type { FuzzCase } from "../tool-fuzz.ts";

const WORDS = ["a", "b", "ab", "10", "9", "3.0", "-2", "+5", "x1", "", " ", "0", "1e2", "0x1f", "é", "A", "foo", "b.c", "1 2"];
const REGEXES = [
  "a",
  "b*",
  "[0-9]+",
  "^a",
  "b$",
  ".",
  "a|b",
  "(a)(b)?",
  "x*",
  "[^a]",
  "é",
  "a+b",
  "\\\\.",
  "[[:alpha:]]+",
  "^$",
  "\\\\y",
  "(a|ab)(c|b)",
  "o{2}",
  "\\\\<",
  "[a-c]{1,2}",
  "^a*",
  "a$|^b",
  "(^a)|b",
  "(a*)(b*)",
  "()",
  "[[:space:],]",
  "[^[:alnum:]]+",
  "\\\\.b",
  "[.]",
  "é*",
  "[é-z]",
  "\\\\w+",
  "\\\\B",
  "\\\\>",
  "(ab|a)(bc)?",
  "a{0}",
  "a{2,}|b{,1}",
  "[a\\\\]]",
  "x|",
  "a**",
  "[a-]",
  "\\\\/",
];
const SCALARS = ["u", "v", "w"];
const ODD_TOKENS = [
  ..."( ) { } [ ] , ; \n ! ~ ? : $ @ \\ / # ' . = == + ++ - -- ^ * && || in if else while do for function func return getline next".split(
    " ",
  ),
  ...'print printf delete switch case default BEGIN END BEGINFILE break continue exit length substr split FS NF @/x/ @include " ENDFILE nextfile func gensub strftime index gsub match @namespace'.split(
    " ",
  ),
  ...'\n /a /a/ "a 1 1a .5.5 0x 1e+ e5 é \udcff `a` <0 & / /= == > >> | |& \t \v \x01 \\q "\\q" // ! !! -0 ** **= %= 0 # "" _'.split(" "),
];

/** More than one token. */
const ODD_PIECES = [
  ..."x/0 1%!1 /a\\@/ /\\d[\\e]/ [:alpha:] /[:digit:]/ a::b awk::x a::b::c ns:: BEGIN::x x::length @f(1) f(/a/) f(1,2,3,4) $i++ ++$i-- -!+ (a,b) (1)in x".split(
    " ",
  ),
  ...'0x1.8 10x5 1.5e 0x_ 08 1e5.5 _"a" a[1][2] delete(x) x=@/y/ ~@/(/ index(x,/y/) sub(1,2,3+x) gsub(/a/,b,(c)) length. getline<x getline'.split(
    " ",
  ),
  " # c\n",
  "\\\n",
  "\\\r\n",
  "\r\n",
  "&&\n\n",
  "||# c\n",
  ",\n",
  "? x :\n",
  '"a\\\nb"',
  "/a\\\nb/",
  "\n\n}",
  ";;",
  "};",
  " function f2(switch, gensub, a, a) { return switch } ",
  " function f3(NR, f3, BEGINFILE) { } ",
  " BEGINFILE { getline } ",
  "\nBEGIN\n{",
  " break; ",
  " while (x) y\n\nbreak ",
  " do x; while (y) ",
  " for (;;) continue ",
  " switch (x) { case 1: case 1: default: default: } ",
  ' switch (x) { case -1: break; case /a/: case @/b/: case "c" "d": } ',
  " print > ",
  " print (1, 2)",
  " printf(1, 2) ",
  '@namespace "ns"\n',
  '@namespace "length"\n',
  '@include "nolib"\n',
  '@load "x"\n',
];

/** Functions that the expressions of looseExpression call. */
const LIBRARY = `function count(x) { return ++calls + x }
function sum(list,  k, t) { for (k in list) if (!isarray(list[k])) t += list[k]; return t }
function depth(list, n) { if (n <= 0) return length(list); list["d" n] = n; return depth(list, n - 1) }`;

export class ProgramMaker {
  readonly #dice: Dice;
  #depth = 0;
  /** Within f, which must not call itself. */
  #isInFunction = false;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  fuzzCase(): FuzzCase {
    const kind = this.#dice.below(100);
    if (kind < 30) return script(this.#dice, () => this.regex());
    const made = this.#statementsCase();
    return kind < 40 ? this.bentCase(made) : made;
  }

  /**
   * A program with a token too few, too many or another, in one place or in several: what is said of it. In the sandbox,
   * because what it would run or write by accident is run and written by gawk.
   */
  bentCase(made = this.#statementsCase()): FuzzCase {
    const dice = this.#dice;
    const whole = dice.chance(60)
      ? (script(dice, () => this.regex()).args.find((word) => /[{ ]/.test(word)) ?? "")
      : (made.args.at(-1) ?? "");
    const tokens = whole.match(/"(?:[^"\\]|\\.)*"|[a-zA-Z_]\w*|\d[\d.]*|\s+|[-+*/%^=<>!&|~]+|[^]/g) ?? [];
    for (let left = dice.pick([1, 1, 2, 3]); left > 0; left--) this.#bend(tokens);
    const spread = this.#spread(tokens.join("").replaceAll("\0", ""));
    return { ...made, ...spread, args: dice.chance(5) ? ["-s", ...spread.args] : spread.args };
  }

  #bend(tokens: string[]): void {
    const dice = this.#dice;
    const at = dice.below(tokens.length + 1);
    const odd = (): string => dice.pick([...ODD_TOKENS, dice.pick(tokens.length === 0 ? [""] : tokens)]);
    switch (dice.below(8)) {
      case 0:
        tokens.splice(at);
        return;
      case 1:
        tokens.splice(at, 0, ...tokens.splice(dice.below(tokens.length + 1), 1 + dice.below(4)));
        return;
      case 2:
        tokens.splice(at, 0, dice.pick(ODD_PIECES));
        return;
      default:
        tokens.splice(at, dice.below(3), ...dice.some(0, 1, odd));
    }
  }

  /** The program as an operand, or in one or two parts of another kind. */
  #spread(program: string): Pick<FuzzCase, "args" | "files"> {
    const dice = this.#dice;
    if (dice.chance(70) || program.trim() === "") return { args: ["-S", "--", program] };
    const lines = program.split("\n");
    const at = dice.below(lines.length + (dice.chance(10) ? 1 : 0));
    const [first, second] = [lines.slice(0, at).join("\n"), lines.slice(at).join("\n")];
    const aux = this.input();
    switch (dice.below(4)) {
      case 0:
        return { args: ["-S", "-f", "prog"], files: { prog: `${program}${dice.pick(["", "\n", "\n\n", "# c"])}`, aux } };
      case 1:
        return { args: ["-S", "-e", first, "-e", second], files: { aux } };
      case 2:
        return { args: ["-S", "-i", "lib.awk", "-e", second], files: { "lib.awk": first, aux } };
      default: {
        const include = dice.pick(['@include "lib.awk"\n', '@include "lib.awk";', '\n@include "lib.awk"\n\n']);
        return { args: ["-S", "-f", "prog"], files: { prog: include + second, "lib.awk": first + dice.pick(["", "\n"]), aux } };
      }
    }
  }

  #statementsCase(): FuzzCase {
    const flags = this.#dice.chance(25)
      ? [
          this.#dice.pick([
            ["-F", ","],
            ["-F", ":"],
            ["-F", "[ab]"],
            ["-v", "OFS=-"],
            ["-v", "RS="],
            ["-v", "v=10"],
            ["-F", "\\t"],
            ["-v", "RS=[,;]"],
            ["-v", "FPAT=[a-z]+"],
            ["-v", "FIELDWIDTHS=1 2 3"],
            ["-v", "IGNORECASE=1"],
            ["-F", ""],
            ["-F", "|"],
            ["-F", "a+"],
            ["-F", "\\|"],
            ["-v", "v=a\\tb\\\\c"],
            ["-v", "RS=\\n\\n+"],
            ["-v", "RS=a|^b"],
            ["-v", "RS=\\0"],
            ["-v", 'FPAT=([^,]+)|("[^"]+")'],
            ["-v", "FIELDWIDTHS=1 *"],
            ["-v", "v=@/a+/"],
            ["-n"],
            ["-k"],
            ["-v", "OFMT=%.2f", "-v", "CONVFMT=%.3g"],
          ]),
        ].flat()
      : [];
    return { args: [...flags, "--", this.program()], stdin: this.input(), files: { aux: this.input() } };
  }

  input(): string {
    const dice = this.#dice;
    const line = (): string =>
      Array.from({ length: dice.below(6) }, () => dice.pick(WORDS)).join(dice.pick([" ", " ", " ", ",", ":", "\t", "  "]));
    return Array.from({ length: dice.below(6) }, line).join("\n") + dice.pick(["\n", "\n", "", "\n\n"]);
  }

  program(): string {
    const dice = this.#dice;
    const parts: string[] = [];
    if (dice.chance(35)) parts.push(`BEGIN { ${this.statements(3)} }`);
    const rules = 1 + dice.below(2);
    for (let rule = 0; rule < rules; rule++) parts.push(this.#rule());
    if (dice.chance(50)) parts.push(`END { ${this.statements(3)} }`);
    if (dice.chance(30)) {
      this.#isInFunction = true;
      parts.push(`function f(p, q) { ${this.#inFunction()} return ${this.expression()} }`);
      this.#isInFunction = false;
    } else parts.push("function f(p, q) { return p q }");
    parts.push(`function h(list, value) { list["h"] = value; list[1]++; ${dice.pick(["", "next", "exit 3", "delete list", "return"])} }`);
    parts.push("function g(n) { return n <= 1 ? 1 : n * g(n - 1) }", LIBRARY);
    return parts.join("\n");
  }

  #inFunction(): string {
    return this.#dice.pick(["p = p + 1;", "q[1] = p;", "if (p > 3) return q;", "q = p p;", "v = p;", "$0 = p;"]);
  }

  #rule(): string {
    const dice = this.#dice;
    const pattern = dice.pick([
      "",
      "",
      this.condition(),
      `/${this.regex()}/`,
      `NR == ${1 + dice.below(3)}, /${this.regex()}/`,
      "NR > 1",
      "$1 == $2",
    ]);
    if (pattern !== "" && dice.chance(20)) return pattern;
    return `${pattern} { ${this.statements(4)} }`;
  }

  regex(): string {
    return this.#dice.pick(REGEXES).replaceAll("\\\\", "\\");
  }

  statements(most: number): string {
    return Array.from({ length: 1 + this.#dice.below(most) }, () => this.statement()).join("; ");
  }

  statement(): string {
    const dice = this.#dice;
    if (++this.#depth > 3) {
      this.#depth--;
      return `print ${this.expression()}`;
    }
    const made = dice.chance(15) ? this.#looseStatement() : this.#anyStatement(dice.below(30));
    this.#depth--;
    return made;
  }

  #looseStatement(): string {
    const dice = this.#dice;
    const loose = (depth: number): string => looseExpression(dice, () => this.regex(), depth);
    return dice.pick([
      () => `print (${loose(3)})`,
      () => `print ${loose(2)}, ${loose(1)}`,
      () => `x1 = ${loose(3)}; print x1`,
      () => loose(3),
      () => `if (${loose(2)}) print "yes"; else print "no"`,
      () => `arr[${loose(2)}] = ${loose(1)}`,
      () => `$(${dice.below(4)}) = ${loose(2)}; print NF, $0`,
      () => `print (${loose(1)}) (${loose(1)}), (${loose(2)}) ""`,
      () => `printf "%s %d %s\\n", ${loose(2)}, ${loose(1)}, (${loose(1)})`,
      () => `for (k in arr) if (k == ${loose(1)}) delete arr[k]; print length(arr)`,
    ])();
  }

  #anyStatement(which: number): string {
    const dice = this.#dice;
    switch (which) {
      case 0:
      case 1:
      case 2:
        return `print ${this.expression()}, ${this.expression()}`;
      case 3:
        return `printf "${dice.pick(["%s", "%d", "%5.2f", "%c", "%-4s|", "%05d", "%x", "%g", "%e", "%i", "%3s", "%.2s", "%o", "%u", "%+d", "%#x", "%10.3e", "% d"])}\\n", ${this.expression()}`;
      case 4:
        return `if (${this.condition()}) { ${this.statement()} } else { ${this.statement()} }`;
      case 5:
        return `for (i${this.#depth} = 1; i${this.#depth} <= ${dice.pick(["2", "3", "NF"])} && i${this.#depth} < 9; i${this.#depth}++) { ${this.statement()} }`;
      case 6:
        return `${dice.pick(["arr", "brr"])}[${this.expression()}] ${dice.pick(["=", "+=", "="])} ${this.expression()}`;
      case 7:
        return `for (k in arr) print k, arr[k]`;
      case 8:
        return `$${dice.pick(["1", "2", "3", "NF", "(NF+2)", "0", "5"])} = ${this.expression()}`;
      case 9:
        return `${dice.pick(["NF = 2", "NF = 4", "NF++", 'OFS = "-"', 'FS = ","', "delete arr[1]", "delete arr", '$3 = ""', "NR = 10", 'CONVFMT = "%.2g"', 'OFMT = "%.1f"'])}`;
      case 10:
        return `n = ${dice.pick(["sub", "gsub"])}(/${this.regex()}/, "${dice.pick(["X", "[&]", "\\\\&", "", "&&", "é"])}"${dice.pick(["", ", v", ", $2", ", arr[1]"])}); print n`;
      case 11:
        return `n = split(${this.expression()}, arr${dice.pick(["", ', "a"', ", /[ab]/", ', ""', ', " "', ", /b*/"])}); print n, arr[1], arr[2]`;
      case 12:
        return `print match(${this.expression()}, /${this.regex()}/), RSTART, RLENGTH`;
      case 13:
        return `${dice.pick(SCALARS)} ${dice.pick(["=", "=", "+=", "-=", "*=", "^=", "%="])} ${this.expression()}`;
      case 14:
        return dice.pick([
          "next",
          "getline",
          "getline v",
          "exit",
          "nextfile",
          "print NR, NF",
          "print",
          "print $NF",
          "j = 3; while (j-- > 0) print j",
          "j = 0; do { j++ } while (j < 3)",
        ]);
      case 15:
        return `switch (${this.expression()}) { case 1: print "one"; break; case "a": print "a"; case /b/: print "b"; default: print "d" }`;
      case 16:
        return `print length(${this.expression()}), index(${this.expression()}, ${this.expression()}), substr(${this.expression()}, ${dice.pick(["0", "1", "2", "-1", "1.5", "2.7"])}, ${dice.pick(["1", "2", "3", "1.5"])})`;
      case 17:
        return `print gensub(/${this.regex()}/, "${dice.pick(["<\\\\0>", "\\\\1", "X"])}", "${dice.pick(["g", "1", "2"])}", ${this.expression()})`;
      default:
        return libraryStatement({
          dice,
          expression: () => this.expression(),
          condition: () => this.condition(),
          regex: () => this.regex(),
        });
    }
  }

  condition(): string {
    const dice = this.#dice;
    return dice.pick([
      `${this.expression()} ${dice.pick(["<", "<=", "==", "!=", ">", ">="])} ${this.expression()}`,
      `${this.expression()} ~ /${this.regex()}/`,
      `${this.expression()} !~ "${dice.pick(["a", "b", "^$", "1", "."])}"`,
      `(${this.expression()} in arr)`,
      `!${this.expression()}`,
      this.expression(),
    ]);
  }

  expression(): string {
    const dice = this.#dice;
    if (++this.#depth > 4) {
      this.#depth--;
      return this.#atom();
    }
    const made = dice.pick([
      () => this.#atom(),
      () => this.#atom(),
      () => this.#atom(),
      () => `(${this.expression()} ${dice.pick(["+", "-", "*", "%", "/"])} ${dice.pick(["2", "3", "0.5", "7"])})`,
      () => `(${this.expression()} ${this.expression()})`,
      () => `(${this.condition()})`,
      () => `(${this.condition()} ? ${this.expression()} : ${this.expression()})`,
      () => `${dice.pick(["toupper", "tolower", "int", "length", this.#isInFunction ? "int" : "f"])}(${this.expression()})`,
      () => `-${this.#atom()}`,
      () => `${dice.pick(SCALARS)}${dice.pick(["++", "--"])}`,
      () => `sprintf("%s-%d", ${this.expression()}, ${this.expression()})`,
      () => `(${dice.pick(SCALARS)} = ${this.expression()})`,
      () => `(${this.expression()} ^ 2)`,
      () => `(${this.condition()} ${dice.pick(["&&", "||"])} ${this.condition()})`,
    ])();
    this.#depth--;
    return made;
  }

  #atom(): string {
    const dice = this.#dice;
    return dice.pick([
      "$1",
      "$2",
      "$0",
      "$NF",
      "NR",
      "NF",
      "u",
      "v",
      "w",
      "arr[1]",
      "arr[$1]",
      "brr[v]",
      String(dice.below(12)),
      "0.1",
      "1e6",
      "100000 * 100000",
      "3.75",
      `"${dice.pick(["a", "b", "10", "", "3x", "0", "é", " 7 ", "+5", "abc", ...ODD_TEXTS])}"`,
    ]);
  }
}
