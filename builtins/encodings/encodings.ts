/** base64, base32 and basenc: bytes as text and back. One file because they are one tool under several names. */
import { scanCount } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type Invocation } from "../../src/builtin/definition.ts";
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

const kind = (help: string) => ({ kind: "switch", overrides: Object.keys(ENCODINGS), help }) as const;

export const basenc = defineBuiltin({
  name: "basenc",
  summary: "Encode a file, or standard input, in one of several alphabets, or decode it.",
  standard: STANDARD,
  reference: REFERENCE,
  operands: { kind: "paths", access: "read" },
  flags: {
    base64: kind("as base64"),
    base64url: kind("base64 with - and _"),
    base32: kind("as base32"),
    base32hex: kind("base32 with digits first"),
    base16: kind("hexadecimal"),
    base2msbf: kind("bits, the most significant first"),
    base2lsbf: kind("bits, the least significant first"),
    z85: kind("five characters for four bytes"),
    ...FLAGS,
  },
  examples: [
    { command: "basenc --base16", stdin: "hi\n", stdout: "68690A\n" },
    { command: "basenc --base64url -d", stdin: "aGk_\n", stdout: "hi?" },
  ],
  check({ flags, operands: [, extra] }) {
    if (chosen(flags) === undefined) throw new UsageError("missing-operand", "missing encoding type", { pointsToHelp: true });
    if (extra !== undefined)
      throw new UsageError("extra-operand", `extra operand ${quoteCurly(extra)}`, { subject: extra, pointsToHelp: true });
  },
  run: (invocation) => recode(invocation, chosen(invocation.flags) ?? ENCODINGS.base64),
});

function chosen(flags: Readonly<Record<keyof typeof ENCODINGS, boolean>>): Encoding | undefined {
  for (const [name, encoding] of Object.entries(ENCODINGS)) if (flags[name as keyof typeof ENCODINGS]) return encoding;
  return undefined;
}

async function* recode(invocation: Omit<Invocation<typeof FLAGS>, "occurrences">, encoding: Encoding): AsyncGenerator<Uint8Array, number> {
  const { flags, operands, warn } = invocation;
  const [operand = "-"] = operands;
  try {
    const source = openInput(invocation, operand);
    yield* flags.decode ? decoded(source, encoding, flags.ignoreGarbage) : encoded(source, encoding, flags.wrap);
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
