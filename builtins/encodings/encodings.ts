/** base64, base32 and basenc: bytes as text and back. One file because they are one tool under several names. */
import { scanCount } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type Invocation, type Occurrence } from "../../src/builtin/definition.ts";
import { allFlagsRead, noFlagLeft } from "../../src/builtin/flag-values.ts";
import { inputComplaint, openInput } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { ENCODINGS, type Encoding } from "./alphabets.ts";
import { BadInput, decoded, encoded } from "./transform.ts";

const FLAGS = {
  decode: { kind: "switch", short: "d", help: "decode" },
  ignoreGarbage: { kind: "switch", short: "i", help: "when decoding, pass over characters outside the alphabet" },
  wrap: {
    kind: "value",
    short: "w",
    arg: "COLS",
    read: readWrap,
    otherwise: 76,
    help: "length of a line (default 76); 0: one line without an end",
  },
} as const satisfies FlagTable;

const STANDARD = "https://www.rfc-editor.org/rfc/rfc4648";
const REFERENCE = "GNU coreutils 9.1";

export const base64 = defineBuiltin({
  name: "base64",
  summary: "Encode a file, or standard input, as base64, or decode it.",
  standard: STANDARD,
  reference: REFERENCE,
  operands: { kind: "paths", access: "read", max: 1 },
  flags: FLAGS,
  examples: [
    { command: "base64", stdin: "hello\n", stdout: "aGVsbG8K\n" },
    { command: "base64 -d", stdin: "aGVsbG8K\n", stdout: "hello\n" },
    { command: "base64 -w 0", stdin: "hello\n", stdout: "aGVsbG8K" },
  ],
  run: (invocation) => recode(invocation, ENCODINGS.base64),
});

export const base32 = defineBuiltin({
  name: "base32",
  summary: "Encode a file, or standard input, as base32, or decode it.",
  standard: STANDARD,
  reference: REFERENCE,
  operands: { kind: "paths", access: "read", max: 1 },
  flags: FLAGS,
  examples: [
    { command: "base32", stdin: "hello\n", stdout: "NBSWY3DPBI======\n" },
    { command: "base32 -d", stdin: "NBSWY3DPBI======\n", stdout: "hello\n" },
  ],
  run: (invocation) => recode(invocation, ENCODINGS.base32),
});

const kind = (help: string) => ({ kind: "switch", help }) as const;

const BASENC_FLAGS = {
  base64: kind("as base64"),
  base64url: kind("base64 with - and _"),
  base32: kind("as base32"),
  base32hex: kind("base32 with digits first"),
  base16: kind("hexadecimal"),
  base2msbf: kind("bits, the most significant first"),
  base2lsbf: kind("bits, the least significant first"),
  z85: kind("five characters for four bytes"),
  ...FLAGS,
} as const satisfies FlagTable;

export const basenc = defineBuiltin({
  name: "basenc",
  summary: "Encode a file, or standard input, in one of several alphabets, or decode it.",
  standard: STANDARD,
  reference: REFERENCE,
  operands: { kind: "paths", access: "read" },
  flags: BASENC_FLAGS,
  examples: [
    { command: "basenc --base16", stdin: "hi\n", stdout: "68690A\n" },
    { command: "basenc --base64url -d", stdin: "aGk_\n", stdout: "hi?" },
  ],
  check({ occurrences, operands: [, extra] }) {
    if (lastEncoding(occurrences) === undefined) throw new UsageError("missing-operand", "missing encoding type", { pointsToHelp: true });
    if (extra !== undefined)
      throw new UsageError("extra-operand", `extra operand ${quoteCurly(extra)}`, { subject: extra, pointsToHelp: true });
  },
  run: (invocation) => recode(invocation, lastEncoding(invocation.occurrences) ?? ENCODINGS.base64),
});

function lastEncoding(occurrences: readonly Occurrence<typeof BASENC_FLAGS>[]): Encoding | undefined {
  let encoding: Encoding | undefined;
  for (const occurrence of occurrences) {
    switch (occurrence.key) {
      case "base64":
      case "base64url":
      case "base32":
      case "base32hex":
      case "base16":
      case "base2msbf":
      case "base2lsbf":
      case "z85":
        encoding = ENCODINGS[occurrence.key];
        break;
      // Read by their values (`recode`).
      case "decode":
      case "ignoreGarbage":
      case "wrap":
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  return encoding;
}

async function* recode(invocation: Omit<Invocation<typeof FLAGS>, "occurrences">, encoding: Encoding): AsyncGenerator<Uint8Array, number> {
  const { operands, warn } = invocation;
  const { decode, ignoreGarbage, wrap, ...others } = invocation.flags;
  allFlagsRead(others);
  const [operand = "-"] = operands;
  try {
    const source = openInput(invocation, operand);
    yield* decode ? decoded(source, encoding, ignoreGarbage) : encoded(source, encoding, wrap);
    return 0;
  } catch (thrown) {
    if (thrown instanceof BadInput) warn(thrown.message);
    else if (thrown instanceof FileError && thrown.code === "EISDIR") warn(`read error: ${thrown.message}`);
    else warn(inputComplaint(thrown, operand));
    return 1;
  }
}

/** What is too large is as large as it gets: one line. */
function readWrap(text: string): number {
  const { value, problem } = scanCount(text, { suffixes: "", signed: true });
  if ((problem !== undefined && problem !== "overflow") || value < 0n) throw new BadValue(`invalid wrap size: ${quoteCurly(text)}`);
  return problem === "overflow" ? 0 : Number(value);
}
