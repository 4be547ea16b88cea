/** tac, rev, paste, comm and the like against the real tools: random flags, random small inputs. One table, hence its length. */
import { describe, expect } from "vitest";
import { loadBuiltins } from "../../builtins/registry.ts";
import type { Dice } from "../fuzz/dice.ts";
import { differences, referenceTool, manyCases, RUNS, type FuzzCase } from "./tool-fuzz.ts";
import { needs } from "../needs.ts";

const allBuiltins = await loadBuiltins();

const TIMEOUT_MS = 20_000 + RUNS * 100;

const CASES: Readonly<Record<string, (dice: Dice) => FuzzCase>> = {
  tac(dice) {
    const args: string[] = [];
    if (dice.chance(25)) args.push("-b");
    if (dice.chance(60)) {
      const regex = dice.chance(45);
      if (regex) args.push("-r");
      const patterns = [
        "x+",
        "[ab]",
        "a\\|b",
        "ab*",
        "^a",
        "b$",
        "\\(a\\|b\\)+",
        "a.b",
        "[^a]b",
        "x?a",
        "^$",
        "aa*",
        "\n\n",
        "\\(a\\)\\1",
        "é",
        "a\\{2",
      ];
      args.push(`-s${dice.pick(regex ? patterns : ["a", "b", "ab", "aa", "aba", "x", "\n\n", "é", "\n", "aab"])}`);
    }
    // Of a file that is standard input and named twice, GNU tac reads all of it each time.
    return { args, stdin: dice.text(["a", "b", "a", "b", "\n", "\n", "x", "é", "\0", "aab", "\udcff"], 30), isFed: true };
  },
  rev(dice) {
    const odd = dice.pick(["\0", "\udcff", "x", "y", "z"]);
    return { args: [], stdin: dice.text(["a", "b", "xyz", "\n", "\n", "é", "日", "👍", "\r", "\t", odd], 20) };
  },
  paste(dice) {
    const args: string[] = [];
    if (dice.chance(30)) args.push("-s");
    if (dice.chance(15)) args.push("-z");
    if (dice.chance(60))
      args.push("-d", dice.text([",", ";", "\\n", "\\0", "\\t", "\\\\", "x", "\\q", "é", "\\b", ...(dice.chance(3) ? ["\\"] : [])], 4));
    const names = Array.from({ length: dice.below(5) }, () =>
      dice.pick(["a", "b", "-", "-", "c", ...(dice.chance(4) ? ["nope", "."] : [])]),
    );
    const text = (): string => dice.text(["1", "22", "a", "\n", "\n", "\0", "é"], 10);
    return { args: [...args, ...names], stdin: text(), files: { a: text(), b: text(), c: text() } };
  },
  comm(dice) {
    const args: string[] = [];
    for (const flag of [
      "-1",
      "-2",
      "-3",
      "-z",
      "--total",
      "--check-order",
      "--nocheck-order",
      "--output-delimiter=",
      "--output-delimiter=::",
    ])
      if (dice.chance(18)) args.push(flag);
    const lines = (): string => {
      const all = Array.from({ length: dice.below(7) }, () => dice.text(["a", "b", "B", "é", "\udcff"], 2));
      if (dice.chance(75)) all.sort((one, other) => Buffer.from(one).compare(Buffer.from(other)));
      return all.join(args.includes("-z") ? "\0" : "\n") + (dice.chance(80) ? "\n" : "");
    };
    const names = dice.pick([
      ["a", "b"],
      ["a", "b"],
      ["a", "-"],
      ["-", "b"],
      ["a", "a"],
      ...(dice.chance(4) ? [["a"], ["a", "nope"], [".", "a"]] : []),
    ]);
    return { args: [...args, ...names], stdin: lines(), files: { a: lines(), b: lines() } };
  },
  fold(dice) {
    const args = dice.pick([[], ["-s"], ["-b"], ["-bs"], ["-s", "-b"]]);
    const width = dice.pick(["1", "2", "3", "5", "8", "9", "16", ...(dice.chance(4) ? ["0", "x", "-1", "1k"] : [])]);
    return {
      args: [...args, dice.pick([`-w${width}`, `-${width}`, `--width=${width}`])],
      stdin: dice.text(["a", "b c", "xyz", "\n", "\t", "\b", "\r", " ", "é", "\0", "\udcff", "long word "], 25),
    };
  },
  expand: (dice) => ({ args: tabFlags(dice, ["-i", "--initial"]), ...blankText(dice) }),
  unexpand: (dice) => ({ args: tabFlags(dice, ["-a", "--all", "--first-only", "-4", "-2,5", "-a3"]), ...blankText(dice) }),
  date(dice) {
    const args = dice.chance(50)
      ? [
          dice.pick([
            "+%F %T.%N %z %Z",
            "+%s %a %j",
            "+%c|%D|%h|%y|%C|%G-%V-%u|%U|%W",
            "+%-d %_H %^a %#Z %10Y %+5Y %3N %:z %P %e %k %l %q %E %",
            "+%5S%-m%_m%010s%^B%#p%r%R%x%X%g%w%t%n%%",
          ]),
        ]
      : [dice.pick(["-R", "-Ins", "--iso-8601=h", "-Iseconds", "--rfc-3339=s", "--rfc-3339=ns", "-u", "-I", "-Ix"])];
    return { args: [...args, "-d", dateText(dice)], stdin: "" };
  },
  expr(dice) {
    const atom = (): string =>
      dice.pick([
        ...[
          "1",
          "2",
          "0",
          "-3",
          "10",
          "00",
          "-0",
          "a",
          "abc",
          "éa",
          "",
          "xyz",
          "12345678901234567890",
          "length",
          "match",
          "+",
          "-",
          "--help",
          "index",
        ],
        ...["a*", "\\(b*\\)c", ".*", "[a-c]\\{2\\}", "\\(.\\)\\1", "^a", "a\\|b", ".\\(x", "[", "\\{1\\}", "b$", "*a"],
      ]);
    const pieces = [
      "a",
      "b",
      "{",
      "2",
      "}",
      "*",
      "\\+",
      "\\?",
      "\\{2\\}",
      "\\{,1\\}",
      "\\(",
      "\\)",
      "\\|",
      "^",
      "$",
      ".",
      "[ab]",
      "\\1",
      "\\{",
    ];
    const some = (of: readonly string[], most: number): string =>
      Array.from({ length: 1 + dice.below(most) }, () => dice.pick(of)).join("");
    if (dice.chance(40)) return { args: [some(["a", "b", "{", "2", "}", "*", "é"], 6), ":", some(pieces, 7)], stdin: "" };
    const operator = (): string => dice.pick(["+", "-", "*", "/", "%", "<", "<=", "=", "==", "!=", ">=", ">", ":", ":", "|", "&"]);
    const term = (deep: number): string[] => {
      if (deep > 2 || dice.chance(60)) return [atom()];
      if (dice.chance(30)) return ["(", ...expression(deep + 1), ")"];
      return dice.pick([
        () => ["length", ...term(deep + 1)],
        () => ["match", ...term(deep + 1), ...term(deep + 1)],
        () => ["index", atom(), atom()],
        () => ["substr", atom(), atom(), atom()],
        () => ["+", atom()],
      ])();
    };
    const expression = (deep: number): string[] => {
      const words = term(deep);
      while (dice.chance(50)) words.push(operator(), ...term(deep));
      return words;
    };
    const args = expression(0);
    if (dice.chance(8)) args.splice(dice.below(args.length + 1), dice.below(2), dice.pick([")", "(", "+", "--", "a"]));
    return { args, stdin: "" };
  },
  join(dice) {
    const args: string[] = [];
    const field = (): string => dice.pick(["1", "2", "3", "1", ...(dice.chance(4) ? ["0", "x", "-1"] : [])]);
    const tab = dice.chance(40) ? dice.pick([",", ",", ":", "", "\\0", ...(dice.chance(10) ? ["ab", "é"] : [])]) : undefined;
    if (tab !== undefined) args.push("-t", tab);
    if (dice.chance(25)) args.push(`-1${field()}`);
    if (dice.chance(25)) args.push("-2", field());
    // Not -j1 and -j2: see join's deviations.
    if (dice.chance(10)) args.push(...dice.pick([["-j3"], ["-j", field()]]));
    if (dice.chance(30)) args.push(`-a${dice.pick(["1", "2", "1", "2", "3"])}`);
    if (dice.chance(15)) args.push("-v", dice.pick(["1", "2"]));
    if (dice.chance(25)) args.push("-e", dice.pick(["NA", "", "-"]));
    if (dice.chance(35))
      args.push(
        "-o",
        dice.pick([
          "auto",
          "0",
          "1.1,2.2",
          "0 1.2 2.2",
          "1.1",
          "2.1,0,1.3",
          "1.9",
          ...(dice.chance(20) ? ["3.1", "x", "1.0", "1.", "auto,0", "0.1"] : []),
        ]),
      );
    for (const flag of ["-i", "--header", "--check-order", "--nocheck-order", "-z"]) if (dice.chance(12)) args.push(flag);
    const lines = (): string => {
      const separator = tab === undefined ? dice.pick([" ", " ", "  ", "\t"]) : tab.length === 1 ? tab : ",";
      const word = (): string => dice.pick(["a", "b", "c", "A", "B", "d", "1", "10", "é", "", "ab", "\udcff"]);
      const all = Array.from({ length: dice.below(7) }, () => Array.from({ length: 1 + dice.below(3) }, word).join(separator));
      if (dice.chance(80)) all.sort((one, other) => Buffer.from(one).compare(Buffer.from(other)));
      return all.join(args.includes("-z") ? "\0" : "\n") + (dice.chance(80) ? "\n" : "");
    };
    const names = dice.pick([
      ["a", "b"],
      ["a", "b"],
      ["a", "b"],
      ["a", "-"],
      ["-", "b"],
      ...(dice.chance(5) ? [["a"], ["a", "nope"], ["a", "b", "c"], []] : []),
    ]);
    return { args: [...args, ...names], stdin: lines(), files: { a: lines(), b: lines() } };
  },
  column(dice) {
    const isTable = dice.chance(75);
    const args = isTable ? ["-t"] : dice.chance(40) ? ["-x"] : [];
    const flag = (percent: number, letter: string, values: readonly string[]): void => {
      if (dice.chance(isTable ? percent : 1)) args.push(letter, dice.pick(values));
    };
    const columns = ["1", "2", "3", "1,2", "2,3", "0", ...(dice.chance(10) ? ["9", "A", "a", "b", "-", "", "4294967296", "1,"] : [])];
    if (dice.chance(20)) args.push("-L");
    if (dice.chance(isTable ? 40 : 60))
      args.push("-c", dice.pick(["1", "8", "20", "33", "40", "80", ...(dice.chance(10) ? ["x", "0", "-1", ""] : [])]));
    if (isTable && dice.chance(40)) args.push("-s", dice.pick([",", ":", ",:", " ", "x"]));
    if (isTable && dice.chance(30)) args.push("-o", dice.pick(["|", " | ", "", ",", "é"]));
    flag(30, "-N", ["A,BB,C", "A", "name,b", "x,y,z,t,u", "A,,B", "A,A", "日本,é"]);
    flag(20, "-R", columns);
    flag(20, "-H", ["-", ...columns]);
    flag(20, "-T", columns);
    flag(20, "-W", columns);
    flag(20, "-E", columns);
    flag(15, "-O", ["2", "3,1", "2,1", "9", "0", "BB"]);
    flag(5, "-l", ["1", "2", "3"]);
    if (dice.chance(isTable ? 10 : 0)) args.push("-d");
    if (dice.chance(isTable ? 5 : 0)) args.push("-e");
    if (dice.chance(isTable ? 5 : 0)) args.push("-J");
    if (dice.chance(isTable ? 15 : 1))
      args.push("-r", dice.pick(["1", "2", "3"]), "-i", dice.pick(["1", "2"]), "-p", dice.pick(["2", "1", "3"]));
    if (dice.chance(1)) args.push("-r", "1");
    const wide = dice.chance(30) ? ["a rather long text ", "longest_of_all_texts ", "日本語日本語日本語 "] : [];
    const pieces = ["a", "bbb", "longer", "1", "1", "2", "3", ",", ":", ",,", " ", "  ", " ", "\n", "\n", "\t", "é", "日本", "x", ...wide];
    return { args, stdin: dice.text([...pieces, ...(dice.chance(20) ? ["\udcff", "\0"] : [])], dice.chance(5) ? 200 : 30) };
  },
  shuf(dice) {
    const args = ["--random-source", "c"];
    if (dice.chance(40)) args.push(`-n${dice.pick(["0", "1", "2", "5", "99", "x", "99999999999999999999"])}`);
    if (dice.chance(15)) args.push("-r", `-n${dice.pick(["1", "5", "30"])}`);
    if (dice.chance(10)) args.push("-z");
    if (dice.chance(30))
      args.push(
        "-i",
        dice.pick(["1-5", "0-0", "5-4", "5-3", "1-300", "1-100000", "x-1", "1", "1-", "-1", "1-99999999999999999999", "7-1099511627776"]),
        ...(dice.chance(10) ? ["a"] : []),
      );
    else if (dice.chance(31)) args.push("-e", ..."abcdefg".slice(0, dice.below(7)));
    else if (dice.chance(40)) args.push(dice.pick(["a", "-", "nope", "."]));
    if (args.some((arg) => arg.includes("1099511627776")) && !args.includes("-n1")) args.push("-n2");
    const lines = dice.text(["1\n", "22\n", "a\n", "b", "\n", "\0", "é"], 20);
    // Now and then too few random bytes.
    const bytes = Array.from({ length: dice.chance(10) ? dice.below(4) : 4000 }, () => String.fromCharCode(dice.below(128))).join("");
    return { args, stdin: lines, files: { a: lines, c: args.includes("1-100000") ? bytes.repeat(100) : bytes } };
  },
  factor(dice) {
    const number = (): string =>
      dice.pick([
        "0",
        "1",
        "2",
        "12",
        "97",
        "+7",
        " 8",
        "007",
        "-1",
        "x",
        "",
        "1.5",
        "4294967297",
        "18446744073709551617",
        String(dice.below(1e9)),
        `${dice.below(1e9)}${dice.below(1e9)}`,
      ]);
    const numbers = Array.from({ length: dice.below(4) }, number);
    return dice.chance(50) && numbers.length > 0
      ? { args: ["--", ...numbers], stdin: "" }
      : { args: [], stdin: numbers.join(dice.pick([" ", "\n", "\t\n"])) };
  },
  tsort: (dice) => ({
    args: dice.chance(20) ? [dice.pick(["a", "-", "nope", "."])] : [],
    stdin: dice.text(["a ", "b\n", "c ", "d\t", "e ", "f ", "B ", "é "], dice.chance(50) ? 10 : 24),
    files: { a: "x y y x z" },
  }),
  seq(dice) {
    const number = (): string =>
      dice.pick([
        ...[
          "0",
          "1",
          "2",
          "3",
          "7",
          "10",
          "-1",
          "-3",
          "0.1",
          "0.3",
          "-0.2",
          "1.50",
          ".5",
          "5.",
          "1e1",
          "2e-1",
          "1.2e1",
          "100",
          "08",
          "+4",
          "-.5",
        ],
        ...["0x10", "1e0", "-0", "-0.0", "0.05", "9.995", "12.000", "1.e-1", "0.1e1", "99"],
        ...(dice.chance(8) ? ["x", "", "nan", "1e5000", "0x", "1x", " 3", "18446744073709551616", "-inf", "1e-5000"] : []),
      ]);
    const flags: string[] = [];
    if (dice.chance(20)) flags.push("-w");
    if (dice.chance(25)) flags.push("-s", dice.pick([",", "", "ab", " ", "%"]));
    if (dice.chance(20))
      flags.push(
        "-f",
        dice.pick([
          "%g",
          "%.2f",
          "a%03gb",
          "%%%e",
          "%5.1f|",
          "%-5gx",
          "%+g",
          "% g",
          "%#g",
          "%a",
          "%G",
          "%d",
          "%",
          "x",
          "%g%g",
          "%Lf",
          "%.0f",
          "%'f",
        ]),
      );
    const count = dice.pick([1, 2, 2, 3, 3, 3]);
    const numbers = Array.from({ length: count }, number);
    // A tiny step up to a large number takes for ever.
    if (numbers.some((text) => /e5000|18446|inf/.test(text))) numbers.length = 1;
    if (/18446|e5000|1e-5000/.test(numbers[0] as string)) numbers.unshift(numbers[0] as string);
    return { args: [...flags, ...numbers], stdin: "" };
  },
};

/** Cases to which the real tool has no answer of its own. */
const INCOMPARABLE: Readonly<Record<string, (example: FuzzCase) => boolean>> = {
  expr: ({ args }) => args.length === 1 && args[0] === "--help",
  // Shuffled by chance.
  shuf: ({ args }) =>
    !args.some((arg) => arg.startsWith("--random-s")) ||
    // Of what is no plain file GNU shuf -n takes samples, for which it opens the source first (see shuf's deviations).
    args.includes("."),
  // A deviation: GNU tac's buffer begins and ends for ^ and $ as a line does.
  tac: ({ args, stdin }) => stdin.length > 8000 && args.some((arg) => /^-s.*(?:\^|\$)/.test(arg)),
  // The obsolete -j1 and -j2, which take an operand with them (see join's deviations).
  join: ({ args }) => args.some((arg) => /^-[iz]*j[12]$/.test(arg)),
  // A deviation: GNU unexpand takes memory for as many blanks as reach the farthest stop.
  unexpand: ({ args }) => args.some((arg) => /\d{9}/.test(arg)),
  // A deviation: rev reads a long line by pieces. And of bytes that are no text behind a NUL it prints what is left over in its buffer.
  rev: ({ stdin }) => /.{8191}/.test(stdin) || (!stdin.isWellFormed() && stdin.includes("\0")),
  // util-linux counts a control character as none, one or four columns, from place to place. Of a name that is no text it takes the
  // width from memory that it never wrote, and with `-N $'a\xff'` it fills all there is.
  column: ({ args, stdin }) =>
    (/[^ -~\n\u0080-\uffff]|[\udc80-\udcff]/.test(stdin) && args.some((flag) => /^-[RWTE]$|^--table-[wtnr]/.test(flag))) ||
    args.some(
      (arg, at) =>
        !arg.isWellFormed() && (/^(-[a-zA-Z]*N|--table-columns$)/.test(args[at - 1] ?? "") || /^(-[a-zA-Z]*N|--table-columns=)/.test(arg)),
    ),
  // Digits before a weekday count weeks and are no date: the result depends on the day, which is another for each of the two.
  date: ({ args }) => /\d{5}\s+(?:mon|sat|sun|thurs)/i.test(args.at(-1) ?? ""),
};

function tabFlags(dice: Dice, others: readonly string[]): string[] {
  const number = (): string =>
    dice.pick(["1", "2", "3", "4", "5", "7", "8", "12", ...(dice.chance(4) ? ["0", "x", "99999999999999999999"] : [])]);
  const list = (): string => {
    const stops = Array.from({ length: 1 + dice.below(3) }, number);
    if (dice.chance(80)) stops.sort((one, other) => Number(one) - Number(other));
    if (dice.chance(30)) stops[stops.length - 1] = dice.pick(["/", "+"]) + stops.at(-1);
    if (dice.chance(3)) stops.push(dice.pick(["/3", "+2", "3/", "2+3", ""]));
    return stops.join(dice.pick([",", ",", " "]));
  };
  const args: string[] = [];
  if (dice.chance(70)) args.push(`-t${list()}`);
  if (dice.chance(5)) args.push(`--tabs=${list()}`);
  if (dice.chance(50)) args.push(dice.pick(others));
  return args;
}

/** Those with a summer have rules for it: where there are none glibc takes them from a file of the host. */
const ZONES = [
  ...["America/New_York", "Asia/Kolkata", "Europe/Berlin", "Asia/Tokyo", "Asia/Dubai", "Nope/Zone", "UTC+3", "ABC-5:30", "<+03>-3"],
  ...["EST5EDT,M3.2.0,M11.1.0", "NZST-12NZDT,M9.5.0,M4.1.0/3", "<-03>3<-02>,J60/0,299/26:30", "CET-1CEST,M3.5.0/-2,M10.5.0/3"],
];

/** With a date or @SECONDS in it, for today is another day for each of the two. */
function dateText(dice: Dice): string {
  const number = (): string => dice.pick(["1", "2", "3", "10", "12", "28", "31", "59", "00", "007", "100", "2020", "99"]);
  const sign = (): string => dice.pick(["", "", "+", "-", "- ", "+ "]);
  const unit = (): string =>
    dice.pick(["day", "days", "week", "month", "MONTHS", "year", "hour", "min", "minutes", "sec", "fortnight", "seconds"]);
  const time = (): string =>
    dice.pick([
      "10:30",
      "00:00:00",
      "23:59:59.5",
      "1pm",
      "12:15 am",
      "10:00 +2",
      "10:00:01+0530",
      "T10:20",
      "24:00",
      "9:5:7,25",
      "1030",
      "10:30 p.m.",
      "10 +0130",
      "T1015Z",
    ]);
  const item = (): string =>
    dice.pick([
      `${sign()}${number()} ${unit()}`,
      `${sign()}${number()} ${unit()} ago`,
      `${dice.pick(["next", "last", "this", "third", "twelfth"])} ${dice.pick([unit(), "monday", "sun", "Thurs"])}`,
      dice.pick([
        "tomorrow",
        "yesterday",
        "today",
        "now",
        "monday",
        "sat,",
        "3 wed",
        "UTC",
        "Z",
        "EST",
        "EDT",
        "CET DST",
        "PST -8",
        "T",
        "a",
        "UTC+3",
        "(comment)",
        ",",
        "foo",
        "J",
        "1.5 sec",
        "-2.25 seconds",
        "-",
        "ago",
        "mon",
      ]),
      time(),
      number(),
    ]);
  const year = (): string => dice.pick(["2020", "2019", "1970", "1969", "99", "68", "2100", "1900", "0123", "12020"]);
  const month = (): string => dice.pick(["1", "02", "2", "06", "12", "13", "0"]);
  const day = (): string => dice.pick(["1", "01", "15", "29", "30", "31", "0"]);
  const name = (): string => dice.pick(["jan", "Feb", "sept", "DECEMBER", "may.", "june", "Oct"]);
  const date = dice.pick([
    `${year()}-${month()}-${day()}`,
    `${year()}-${month()}-${day()}`,
    `${year()}/${month()}/${day()}`,
    `${month()}/${day()}/${year()}`,
    `${day()} ${name()} ${year()}`,
    `${day()}-${name()}-${year()}`,
    `${name()} ${day()}, ${year()}`,
    `${name()}-${day()}-${year()}`,
    `${year()}${month().padStart(2, "0")}${day().padStart(2, "0")}`,
    `@${sign()}${number()}${dice.pick(["", ".5", ",25"])}`,
    `TZ="${dice.pick(ZONES)}" ${year().replace("0123", "2001")}-${month()}-${day()}`,
  ]);
  const items = Array.from({ length: dice.below(4) }, item);
  if (dice.chance(60)) return [date, ...items].join(dice.pick([" ", " ", "  ", "\t"]));
  items.splice(dice.below(items.length + 1), 0, date);
  return items.join(" ");
}

function blankText(dice: Dice): Pick<FuzzCase, "stdin"> {
  return { stdin: dice.text([" ", "  ", "    ", "\t", "\t", "a", "bcd", "\n", "\b", "é", "\0", "       "], 25) };
}

describe("against the real tools", () => {
  for (const [name, make] of Object.entries(CASES)) {
    const definition = allBuiltins.find((builtin) => builtin.name === name);
    if (definition === undefined) throw new Error(`${name} is no builtin`);
    needs("bash", referenceTool(name, definition.reference)).test(name, { timeout: TIMEOUT_MS }, async () => {
      const cases = manyCases(definition, make, (example) => INCOMPARABLE[name]?.(example) !== true);
      const found = await differences(definition, cases);
      expect(found.slice(0, 5)).toEqual([]);
    });
  }
});
