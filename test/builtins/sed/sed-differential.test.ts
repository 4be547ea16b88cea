/** Random small scripts over a small alphabet against the real sed. npm run fuzz -- sed N S runs N scripts from seed S. */
import { expect } from "vitest";
import { sed } from "../../../builtins/sed/sed.ts";
import type { Dice } from "../../fuzz/dice.ts";
import { differences, referenceTool, manyCases, RUNS, type Comparison, type FuzzCase } from "../tool-fuzz.ts";
import { needs } from "../../needs.ts";

class ScriptMaker {
  readonly #dice: Dice;
  readonly #extended: boolean;
  #depth = 0;

  constructor(dice: Dice, extended: boolean) {
    this.#dice = dice;
    this.#extended = extended;
  }

  #pick(...options: readonly string[]): string {
    return this.#dice.pick(options);
  }

  #many(most: number, one: () => string, between = ""): string {
    return Array.from({ length: 1 + this.#dice.below(most) }, one).join(between);
  }

  /** Basic syntax; `#regex` turns it into the extended one. */
  #atom(): string {
    const usual = ["a", "b", "c", "a", "b", ".", "[ab]", "[^a]", "\\(a\\|b\\)", "\\(a*\\)", "\\(b\\)", "\\n", "x*", "ab*"];
    const rarer = [
      ...["\\<", "\\b", "b\\+", "a\\?", "é", "\\w", "\\W*", "\\s", "[[:alpha:]]", "[^é]*", "日*", "\\(.\\)\\1", ".*", "a\\{1,2\\}"],
      ...[
        "\\>",
        "\\B",
        "\\`",
        "\\'",
        "\\t",
        "\\x41",
        "\\o141",
        "\\d098",
        "\\cA",
        "[\\n]",
        "[a\\t]",
        "[]a]",
        "[^]a]*",
        "\\.",
        "\\(\\)",
        "É",
      ],
    ];
    const odd = [
      "*",
      "\\(",
      "\\)",
      "[",
      "a**",
      "\\{2\\}",
      "a\\{2",
      "[[:foo:]]",
      "[b-a]",
      "\\1",
      "[[.a.]]",
      "[[=a=]]",
      "\\%",
      "^",
      "$",
      "\udcff",
      "\\5",
    ];
    return this.#dice.pick(this.#dice.chance(3) ? odd : this.#dice.chance(35) ? rarer : usual);
  }

  /** Operators anywhere. */
  #loose(): string {
    const tokens = "a b c a b * \\+ \\? \\{2\\} \\{,1\\} \\{1,\\} \\( \\( \\) \\) \\| ^ $ . [ab] \\1 \\2 \\b \\< \\w \\' x \\{ {".split(
      " ",
    );
    return this.#many(7, () => this.#pick(...tokens));
  }

  #regex(): string {
    const basic = this.#dice.chance(8)
      ? this.#loose()
      : this.#pick("", "", "", "^") + this.#many(3, () => this.#atom()) + this.#pick("", "", "", "$");
    return this.#extended ? basic.replace(/\\([(){}|+?])/g, "$1") : basic;
  }

  #address(): string {
    const regex = this.#pick(
      `/${this.#regex()}/`,
      `/${this.#regex()}/`,
      `/${this.#regex()}/I`,
      "//",
      `\\,${this.#regex()},`,
      `/${this.#regex()}/M`,
    );
    return this.#pick("1", "2", "3", "$", "0~2", "2~3", regex, regex, regex, "1~0");
  }

  #second(): string {
    return this.#pick("1", "2", "4", "$", "+1", "+0", "~2", "~0", `/${this.#regex()}/`);
  }

  #replacement(): string {
    const usual = ["x", "&", "[&]", "\\n", "\\U", "\\l", "\\u", "\\L", "\\E", "ab", "", "\\&", "é", "\\1"];
    const rarer = [
      "\\0",
      "\\t",
      "\\x26",
      "\\x5c",
      "\\o101",
      "\\d065",
      "\\cA",
      "\\\n",
      "\\q",
      "ß",
      "ǆ",
      "\\u&\\1",
      "\udcff",
      "\\x",
      "\\c\\\\",
    ];
    return this.#many(3, () => this.#dice.pick(this.#dice.chance(20) ? rarer : usual));
  }

  #letter(): string {
    const usual = ["p", "d", "n", "N", "P", "h", "H", "g", "G", "x", "=", "l", "y/ab/ba/", "z", "t", "T", "r f", "R f", "l 4", "N"];
    const rarer = [
      "F",
      "y/aé/éb/",
      "y/\\n/,/",
      "l 1",
      "l0",
      "w /dev/stdout",
      "W /dev/stdout",
      "r nope",
      "R nope",
      "b",
      "r  f",
      "y/a\\/b/x\\\\y/",
      "y,a\\,,b-,",
    ];
    return this.#dice.pick(this.#dice.chance(20) ? rarer : usual);
  }

  #text(): string {
    return (
      this.#pick("a", "i", "c") +
      this.#pick("\\\nT", "\\\n  u", "\\\nv\\\nw", " one", "two", "\\three", "  \\  four", " é\\tx", "\\\n\\  y", " a\\\nb", " \\q\\\\")
    );
  }

  #substitution(): string {
    const flags = this.#pick("", "g", "p", "2", "I", "gp", "2g", "M", "Mg", "i", "3", "Ig", "w /dev/stdout", "pp", "gg", "0", "x", "  g ");
    const mark = this.#pick("/", "/", "/", ",", "|");
    if (mark !== "/") return `s${mark}${this.#regex().replaceAll(mark, "")}${mark}${this.#replacement()}${mark}g`;
    return `s/${this.#regex()}/${this.#replacement()}/${this.#dice.chance(90) ? flags.replace(/^(pp|gg|0|x)$/, "g") : flags}`;
  }

  #command(): string {
    const ranged = `${this.#address()}${this.#pick(",", ",", " , ")}${this.#second()}`;
    const address = this.#pick("", "", this.#address(), ranged, `0,/${this.#regex()}/`);
    const not = address === "" ? "" : this.#pick("", "", "", "!", " ! ", ...(this.#dice.chance(3) ? ["!!"] : []));
    const choice = this.#dice.below(12);
    const body =
      choice < 4 ? this.#substitution() : choice < 5 && this.#depth < 2 ? this.#block() : choice < 6 ? this.#text() : this.#letter();
    const quit = this.#dice.chance(5)
      ? `\n${this.#pick("q", "Q", "q3", "$!d", "D", "$!{N\nD\n}", "Q 5", "}", "v 4.2", "v 9", ":a", "bx", "k", "2,3q", "# c", "dp")}`
      : "";
    return `${address}${not}${body}${quit}`;
  }

  #block(): string {
    this.#depth++;
    const inner = this.#many(3, () => this.#command(), this.#pick("\n", "\n", ";"));
    this.#depth--;
    return this.#pick(`{\n${inner}\n}`, `{${inner}\n}`);
  }

  script(): string {
    const loop = this.#dice.chance(8)
      ? this.#pick(
          ":a;s/^\\(b*\\)a/\\1b/;ta\n",
          ":a\nN\n$!ba\n",
          ":x\n/c$/{N\nbx\n}\n",
          "$!{h;d}\n",
          "1!G;h;$!d\n",
          "$!N;P;D\n",
          ": b\ns/ab/c/\ntb\n",
        )
      : "";
    return loop + this.#many(4, () => this.#command(), this.#pick("\n", "\n", "\n", ";"));
  }
}

function makeCase(dice: Dice): FuzzCase {
  const flags = [
    ...dice.pick<string[]>([[], [], [], ["-n"], ["-n"], ["-s"], ["-z"], ["--posix"], ["-u"], ["-l", "5"], ["--sandbox"], ["-ns"]]),
  ];
  const extended = dice.chance(25);
  if (extended) flags.push(dice.pick(["-E", "-r", "--regexp-extended"]));
  const script = new ScriptMaker(dice, extended).script();
  const text = (): string =>
    Array.from({ length: 1 + dice.below(6) }, () => dice.text(["a", "b", "c", "", "ab", " ", "-", "A", "é", "日", "aa", "\t"], 4)).join(
      "\n",
    ) + dice.pick(["\n", "\n", ""]);
  const operands = dice.pick([[], [], ["-", "g"], ["g"], ["g", "f"], ["nope", "g"], ["g", "-"]]);
  const given = dice.pick([["-e", script], [script], ["-e", script], ["-f", "s"], ["-n", "-e", script], ["-e", script, "-e", "p"]]);
  return {
    args: [...flags, ...given, ...operands],
    stdin: text(),
    files: { f: "F1\nF2", g: text(), s: `${script}\n` },
  };
}

/**
 * True but for the cases that are left out: GNU sed opens the next file to find out whether a line is the last, and from
 * there on F names that one; files that `w` would write, for want of a newline after the name or with --posix; script files that were bent.
 */
function isComparable({ args, files = {} }: FuzzCase): boolean {
  const script = files["s"] ?? "";
  const both = `${args.join("\n")}\n${script}`;
  if (args.some((argument) => argument.startsWith("--p")) && both.includes("/dev/stdout")) return false;
  if (script.includes("F") && script.includes("$")) return false;
  // A bent script may have an `e` of its own, or a `w` that opens another file.
  if (script.replace(/[wW] \/dev\/stdout\n/g, "").includes("stdout")) return false;
  if (script.includes("e\u0301") || /\/dev\/stdout[^\n]/.test(both) || script.replace(/[wW] \/dev\/stdout\n/g, "").includes("/dev"))
    return false;
  return /^[^\0\r\udc80-\udcff]+\n$/.test(script);
}

const HINT = "Try 'sed --help' for more information.\n";

/** A deviation: GNU sed prints its whole usage. */
const pointsToHelp: NonNullable<Comparison["isExplained"]> = (_case, real, ours) =>
  ours.stderr.endsWith(HINT) && real.stderr.includes("Usage: sed [OPTION]");

/** All arguments are looked at before any file is read: a wrong flag comes before what is wrong with the file of a -f that stands before it. */
const endsAtFlag: NonNullable<Comparison["isExplained"]> = ({ args }, real, ours) =>
  args.some((argument) => /^(-[nErsuz]*f|--fi)/.test(argument)) &&
  ours.stderr.endsWith(HINT) &&
  /^sed: (-e expression|file|couldn't open file|read error on) /.test(real.stderr);

/** glibc takes a repetition and then `\B` for matched at the end of a word, and amid the bytes of a character, where an earlier match ended. */
const endsInCharacter: NonNullable<Comparison["isExplained"]> = ({ args, files = {} }, real, ours) =>
  /[*+}]\\?\)*\\B/.test(`${args.join("\n")}\n${files["s"] ?? ""}`) && real.stderr === ours.stderr && real.exit === ours.exit;

/** GNU sed opens what a `w` names, bent out of /dev/stdout, when it comes to it: before what is wrong further on. */
const opensWhileReading: NonNullable<Comparison["isExplained"]> = (_case, real) => /^sed: couldn't open file [^\n]*std/.test(real.stderr);

/** A deviation of every tool: a line, and so a pattern space, has a length at most. */
const growsPastLimit: NonNullable<Comparison["isExplained"]> = (_case, _real, ours) => ours.stderr.includes("LimitReached: line");

/** Deviations: what would start a program is refused; and what the ends of all that is held are in an address with M. */
const differsAsStated: NonNullable<Comparison["isExplained"]> = ({ args, files = {} }, _real, ours) =>
  ours.stderr.includes("no external program is ever started") ||
  /(?:^|[^s])[/,|].*\\[`'].*[/,|][ \t]*I?M/m.test(`${args.join("\n")}\n${files["s"] ?? ""}`);

const isExplained: Comparison["isExplained"] = (...answers) =>
  differsAsStated(...answers) ||
  growsPastLimit(...answers) ||
  pointsToHelp(...answers) ||
  endsAtFlag(...answers) ||
  endsInCharacter(...answers) ||
  opensWhileReading(...answers);

needs("bash", referenceTool("sed", "GNU sed 4.9")).test(`${RUNS} scripts`, { timeout: 60_000 + RUNS * 50 }, async () => {
  const found = await differences(sed, manyCases(sed, makeCase).filter(isComparable), "sed", isExplained);
  expect(found.slice(0, 5)).toEqual([]);
});
