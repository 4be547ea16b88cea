/** Checks the tool's arguments as they came over the wire: a request, or an error that shows the corrected call. */
import { nearest } from "../builtin/nearest.ts";
import { PROTO_STAND_IN } from "./proto-stand-in.ts";
import type { ShellRequest } from "./shell-service.ts";
import { MAX_TIMEOUT_SECONDS } from "./tool.ts";

/** Arguments that no request can be made of. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
  /** The arguments as they should have been, where that is certain. */
  readonly suggestion: Readonly<Record<string, unknown>> | undefined;

  constructor(message: string, suggestion?: Readonly<Record<string, unknown>>) {
    super(message);
    this.suggestion = suggestion;
  }
}

/** Throws ArgumentError. A null stands for an argument that was left out, as clients with strict schemas send it. */
export function readArguments(given: unknown): ShellRequest {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new ArgumentError(`the arguments are not an object; ${LEAST}`);
  }
  const values: Record<string, unknown> = {};
  if (hasMoreKeys(given, MOST_ARGUMENTS))
    throw new ArgumentError(`there are more than ${MOST_ARGUMENTS} arguments; the tool takes ${Object.keys(KINDS).join(", ")}`);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(KINDS, name)) throw unknownArgument(name, value, given);
    if (value !== null) values[name] = checked(name as ArgumentName, value, given);
  }
  const { command, timeout_seconds: timeoutSeconds } = values;
  if (typeof command !== "string") throw new ArgumentError(`'command' is missing; ${LEAST}`);
  if (timeoutSeconds !== undefined && !isTimeout(timeoutSeconds)) {
    throw new ArgumentError(`'timeout_seconds' is a number above 0 and at most ${MAX_TIMEOUT_SECONDS}`, {
      ...given,
      timeout_seconds: MAX_TIMEOUT_SECONDS,
    });
  }
  return {
    command,
    cwd: values["cwd"] as string | undefined,
    stdin: values["stdin"] as string | undefined,
    session: values["session"] as string | undefined,
    timeMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    confirmOversize: values["confirm_oversize"] as boolean | undefined,
    dryRun: values["dry_run"] as boolean | undefined,
  };
}

/** Arguments of the shortest call, as a clause. */
const LEAST = `they are at least a line to run, as in ${JSON.stringify({ command: "ls" })}`;

/** Far more than there are. What is made of arguments that are wrong, a corrected call, is made of no more. */
const MOST_ARGUMENTS = 64;

/** Tells whether `value` has more than `most` keys of its own. Stops counting there. */
function hasMoreKeys(value: object, most: number): boolean {
  let count = 0;
  for (const key in value) if (Object.hasOwn(value, key) && ++count > most) return true;
  return false;
}

const KINDS = {
  command: "string",
  cwd: "string",
  stdin: "string",
  session: "string",
  timeout_seconds: "number",
  confirm_oversize: "boolean",
  dry_run: "boolean",
} as const;
type ArgumentName = keyof typeof KINDS;

/** Names of these arguments in other shell tools, too far from ours for `nearest`. */
const OTHER_WORDS: Readonly<Record<string, ArgumentName>> = {
  cmd: "command",
  script: "command",
  line: "command",
  pipeline: "command",
  dir: "cwd",
  directory: "cwd",
  workdir: "cwd",
  working_directory: "cwd",
  path: "cwd",
  input: "stdin",
  text: "stdin",
  content: "stdin",
  timeout: "timeout_seconds",
  session_id: "session",
  force: "confirm_oversize",
};

function unknownArgument(name: string, value: unknown, given: object): ArgumentError {
  const typed = name === PROTO_STAND_IN ? "__proto__" : name;
  const meant = Object.hasOwn(OTHER_WORDS, name) ? OTHER_WORDS[name] : nearest(name.toLowerCase(), Object.keys(KINDS));
  if (meant === undefined || Object.hasOwn(given, meant)) {
    const { [name]: _, ...others } = given as Record<string, unknown>;
    const hint = meant === undefined ? `there are ${Object.keys(KINDS).join(", ")}` : `did you mean '${meant}'?`;
    return new ArgumentError(`unknown argument '${typed}': ${hint}`, others);
  }
  const fits = typeof value === KINDS[meant as ArgumentName];
  const corrected = Object.fromEntries(Object.entries(given).map(([key, old]) => [key === name ? meant : key, old]));
  return new ArgumentError(`unknown argument '${name}': did you mean '${meant}'?`, fits ? corrected : undefined);
}

function checked(name: ArgumentName, value: unknown, given: object): unknown {
  const kind = KINDS[name];
  if (typeof value === kind) return value;
  const meant = reread(kind, value);
  throw new ArgumentError(
    `'${name}' is a ${kind}, not ${Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`}`,
    meant === undefined ? undefined : { ...given, [name]: meant },
  );
}

/** The value that was meant, where its text leaves no doubt. */
function reread(kind: "string" | "number" | "boolean", value: unknown): unknown {
  if (kind === "boolean" && (value === "true" || value === "false")) return value === "true";
  if (kind === "number" && typeof value === "string" && /^\d+(\.\d+)?$/.test(value)) return Number(value);
  if (kind === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
  return undefined;
}

const isTimeout = (value: unknown): value is number => typeof value === "number" && value > 0 && value <= MAX_TIMEOUT_SECONDS;
