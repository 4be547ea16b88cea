/**
 * md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum, cksum and sum: a digest of each file, or whether
 * files are those that a list names. One file because they are one tool under several names.
 */
import { readCount } from "../../src/numbers/counts.ts";
import {
  defineBuiltin,
  type BuiltinDefinition,
  type FlagTable,
  type Invocation,
  type Occurrence,
  type StaticInvocation,
} from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputComplaint, inputOperands, openInput, overwritingBlocks } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { BsdSum, CrcSum, HASHES, SystemVSum, type HashAlgorithm, type Sum } from "./algorithm.ts";
import { escapedName } from "./check-line.ts";
import { digestOf, verifyLists, type CheckOptions } from "./verify.ts";

const CHECK_FLAGS = {
  check: { kind: "switch", short: "c", help: "read lists of checksums and check the files they name" },
  ignoreMissing: { kind: "switch", help: "with -c: pass over missing files" },
  quiet: { kind: "switch", overrides: ["status", "warn"], help: "with -c: print no OK" },
  status: { kind: "switch", overrides: ["quiet", "warn"], help: "with -c: print nothing, the exit status says it" },
  strict: { kind: "switch", help: "with -c: fail where a line is no proper one" },
} as const satisfies FlagTable;

const warn = {
  kind: "switch",
  short: "w",
  overrides: ["status", "quiet"],
  help: "with -c: name the lines that are no proper ones",
} as const;
const zero = { kind: "switch", short: "z", help: "lines end in NUL, and names are not escaped" } as const;
const length = {
  kind: "value",
  short: "l",
  arg: "BITS",
  read: readLength,
  otherwise: undefined,
  help: "length of the digest in bits, for BLAKE2b: a multiple of 8, at most 512",
} as const;

const SUM_FLAGS = {
  binary: { kind: "switch", short: "b", overrides: ["text"], help: "mark names with *, as read in binary mode" },
  ...CHECK_FLAGS,
  tag: { kind: "switch", help: "print in BSD style: ALGORITHM (NAME) = DIGEST" },
  text: { kind: "switch", short: "t", overrides: ["binary"], help: "read in text mode (default)" },
  warn,
  zero,
} as const satisfies FlagTable;

type SumFlags = typeof SUM_FLAGS & { readonly length?: typeof length };

const EMPTY_DIGEST = "the digest of no bytes";

function hashTool(name: string, algorithm: HashAlgorithm, ofNothing: string, standard: string): BuiltinDefinition {
  const flags: SumFlags = algorithm.varies ? { ...SUM_FLAGS, length } : SUM_FLAGS;
  return defineBuiltin({
    name,
    summary: `Print or check ${algorithm.tag} digests of files.`,
    standard,
    reference: "GNU coreutils 9.1",
    readsStreams: true,
    operands: { kind: "paths", access: "read" },
    flags,
    examples: [
      { command: name, stdin: "", stdout: `${ofNothing}  -\n`, note: EMPTY_DIGEST },
      { command: `${name} --tag empty`, files: { empty: "" }, stdout: `${algorithm.tag} (empty) = ${ofNothing}\n` },
      { command: `${name} -c list`, files: { list: `${ofNothing}  empty\n`, empty: "" }, stdout: "empty: OK\n" },
    ],
    check(invocation) {
      hashSettings(invocation);
    },
    async *run(invocation) {
      const { checking, givenLength, isTagged, mark, zero } = hashSettings(invocation);
      if (checking !== undefined) return yield* verifyLists(invocation, algorithm, checking);
      const bits = bitsOf(givenLength, algorithm);
      return yield* printDigests(invocation, algorithm, bits, { tag: isTagged ? tagOf(algorithm, bits) : undefined, mark, zero });
    },
  }) as unknown as BuiltinDefinition;
}

interface HashSettings extends Omit<LineForm, "tag"> {
  /** undefined where digests are printed. */
  readonly checking: CheckOptions | undefined;
  readonly givenLength: GivenLength | undefined;
  readonly isTagged: boolean;
}

/** Throws UsageError, in the order in which GNU coreutils look. */
function hashSettings({ name, flags, occurrences }: StaticInvocation<SumFlags>): HashSettings {
  const { binary, text, tag, length: givenLength, zero, check, ...more } = flags;
  const { ignoreMissing, quiet, status, strict, warn: warns, ...others } = more;
  allFlagsRead(others);
  requireWholeBytes(name, occurrences);
  requireLength(name, givenLength);
  const lastOf = (wanted: "text" | "tag"): number => occurrences.findLastIndex(({ key }) => key === wanted);
  if (tag && text && lastOf("text") > lastOf("tag")) throw complaint("--tag does not support --text mode");
  if (zero && check) throw complaint("the --zero option is not supported when verifying checksums");
  if (tag && check) throw complaint("the --tag option is meaningless when verifying checksums");
  if ((binary || text) && check) throw complaint("the --binary and --text options are meaningless when verifying checksums");
  const checking = checkingOf(check, { ignoreMissing, quiet, status, strict, warn: warns });
  return { checking, givenLength, isTagged: tag, mark: binary ? "*" : " ", zero };
}

interface LineForm {
  /** What stands before the name in BSD style; undefined for the digest first. */
  readonly tag: string | undefined;
  readonly mark: " " | "*";
  readonly zero: boolean;
}

async function* printDigests(
  invocation: Pick<Invocation, "operands" | "stdin" | "files" | "warn">,
  algorithm: HashAlgorithm,
  bits: number,
  form: LineForm,
): AsyncGenerator<Uint8Array, number> {
  let exit = 0;
  for (const operand of inputOperands(invocation)) {
    try {
      const hex = await digestOf(invocation, operand, algorithm, bits);
      const { prefix, name } = form.zero ? { prefix: "", name: operand } : escapedName(operand);
      const line = form.tag === undefined ? `${hex} ${form.mark}${name}` : `${form.tag} (${name}) = ${hex}`;
      yield toBytes(`${prefix}${line}${form.zero ? "\0" : "\n"}`);
    } catch (thrown) {
      invocation.warn(inputComplaint(thrown, operand));
      exit = 1;
    }
  }
  return exit;
}

/** Throws UsageError where an option of -c stands without it. */
function checkingOf(check: boolean, options: CheckOptions): CheckOptions | undefined {
  if (check) return options;
  const named = [
    ["ignoreMissing", "ignore-missing"],
    ["status", "status"],
    ["warn", "warn"],
    ["quiet", "quiet"],
    ["strict", "strict"],
  ] as const;
  for (const [key, long] of named) {
    if (options[key]) throw complaint(`the --${long} option is meaningful only when verifying checksums`);
  }
  return undefined;
}

const complaint = (message: string): UsageError => new UsageError("bad-value", message, { pointsToHelp: true });

interface GivenLength {
  readonly bits: bigint;
  readonly text: string;
}

function readLength(text: string): GivenLength {
  return { bits: readCount(text, { complaint: "invalid length" }), text };
}

/** Throws UsageError: two lines, each with the tool's name. */
function requireLength(name: string, given: GivenLength | undefined): void {
  if (given === undefined) return;
  const { bits, text } = given;
  if (bits > 512n) throw badLength(name, text, "maximum digest length for ‘BLAKE2b’ is 512 bits");
}

/** Throws UsageError: a length is looked at as it comes. */
function requireWholeBytes(name: string, occurrences: readonly (Occurrence<SumFlags> | Occurrence<typeof CKSUM_FLAGS>)[]): void {
  for (const { key, value } of occurrences) {
    if (key !== "length" || value === undefined) continue;
    const { bits, text } = value;
    if (bits % 8n !== 0n) throw badLength(name, text, "length is not a multiple of 8");
  }
}

function badLength(name: string, text: string, problem: string): UsageError {
  return new UsageError("bad-value", `invalid length: ${quoteCurly(text)}\n${name}: ${problem}`, { subject: text });
}

/** 0 stands for the longest. */
const bitsOf = (given: GivenLength | undefined, algorithm: HashAlgorithm): number =>
  given === undefined || given.bits === 0n ? algorithm.bits : Number(given.bits);

const tagOf = ({ tag, bits: longest }: HashAlgorithm, bits: number): string => (bits === longest ? tag : `${tag}-${bits}`);

const SHA_STANDARD = "https://nvlpubs.nist.gov/nistpubs/FIPS/NIST.FIPS.180-4.pdf";

export const md5sum = hashTool("md5sum", HASHES.md5, "d41d8cd98f00b204e9800998ecf8427e", "https://www.rfc-editor.org/rfc/rfc1321");
export const sha1sum = hashTool("sha1sum", HASHES.sha1, "da39a3ee5e6b4b0d3255bfef95601890afd80709", SHA_STANDARD);
export const sha224sum = hashTool("sha224sum", HASHES.sha224, "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f", SHA_STANDARD);
export const sha256sum = hashTool(
  "sha256sum",
  HASHES.sha256,
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  SHA_STANDARD,
);
export const sha384sum = hashTool(
  "sha384sum",
  HASHES.sha384,
  "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b",
  SHA_STANDARD,
);
export const sha512sum = hashTool(
  "sha512sum",
  HASHES.sha512,
  "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
  SHA_STANDARD,
);
export const b2sum = hashTool(
  "b2sum",
  HASHES.blake2b,
  "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce",
  "https://www.rfc-editor.org/rfc/rfc7693",
);

type Choice = keyof typeof HASHES | "bsd" | "sysv" | "crc";

const CHOICES: readonly Choice[] = ["bsd", "sysv", "crc", "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "sm3"];

const CKSUM_FLAGS = {
  algorithm: {
    kind: "value",
    short: "a",
    arg: "TYPE",
    read: readChoice,
    otherwise: undefined,
    help: `bsd, sysv, crc (default), ${CHOICES.slice(3).join(", ")}`,
  },
  ...CHECK_FLAGS,
  debug: {
    kind: "refused",
    help: "say which implementation is used",
    reason: "there is only one implementation here",
    suggestion: (rest) => ["cksum", ...rest].join(" "),
  },
  length,
  tag: { kind: "switch", overrides: ["untagged"], unread: true, help: "print in BSD style (default for digests)" },
  untagged: { kind: "switch", overrides: ["tag"], help: "print the digest first, without its name" },
  warn,
  zero,
} as const satisfies FlagTable;

export const cksum = defineBuiltin({
  name: "cksum",
  summary: "Print a checksum and the size of each file, or print and check digests.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/cksum.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "read" },
  flags: CKSUM_FLAGS,
  examples: [
    { command: "cksum a", files: { a: "abc\n" }, stdout: "1112837078 4 a\n" },
    { command: "cksum -a sha256 --untagged", stdin: "", stdout: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  -\n" },
  ],
  check(invocation) {
    cksumSettings(invocation);
  },
  async *run(invocation) {
    const { choice, checking, givenLength, isTagged, mark, zero } = cksumSettings(invocation);
    if (checking !== undefined) return yield* verifyLists(invocation, isSum(choice) ? undefined : HASHES[choice], checking);
    if (isSum(choice)) return yield* printSums(invocation, choice, zero ? "\0" : "\n");
    const algorithm: HashAlgorithm = HASHES[choice];
    const bits = bitsOf(givenLength, algorithm);
    return yield* printDigests(invocation, algorithm, bits, { tag: isTagged ? tagOf(algorithm, bits) : undefined, mark, zero });
  },
});

/** Throws UsageError, in the order in which GNU cksum looks. */
function cksumSettings({ name, flags, occurrences }: StaticInvocation<typeof CKSUM_FLAGS>): HashSettings & { readonly choice: Choice } {
  const { algorithm, length: givenLength, untagged, zero, check, ...more } = flags;
  const { ignoreMissing, quiet, status, strict, warn: warns, ...others } = more;
  allFlagsRead(others);
  const choice = algorithm ?? "crc";
  requireWholeBytes(name, occurrences);
  if (givenLength !== undefined && givenLength.bits > 0n && choice !== "blake2b")
    throw new UsageError("bad-value", "--length is only supported with --algorithm=blake2b");
  requireLength(name, givenLength);
  if (check && algorithm !== undefined && isSum(algorithm)) {
    throw new UsageError("bad-value", "--check is not supported with --algorithm={bsd,sysv,crc}");
  }
  if (zero && check) throw complaint("the --zero option is not supported when verifying checksums");
  const checking = checkingOf(check, { ignoreMissing, quiet, status, strict, warn: warns });
  return { choice, checking, givenLength, isTagged: !untagged, mark: " ", zero };
}

export const sum = defineBuiltin({
  name: "sum",
  summary: "Print a 16-bit checksum and the number of blocks of each file.",
  standard: "https://www.gnu.org/software/coreutils/sum",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "read" },
  flags: {
    bsd: {
      kind: "switch",
      short: "r",
      long: false,
      overrides: ["sysv"],
      unread: true,
      help: "the BSD algorithm, blocks of 1024 bytes (default)",
    },
    sysv: { kind: "switch", short: "s", overrides: ["bsd"], help: "the System V algorithm, blocks of 512 bytes" },
  },
  examples: [{ command: "sum", stdin: "abc\n", stdout: "08288     1\n" }],
  async *run(invocation) {
    const { sysv, ...others } = invocation.flags;
    allFlagsRead(others);
    return yield* printSums(invocation, sysv ? "sysv" : "bsd", "\n");
  },
});

const isSum = (choice: Choice): choice is "bsd" | "sysv" | "crc" => choice === "bsd" || choice === "sysv" || choice === "crc";

async function* printSums(
  invocation: Pick<Invocation, "operands" | "stdin" | "files" | "warn">,
  choice: "bsd" | "sysv" | "crc",
  lineEnd: string,
): AsyncGenerator<Uint8Array, number> {
  let exit = 0;
  const isNamed = invocation.operands.length > 0;
  for (const operand of inputOperands(invocation)) {
    const sum: Sum = choice === "crc" ? new CrcSum() : choice === "bsd" ? new BsdSum() : new SystemVSum();
    try {
      for await (const block of overwritingBlocks(openInput(invocation, operand))) sum.update(block);
    } catch (thrown) {
      // A directory opens and gives nothing, and cksum 9.1 does not look why.
      if (!(choice === "crc" && thrown instanceof FileError && thrown.code === "EISDIR")) {
        invocation.warn(inputComplaint(thrown, operand));
        exit = 1;
        continue;
      }
    }
    const name = isNamed ? ` ${operand}` : "";
    yield toBytes(`${sumText(sum, choice)}${name}${lineEnd}`);
  }
  return exit;
}

function sumText(sum: Sum, choice: "bsd" | "sysv" | "crc"): string {
  const value = String(sum.value());
  if (choice === "crc") return `${value} ${sum.bytes}`;
  if (choice === "sysv") return `${value} ${Math.ceil(sum.bytes / 512)}`;
  return `${value.padStart(5, "0")} ${String(Math.ceil(sum.bytes / 1024)).padStart(5)}`;
}

function readChoice(text: string): Choice {
  const found = CHOICES.find((choice) => choice === text);
  if (found !== undefined) return found;
  const list = CHOICES.map((choice) => `\n  - ${quoteCurly(choice)}`).join("");
  throw new BadValue(`invalid argument ${quoteCurly(text)} for ${quoteCurly("--algorithm")}\nValid arguments are:${list}`, {
    pointsToHelp: true,
  });
}
