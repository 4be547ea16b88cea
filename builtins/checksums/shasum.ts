/** shasum: the SHA digests of each file, or whether files are those that a list names; the tool of Perl's Digest::SHA. */
import { defineBuiltin, type Invocation, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputOperands, openInput } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { HASHES, openssl, type HashAlgorithm } from "./algorithm.ts";
import { digestOf } from "./verify.ts";

/** By the names that -a takes. */
const ALGORITHMS: Readonly<Record<string, HashAlgorithm>> = {
  "1": HASHES.sha1,
  "224": HASHES.sha224,
  "256": HASHES.sha256,
  "384": HASHES.sha384,
  "512": HASHES.sha512,
  "512224": openssl("SHA512/224", 224, "sha512-224"),
  "512256": openssl("SHA512/256", 256, "sha512-256"),
};

const help = (suggestion: string, short: string, what: string) =>
  ({ kind: "refused", short, long: false, help: `print the ${what}`, reason: "only its long form is known here", suggestion }) as const;

const FLAGS = {
  algorithm: {
    kind: "value",
    short: "a",
    arg: "BITS",
    read: readAlgorithm,
    otherwise: "1",
    help: "1 (default), 224, 256, 384, 512, 512224, 512256",
  },
  binary: { kind: "switch", short: "b", help: "mark names with *, as read in binary mode" },
  check: { kind: "switch", short: "c", help: "read lists of checksums and check the files they name" },
  tag: { kind: "switch", help: "print in BSD style: ALGORITHM (NAME) = DIGEST" },
  text: { kind: "switch", short: "t", help: "read in text mode (default)" },
  universal: {
    kind: "refused",
    short: "U",
    long: "UNIVERSAL",
    help: "take CRLF and CR for newlines",
    reason: "whether a file is text is a guess of Perl's",
  },
  bits: {
    kind: "refused",
    short: "0",
    long: "01",
    help: "take 0 and 1 for bits",
    reason: "digests here are of whole bytes",
    suggestion: (rest: readonly string[]) => ["shasum", ...rest].join(" "),
  },
  ignoreMissing: { kind: "switch", help: "with -c: pass over missing files" },
  quiet: { kind: "switch", short: "q", help: "with -c: print no OK" },
  status: { kind: "switch", short: "s", help: "with -c: print nothing, the exit status says it" },
  strict: { kind: "switch", help: "with -c: fail where a line is no proper one" },
  warn: { kind: "switch", short: "w", help: "with -c: name the lines that are no proper ones" },
  shortHelp: help("shasum --help", "h", "help"),
  shortVersion: help("shasum --version", "v", "version"),
} as const;

type Flags = typeof FLAGS;

const withoutDashes = (flag: string): string => flag.replace(/^--?/, "");

export const shasum = defineBuiltin({
  name: "shasum",
  summary: "Print or check SHA digests of files.",
  standard: "https://perldoc.perl.org/shasum",
  reference: "shasum 6.02",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  argumentWords: {
    unknown: (flag) => `Unknown option: ${withoutDashes(flag)}`,
    missingValue: (flag) => `Option ${withoutDashes(flag)} requires an argument`,
    unexpectedValue: (flag) => `Option ${withoutDashes(flag)} does not take an argument`,
  },
  usageText: ({ message }) => `${message}\nType shasum -h for help\n`,
  examples: [
    { command: "shasum a", files: { a: "abc" }, stdout: "a9993e364706816aba3e25717850c26c9cd0d89d  a\n" },
    { command: "shasum -a 256", stdin: "", stdout: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  -\n" },
    { command: "shasum -c list", files: { list: "a9993e364706816aba3e25717850c26c9cd0d89d  a\n", a: "abc" }, stdout: "a: OK\n" },
  ],
  deviations: [
    {
      from: "shasum 6.02",
      what: "where the list comes on standard input, its entry `-` cannot be read",
      why: "the real one digests the rest of the list",
    },
    {
      from: "shasum 6.02",
      what: "-U and -0 are refused, and a line of a list that was made with them is a file that cannot be read",
      why: "Perl guesses whether a file is text; digests here are of whole bytes",
    },
    {
      from: "shasum 6.02",
      what: "long names are written out, in their own case, and no flag follows the digits of -a",
      why: "flags are read in one way here",
    },
  ],
  check(invocation) {
    requireSense(invocation);
  },
  async *run(invocation) {
    requireSense(invocation);
    const { algorithm: name, binary, check, tag, text, ignoreMissing, quiet, status, strict, warn, ...others } = invocation.flags;
    allFlagsRead(others);
    const checking: Checking = { algorithm: name, ignoreMissing, quiet, status, strict, warns: warn };
    if (check) return yield* verifyAll(invocation, checking);
    const algorithm = ALGORITHMS[name] as HashAlgorithm;
    let exit = 0;
    for (const operand of inputOperands(invocation)) {
      const hex = await digestOrComplaint(invocation, operand, algorithm);
      if (hex === undefined) {
        exit = 1;
        continue;
      }
      const shown = operand.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
      const line = tag ? `${algorithm.tag} (${shown}) = ${hex}` : `${hex} ${binary && !text ? "*" : " "}${shown}`;
      yield toBytes(`${shown === operand ? "" : "\\"}${line}\n`);
    }
    return exit;
  },
});

/** Throws UsageError, in the order in which shasum looks. */
function requireSense({ flags }: StaticInvocation<Flags>): void {
  const wrong = (message: string): UsageError => new UsageError("bad-value", `shasum: ${message}`);
  if (flags.binary && flags.text) throw wrong("Ambiguous file mode");
  const named = [
    ["warn", "warn"],
    ["status", "status"],
    ["quiet", "quiet"],
    ["ignoreMissing", "ignore-missing"],
    ["strict", "strict"],
  ] as const;
  for (const [key, long] of named) {
    if (flags[key] && !flags.check) throw wrong(`--${long} option used only when verifying checksums`);
  }
  if (flags.tag && flags.text) throw wrong("--tag does not support --text mode");
  if (ALGORITHMS[flags.algorithm] === undefined) throw wrong("Unrecognized algorithm");
}

function readAlgorithm(text: string, spelling: string): string {
  if (!/^[-+]?\d[\d_]*$/.test(text)) throw new BadValue(`Value "${text}" invalid for option ${withoutDashes(spelling)} (number expected)`);
  return String(BigInt(text.replace("+", "").replaceAll("_", "")));
}

type Surroundings = Pick<Invocation, "operands" | "stdin" | "files" | "stderr" | "limits">;

async function digestOrComplaint(invocation: Surroundings, operand: string, algorithm: HashAlgorithm): Promise<string | undefined> {
  try {
    return await digestOf(invocation, operand, algorithm, algorithm.bits);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    invocation.stderr(toBytes(`shasum: ${operand}: ${thrown.message}\n`));
    return undefined;
  }
}

interface Checking {
  readonly algorithm: string;
  readonly ignoreMissing: boolean;
  readonly quiet: boolean;
  readonly status: boolean;
  readonly strict: boolean;
  readonly warns: boolean;
}

async function* verifyAll(invocation: Surroundings, checking: Checking): AsyncGenerator<Uint8Array, number> {
  let exit = 0;
  for (const operand of inputOperands(invocation)) {
    try {
      if (!(yield* verifyList(invocation, operand, checking))) exit = 1;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      invocation.stderr(toBytes(`shasum: ${operand}: ${thrown.message}\n`));
      // Perl's die() ends with the number of the error.
      return ERROR_NUMBERS[thrown.code] ?? 1;
    }
  }
  return exit;
}

const ERROR_NUMBERS: Readonly<Record<string, number>> = { ENOENT: 2, EACCES: 13, ENOTDIR: 20, ENAMETOOLONG: 36, ELOOP: 40 };

/** Throws FileError for a list that cannot be opened. */
async function* verifyList(invocation: Surroundings, operand: string, checking: Checking): AsyncGenerator<Uint8Array, boolean> {
  const shown = operand === "-" ? "standard input" : operand;
  const tell = (message: string): void => invocation.stderr(toBytes(`shasum: ${message}\n`));
  const count = { proper: 0, right: 0, improper: 0, unread: 0, wrong: 0 };
  let lineNumber = 0;
  for await (const line of linesFrom(invocation, operand)) {
    lineNumber++;
    if (line.startsWith("#")) continue;
    const entry = entryOf(line, checking.algorithm);
    if (entry === undefined) {
      if (checking.warns) tell(`${shown}: ${lineNumber}: improperly formatted SHA checksum line`);
      count.improper++;
      continue;
    }
    count.proper++;
    const { name } = entry;
    if (checking.ignoreMissing && isMissing(invocation, name)) continue;
    let hex: string | undefined;
    if (operand === "-" && name === "-") tell("-: standard input holds the list itself");
    else if (entry.mode === "U" || entry.mode === "^") tell(`${name}: digests of bits and of text with any newlines are not made here`);
    else hex = await digestOrComplaint(invocation, name, entry.algorithm);
    const verdict = hex === undefined ? "unread" : hex === entry.hex.toLowerCase() ? "right" : "wrong";
    count[verdict]++;
    if (!checking.status && !(checking.quiet && verdict === "right")) yield toBytes(`${name}: ${VERDICTS[verdict]}\n`);
  }
  const plural = (number: number): string => (number > 1 ? "s" : "");
  if (count.proper === 0) tell(`${shown}: no properly formatted SHA checksum lines found`);
  else if (!checking.status) {
    if (count.improper > 0) tell(`WARNING: ${count.improper} line${count.improper > 1 ? "s are" : " is"} improperly formatted`);
    if (count.unread > 0) tell(`WARNING: ${count.unread} listed file${plural(count.unread)} could not be read`);
    if (count.wrong > 0) tell(`WARNING: ${count.wrong} computed checksum${plural(count.wrong)} did NOT match`);
  }
  const hasNone = checking.ignoreMissing && count.right === 0 && count.proper > 0;
  if (hasNone && !checking.status) tell(`${shown}: no file was verified`);
  return !hasNone && count.proper > 0 && count.unread === 0 && count.wrong === 0 && !(checking.strict && count.improper > 0);
}

const VERDICTS = { right: "OK", wrong: "FAILED", unread: "FAILED open or read" } as const;

/** A directory has none. Throws FileError. */
async function* linesFrom(invocation: Surroundings, operand: string): AsyncGenerator<string, void> {
  try {
    for await (const block of lineBlocks(openInput(invocation, operand), invocation.limits.lineBytes)) {
      for (const line of linesOf(block)) yield toText(line);
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError && thrown.code === "EISDIR")) throw thrown;
  }
}

interface Entry {
  readonly name: string;
  readonly hex: string;
  readonly mode: string;
  readonly algorithm: HashAlgorithm;
}

const TAGGED = /^[ \t]*(\\?)SHA(\S+) \((.+)\) = ([\da-fA-F]+)/;
const PLAIN = /^[ \t]*(\\?)([\da-fA-F]+)[ \t]([ *^U])(.+)/;
/** The algorithms whose digests have so many hexadecimal digits, unless -a names another of that length. */
const BY_DIGITS: Readonly<Record<number, string>> = { 40: "1", 56: "224", 64: "256", 96: "384", 128: "512" };

/** The line of a list; undefined for one that is not proper. `preferred`: the algorithm of -a. */
function entryOf(line: string, preferred: string): Entry | undefined {
  const isTagged = /^[ \t]*\\?SHA/.test(line);
  const found = (isTagged ? TAGGED : PLAIN).exec(line);
  if (found === null) return undefined;
  const [, escape = "", first = "", second = "", last = ""] = found;
  const [hex, mode, written] = isTagged ? [last, "*", second] : [first, second, last];
  const isPreferred = /^5122/.test(preferred) && ALGORITHMS[preferred]?.bits === hex.length * 4;
  const key = isTagged ? first.replaceAll("/", "") : isPreferred ? preferred : BY_DIGITS[hex.length];
  const algorithm = key !== undefined && Object.hasOwn(ALGORITHMS, key) ? ALGORITHMS[key] : undefined;
  if (algorithm === undefined) return undefined;
  const name = escape === "" ? written : written.replace(/\\([\\n])/g, (_, letter: string) => (letter === "n" ? "\n" : "\\"));
  return { name, hex, mode, algorithm };
}

function isMissing({ files }: Surroundings, name: string): boolean {
  try {
    files.status(name);
    return false;
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return thrown.code === "ENOENT" || thrown.code === "ENOTDIR";
  }
}
