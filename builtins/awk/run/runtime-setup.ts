/** A runtime as a program finds it: flags, -v and operands. */
import type { Invocation } from "../../../src/builtin/definition.ts";
import { UsageError } from "../../../src/builtin/usage-error.ts";
import { AwkArray } from "../values/array.ts";
import type { Key } from "../values/array-order.ts";
import { toBytes } from "../../../src/io/text.ts";
import type { FLAGS } from "../awk.ts";
import { mistakeOfQualified } from "../compile/qualified-name.ts";
import { FatalError, ProgramError } from "../syntax/program-error.ts";
import { withEscapes } from "../syntax/escapes.ts";
import { assignOperand } from "./main-input.ts";
import { Runtime } from "./runtime.ts";
import { Input, type Value } from "../values/values.ts";
import { toText } from "../values/text-conversion.ts";

interface Flags {
  readonly fieldSeparator: string | undefined;
  readonly assign: readonly string[];
  readonly bytes: boolean;
  readonly csv: boolean;
  readonly sandbox: boolean;
  readonly nonDecimalData: boolean;
  readonly file: readonly string[];
  readonly source: readonly string[];
  readonly exec: readonly string[];
}

type Start = Pick<
  Invocation<typeof FLAGS>,
  "name" | "operands" | "occurrences" | "limits" | "nowMs" | "timeZone" | "characters" | "environment"
> & {
  readonly flags: Flags;
};

/** Throws UsageError, FatalError. */
export function startRuntime(invocation: Start, stderr: (bytes: string) => void): Runtime {
  const { flags, limits, nowMs, timeZone, name, operands } = invocation;
  const runtime = new Runtime(
    {
      bytesAreCharacters: flags.bytes || invocation.characters === "bytes",
      csv: flags.csv,
      sandbox: flags.sandbox,
      nonDecimalData: flags.nonDecimalData,
      assignsOperands: flags.exec.length === 0,
      heldBytes: limits.heldBytes,
      nowMs,
      timeZone,
      name,
    },
    stderr,
  );
  for (const [variable, value] of Object.entries(DEFAULTS)) runtime.globals[runtime.globalNumber(variable)] = value;
  if (flags.csv) runtime.globals[runtime.globalNumber("FS")] = " ";
  else runtime.setGlobal("FS", " ");
  const environ = runtime.globalArray("ENVIRON");
  for (const [variable, value] of invocation.environment()) environ.set(variable, new Input(toBytes(value).toString("latin1")));
  setInformation(runtime);
  const isFromOperand = flags.file.length + flags.exec.length === 0 && flags.source.every((text) => text === "");
  const argv = flags.sandbox ? new SandboxedOperands(runtime) : runtime.globalArray("ARGV");
  runtime.globals[runtime.globalNumber("ARGV")] = argv;
  argv.set(0, name);
  const rest = isFromOperand ? operands.slice(1) : operands;
  for (const [at, operand] of rest.entries()) argv.set(at + 1, new Input(toBytes(operand).toString("latin1")));
  if (argv instanceof SandboxedOperands) argv.seal();
  runtime.setGlobal("ARGC", rest.length + 1);
  for (const { key, value } of invocation.occurrences) {
    if (typeof value !== "string") continue;
    const text = toBytes(value).toString("latin1");
    if (key === "fieldSeparator")
      runtime.setGlobal(
        "FS",
        withEscapes(text, (message) => runtime.warnOfEscape(message)),
      );
    else if (key === "assign") assign(runtime, text);
  }
  return runtime;
}

function assign(runtime: Runtime, text: string): void {
  if (!text.includes("="))
    throw new UsageError("bad-value", `\`${text}' argument to \`-v' not in \`var=value' form\n`, { pointsToHelp: true });
  if (assignOperand(runtime, text)) return;
  const name = text.slice(0, text.indexOf("="));
  if (/^[A-Za-z_]/.test(name) && name.includes(":")) {
    const mistake = name.includes("::") ? mistakeOfQualified(name) : `identifier ${name}: namespace separator is two colons, not one`;
    if (mistake !== undefined) throw new ProgramError([`error: ${mistake}`]);
  }
  throw new FatalError(`\`${name}' is not a legal variable name`, "");
}

/** ARGV with --sandbox: no file comes in that was not there at the start. */
class SandboxedOperands extends AwkArray {
  readonly #runtime: Runtime;
  #given: ReadonlySet<string> | undefined;

  constructor(runtime: Runtime) {
    super("ARGV", runtime);
    this.#runtime = runtime;
  }

  seal(): void {
    this.#given = new Set([...this.entries()].map(([, value]) => toText(value, this.#runtime)));
  }

  override set(key: Key, value: Value): void {
    const text = toText(value, this.#runtime);
    if (
      this.#given !== undefined &&
      text !== "" &&
      !this.#given.has(text) &&
      !/^[A-Za-z_][A-Za-z_0-9]*(?:::[A-Za-z_][A-Za-z_0-9]*)?=/.test(text)
    ) {
      throw new FatalError(`cannot add a new file (${text}) to ARGV in sandbox mode`);
    }
    super.set(key, value);
  }
}

const DEFAULTS = {
  CONVFMT: "%.6g",
  OFMT: "%.6g",
  OFS: " ",
  ORS: "\n",
  RS: "\n",
  SUBSEP: "\x1c",
  FILENAME: "",
  FIELDWIDTHS: "",
  FPAT: "[^[:space:]]+",
  RSTART: 0,
  RLENGTH: 0,
  RT: "",
  ERRNO: "",
  ARGIND: 0,
  BINMODE: 0,
  IGNORECASE: 0,
  LINT: 0,
  TEXTDOMAIN: "messages",
  NF: 0,
  NR: 0,
  FNR: 0,
  PREC: 53,
  ROUNDMODE: "N",
};

/** Sets the entries of PROCINFO about the language; none about the process. */
function setInformation(runtime: Runtime): void {
  const information = runtime.globalArray("PROCINFO");
  information.set("version", "5.3.2");
  information.set("strftime", "%a %b %e %H:%M:%S %Z %Y");
  information.set("FS", runtime.options.csv ? "CSV" : "FS");
  information.set("platform", "posix");
}
