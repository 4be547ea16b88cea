/**
 * Arguments as getopt_long(3) reads them. getopt(1) of util-linux is glibc's own function behind a command, so every
 * row is checked against it where it is installed, and random argument lists are too.
 */
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseArguments } from "../../src/builtin/arguments.ts";
import { defineBuiltin, type BuiltinDefinition } from "../../src/builtin/definition.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { needs } from "../needs.ts";

const text = (value: string): string => value;

const flags = {
  all: { kind: "switch", short: "a", help: "a switch" },
  bytes: { kind: "value", short: "b", arg: "NUM", read: text, otherwise: undefined, help: "a value" },
  color: { kind: "value", short: "C", arg: "WHEN", read: text, otherwise: "never", ifBare: "always", help: "an optional value" },
  file: { kind: "path", short: "f", arg: "FILE", access: "read", help: "a path" },
  lines: { kind: "value", short: "n", arg: "NUM", read: text, otherwise: undefined, help: "a value" },
  linesUntil: { kind: "value", arg: "X", read: text, otherwise: undefined, help: "a value" },
  quiet: { kind: "switch", short: "q", long: ["quiet", "quite-so", "silent"], help: "a switch with synonyms" },
  recursive: { kind: "switch", short: "rR", help: "a switch with two letters" },
  zero: { kind: "switch", short: "z", long: false, help: "a switch without a long name" },
} as const;

function tool(more: Partial<BuiltinDefinition> = {}): BuiltinDefinition {
  return {
    ...defineBuiltin({
      name: "getopt",
      summary: "Take arguments.",
      standard: "getopt_long(3)",
      reference: "glibc",
      operands: { kind: "values" },
      flags,
      examples: [{ command: "getopt", stdout: "" }],
      async *run() {
        yield* [];
        return 0;
      },
    }),
    ...more,
  };
}

/** The result of our parser, in the form of getopt(1): `-a --lines '5' -- 'x'`, or the message. */
function ours(args: readonly string[], syntax: "gnu" | "posix"): string {
  try {
    const parsed = parseArguments(
      tool({ syntax }),
      "getopt",
      args.map((argument) => ({ text: argument })),
    );
    if (parsed.informs !== undefined) return `informs ${parsed.informs}`;
    const given = parsed.occurrences.map(({ spelling, value, key }) => {
      const flag = (flags as Record<string, { kind: string; ifBare?: string }>)[key];
      if (flag?.kind === "switch") return spelling;
      return `${spelling} ${value === flag?.ifBare ? "''" : quoted(String(value))}`;
    });
    return [...given, "--", ...parsed.operands.map(quoted)].join(" ");
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return `getopt: ${thrown.message}`;
  }
}

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;

const GETOPT = "/usr/bin/getopt";

function real(args: readonly string[], syntax: "gnu" | "posix"): string {
  const long = "all,bytes:,color::,file:,lines:,lines-until:,quiet,quite-so,silent,recursive,help,version";
  const plus = syntax === "posix" ? "+" : "";
  try {
    const out = execFileSync(GETOPT, ["-o", `${plus}ab:C::f:n:qrRz`, "-l", long, "--", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { LC_ALL: "C" },
    });
    return out.toString().trim();
  } catch (thrown) {
    if (typeof thrown !== "object" || thrown === null || !("stderr" in thrown)) throw thrown;
    return (String(thrown.stderr).split("\n")[0] ?? "").replace(GETOPT, "getopt");
  }
}

const rows: readonly { args: string; gives: string; syntax?: "posix"; name: string }[] = [
  { name: "a letter", args: "-a x", gives: "-a -- 'x'" },
  { name: "letters in one argument", args: "-aqz", gives: "-a -q -z --" },
  { name: "a value joined to its letter", args: "-n5", gives: "-n '5' --" },
  { name: "a value after its letter", args: "-n 5", gives: "-n '5' --" },
  { name: "a value joined to the last letter of a bundle", args: "-aqn5", gives: "-a -q -n '5' --" },
  { name: "a value after a bundle", args: "-aqn 5 x", gives: "-a -q -n '5' -- 'x'" },
  { name: "what follows a letter with a value is its value, letters or not", args: "-naq", gives: "-n 'aq' --" },
  { name: "an equals sign is part of a letter's value", args: "-n=5", gives: "-n '=5' --" },
  { name: "a long name", args: "--lines=5", gives: "--lines '5' --" },
  { name: "a long name and its value apart", args: "--bytes 5", gives: "--bytes '5' --" },
  { name: "an empty joined value", args: "--bytes= x", gives: "--bytes '' -- 'x'" },
  { name: "an equals sign in a value", args: "--bytes=a=b", gives: "--bytes 'a=b' --" },
  { name: "an abbreviation", args: "--by=5", gives: "--bytes '5' --" },
  { name: "an exact name wins over a longer one", args: "--lines 5", gives: "--lines '5' --" },
  {
    name: "an ambiguous abbreviation",
    args: "--lin 5",
    gives: "getopt: option '--lin' is ambiguous; possibilities: '--lines' '--lines-until'",
  },
  {
    name: "an ambiguous abbreviation with a value",
    args: "--li=5",
    gives: "getopt: option '--li=5' is ambiguous; possibilities: '--lines' '--lines-until'",
  },
  { name: "two names of one flag are no ambiguity, the first is meant", args: "--qui", gives: "--quiet --" },
  { name: "a synonym", args: "--silent", gives: "--silent --" },
  { name: "the second letter of a flag", args: "-R", gives: "-R --" },
  { name: "an unknown letter", args: "-ay", gives: "getopt: invalid option -- 'y'" },
  { name: "an unknown long name", args: "--lyne=5", gives: "getopt: unrecognized option '--lyne=5'" },
  { name: "a letter without its value", args: "-an", gives: "getopt: option requires an argument -- 'n'" },
  { name: "a long name without its value", args: "--by", gives: "getopt: option '--bytes' requires an argument" },
  { name: "a value for a flag that takes none", args: "--al=1", gives: "getopt: option '--all' doesn't allow an argument" },
  { name: "an optional value joined", args: "--color=auto -Cnever", gives: "--color 'auto' -C 'never' --" },
  { name: "an optional value is never the next argument", args: "--color auto -C never", gives: "--color '' -C '' -- 'auto' 'never'" },
  { name: "operands before flags", args: "x -a y -n 5", gives: "-a -n '5' -- 'x' 'y'" },
  { name: "operands before flags in POSIX order end them", args: "x -a", gives: "-- 'x' '-a'", syntax: "posix" },
  { name: "POSIX order, flags first", args: "-a x -- -q", gives: "-a -- 'x' '--' '-q'", syntax: "posix" },
  { name: "a dash is an operand", args: "- -a", gives: "-a -- '-'" },
  { name: "two dashes end the flags", args: "-a -- -q -- x", gives: "-a -- '-q' '--' 'x'" },
  { name: "two dashes as a value", args: "-n -- -a", gives: "-n '--' -a --" },
  { name: "a dash as a letter", args: "-a-", gives: "getopt: invalid option -- '-'" },
  {
    name: "nothing before the equals sign",
    args: "--=5",
    gives:
      "getopt: option '--=5' is ambiguous; possibilities: '--all' '--bytes' '--color' '--file' '--lines' '--lines-until' '--quiet' '--quite-so' '--silent' '--recursive' '--help' '--version'",
  },
  { name: "a flag as a value", args: "-f -a", gives: "-f '-a' --" },
];

describe("parseArguments", () => {
  for (const { name, args, gives, syntax = "gnu" } of rows) {
    it(name, () => expect(ours(args.split(" "), syntax)).toBe(gives));
  }

  needs(GETOPT).describe("against getopt(1)", () => {
    for (const { name, args, syntax = "gnu" } of rows) {
      // getopt(1) gives each synonym a value of its own, so only there `--qui` is ambiguous.
      if (args === "--qui") continue;
      it(name, () => expect(real(args.split(" "), syntax)).toBe(ours(args.split(" "), syntax)));
    }

    it("random arguments", () => {
      const pieces = [
        "-",
        "--",
        "a",
        "n",
        "C",
        "z",
        "r",
        "y",
        "=",
        "5",
        "all",
        "lines",
        "lin",
        "color",
        "bytes",
        "file",
        "-a",
        "-n",
        "--b",
        "-C",
        "x",
      ];
      const argument = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
      fc.assert(
        fc.property(fc.array(argument, { maxLength: 5 }), fc.constantFrom("gnu" as const, "posix" as const), (args, syntax) => {
          if (args.includes("")) return;
          expect(ours(args, syntax)).toBe(real(args, syntax));
        }),
        { numRuns: 300 },
      );
    });
  });

  const parse = (args: readonly string[], more: Partial<BuiltinDefinition> = {}) =>
    parseArguments(
      tool(more),
      "t",
      args.map((argument) => ({ text: argument })),
    );
  const failure = (args: readonly string[], more: Partial<BuiltinDefinition> = {}): UsageError => {
    try {
      parse(args, more);
    } catch (thrown) {
      if (thrown instanceof UsageError) return thrown;
      throw thrown;
    }
    throw new Error("no usage error");
  };

  it("--help and --version inform, abbreviated too, and end the reading", () => {
    expect(parse(["--he", "--nonsense"]).informs).toBe("help");
    expect(parse(["x", "--version"]).informs).toBe("version");
    expect(parse(["--", "--help"]).informs).toBeUndefined();
    expect(parse(["-n", "--help"]).informs).toBeUndefined();
    expect(failure(["--nonsense", "--help"]).kind).toBe("unknown-flag");
    expect(failure(["--help=x"]).message).toBe("option '--help' doesn't allow an argument");
  });

  it("--help is not asked for the operands that are missing", () => {
    expect(parse(["--help"], { operands: { kind: "values", min: 2 } }).informs).toBe("help");
  });

  it("the last of two values counts, a repeating flag keeps them all", () => {
    expect(parse(["-n1", "--lines=2"]).flags).toMatchObject({ lines: "2", all: false, color: "never" });
    const repeating = { ...flags, file: { ...flags.file, repeats: true }, lines: { ...flags.lines, repeats: true } };
    expect(parse(["-f", "a", "-n1", "-fb"], { flags: repeating }).flags).toMatchObject({ file: ["a", "b"], lines: ["1"] });
    expect(parse([], { flags: repeating }).flags).toMatchObject({ file: [], lines: [] });
  });

  it("a flag turns off those it overrides, the later one counts", () => {
    const exclusive: BuiltinDefinition["flags"] = {
      ...flags,
      bytes: { ...flags.bytes, overrides: ["lines", "all"] },
      lines: { ...flags.lines, overrides: ["bytes"] },
    };
    expect(parse(["-a", "-n1", "-b2"], { flags: exclusive }).flags).toMatchObject({ bytes: "2", lines: undefined, all: false });
    expect(parse(["-b2", "-n1"], { flags: exclusive }).flags).toMatchObject({ bytes: undefined, lines: "1" });
  });

  it("a value that is not one is reported where it stands", () => {
    const counting: BuiltinDefinition["flags"] = {
      ...flags,
      lines: {
        ...flags.lines,
        read: (value) => {
          throw new BadValue(`invalid number of lines: '${value}'`);
        },
      },
    };
    expect(failure(["-a", "-n", "2x"], { flags: counting })).toMatchObject({
      kind: "bad-value",
      argument: 2,
      subject: "2x",
      pointsToHelp: false,
    });
    expect(failure(["-an2x"], { flags: counting })).toMatchObject({ kind: "bad-value", argument: 0, subject: "2x" });
  });

  it("counts operands", () => {
    const two = { operands: { kind: "values", min: 2, max: 2 } } as const;
    expect(failure([], two).message).toBe("missing operand");
    expect(failure(["a"], two).message).toBe("missing operand after ‘a’");
    expect(failure(["a", "b", "c"], two)).toMatchObject({ message: "extra operand ‘c’", argument: 2, kind: "extra-operand" });
  });

  it("what a glob gave is an operand whatever it looks like, and ends the flags in POSIX order", () => {
    const args = [{ text: "-a", operandOnly: true }, { text: "-q" }];
    expect(parseArguments(tool(), "t", args)).toMatchObject({ operands: ["-a"], flags: { all: false, quiet: true } });
    expect(parseArguments(tool({ syntax: "posix" }), "t", args)).toMatchObject({ operands: ["-a", "-q"] });
  });

  it("a glob not yet expanded may be as many operands as are needed", () => {
    const two = tool({ operands: { kind: "values", min: 2 } });
    expect(parseArguments(two, "t", [{ text: "*", operandOnly: true, many: true }]).operands).toEqual(["*"]);
  });

  it("raw arguments are operands, all of them", () => {
    expect(parse(["-n", "--", "--help"], { syntax: "raw", flags: {} }).operands).toEqual(["-n", "--", "--help"]);
  });

  it("says which argument each operand and each value is", () => {
    expect(parse(["x", "-n", "5", "-aq", "y"])).toMatchObject({ operandArguments: [0, 4], occurrenceArguments: [2, 3, 3] });
  });

  it("a letter past ASCII is named by its first byte, as getopt does", () => {
    expect(failure(["-é"]).message).toBe("invalid option -- '\udcc3'");
  });

  describe("an old form", () => {
    const legacy = (argument: string): readonly string[] | undefined => {
      const match = /^-(\d+)(f?)$/.exec(argument);
      return match === null ? undefined : ["-n", match[1] as string, ...(match[2] === "f" ? ["-F"] : [])];
    };
    const refusing: BuiltinDefinition["flags"] = {
      ...flags,
      follow: { kind: "refused", short: "F", help: "follow", reason: "it never ends", suggestion: (rest) => ["t", ...rest].join(" ") },
    };

    it("stands for flags", () => expect(parse(["-20", "x"], { legacy })).toMatchObject({ flags: { lines: "20" }, operands: ["x"] }));
    it("is reported where it stands, and the suggestion keeps the rest", () => {
      expect(failure(["-a", "-5f", "x"], { legacy, flags: refusing })).toMatchObject({
        kind: "refused-flag",
        argument: 1,
        suggestion: "t -n 5 -a x",
      });
    });
  });

  describe("a refused flag", () => {
    const refusing: BuiltinDefinition["flags"] = {
      ...flags,
      follow: {
        kind: "refused",
        short: "F",
        argOptional: true,
        arg: "HOW",
        help: "follow",
        reason: "it never ends",
        suggestion: (rest) => ["t", ...rest].join(" "),
      },
      pid: {
        kind: "refused",
        short: "p",
        arg: "PID",
        help: "stop with it",
        reason: "there are no processes",
        suggestion: (rest, value) => `t ${rest.join(" ")} # ${value}`,
      },
    };
    const suggests = (args: readonly string[]) => failure(args, { flags: refusing }).suggestion;

    it("is left out, other arguments stay", () => expect(suggests(["-n", "5", "-F", "a b"])).toBe("t -n 5 'a b'"));
    it("is taken out of its bundle", () => expect(suggests(["-Faq", "x"])).toBe("t x"));
    it("is taken out with what was before it", () => expect(suggests(["-aqF", "x"])).toBe("t -aq x"));
    it("takes its value along", () => expect(suggests(["-ap", "12", "x"])).toBe("t -a x # 12"));
    it("with an optional value leaves the next argument", () => expect(suggests(["--follow", "x"])).toBe("t x"));
    it("with a joined value", () => expect(suggests(["--follow=name", "x"])).toBe("t x"));
  });
});
