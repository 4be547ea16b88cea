/** Requests that count in the limits of callers: those that take a process, or the server's thread, for longer than a list does. */
import { OUTPUT_URI } from "../answer.ts";

/** "output": of a whole output of up to 8 MiB. "look-up": of another resource, a prompt or a completion, each a line of the server's own. */
export type ReadKind = "output" | "look-up";

const LOOK_UPS: ReadonlySet<string> = new Set(["resources/read", "resources/list", "prompts/get", "completion/complete"]);

/** Tells whether the body of a request is a call of the tool, or reads what one could. */
export const isCounted = (message: unknown): boolean => methodOf(message) === "tools/call" || readKind(message) !== undefined;

/** undefined for a message that is no read. */
export function readKind(message: unknown): ReadKind | undefined {
  const method = methodOf(message);
  if (method === undefined || !LOOK_UPS.has(method)) return undefined;
  return method === "resources/read" && uriOf(message)?.startsWith(OUTPUT_URI) === true ? "output" : "look-up";
}

function methodOf(message: unknown): string | undefined {
  const method: unknown = typeof message === "object" && message !== null && "method" in message ? message.method : undefined;
  return typeof method === "string" ? method : undefined;
}

function uriOf(message: unknown): string | undefined {
  const params: unknown = typeof message === "object" && message !== null && "params" in message ? message.params : undefined;
  const uri: unknown = typeof params === "object" && params !== null && "uri" in params ? params.uri : undefined;
  return typeof uri === "string" ? uri : undefined;
}
