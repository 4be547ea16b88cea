/** Random lines for a server that reads JSON-RPC, and what JSON-RPC 2.0 and MCP say each must be answered with. */
import type { Dice } from "./dice.ts";

export interface FuzzLine {
  readonly bytes: Buffer;
  /** The id that must be answered, once; null for an answer without an id; undefined where none may come; "any" where null may. */
  readonly answer: string | number | null | undefined | "maybe null";
}

const METHODS =
  "ping tools/list tools/call initialize prompts/list prompts/get resources/list resources/read resources/templates/list completion/complete server/discover logging/setLevel subscriptions/listen notifications/initialized notifications/cancelled rpc.x __proto__ constructor toString tools/call\u0000 é".split(
    " ",
  );
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53 + 2,
  "",
  "x",
  "\u0000",
  "\ud800",
  "é".repeat(50),
  [],
  [1],
  {},
  { a: 1 },
  { __proto__: { x: 1 } },
  { constructor: 1 },
];

/** Never twice the same id: what is answered can then be told apart. */
export function fuzzLine(dice: Dice, nextId: () => string | number): FuzzLine {
  const what = dice.below(100);
  if (what < 45) return message(dice, nextId);
  if (what < 55) return mutated(dice, nextId);
  if (what < 62) return { bytes: Buffer.from(dice.pick(["", " ", "\r", "\t \r", "\ufeff"])), answer: undefined };
  if (what < 70)
    return known(dice.pick(["[]", "[1]", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', "null", "1", '"x"', "true", "[[[[]]]]", "-0"]));
  if (what < 76) return known("[".repeat(1 + dice.below(200_000)), true);
  if (what < 80) return known(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
  if (what < 84) return deep(dice, nextId);
  return bytes(dice);
}

const known = (text: string, _isBroken = false): FuzzLine => ({ bytes: Buffer.from(text), answer: null });

function message(dice: Dice, nextId: () => string | number): FuzzLine {
  const id = nextId();
  const method = dice.chance(50) ? "tools/call" : dice.pick(METHODS);
  const params = dice.chance(60)
    ? {
        name: dice.chance(90) ? "shelpa_pipe" : dice.pick(VALUES),
        arguments: dice.chance(80)
          ? { command: dice.chance(80) ? dice.pick(["ls", "é 😀", "x\ny", "fail"]) : dice.pick(VALUES), ...extra(dice) }
          : dice.pick(VALUES),
      }
    : dice.pick([
        undefined,
        {},
        { _meta: {} },
        { _meta: { progressToken: 1 } },
        { uri: "shelpa://output/x" },
        { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "f", version: "0" } },
      ]);
  if (method.startsWith("notifications/")) return { bytes: json({ jsonrpc: "2.0", method, params: {} }), answer: undefined };
  // Answered only when the client ends it.
  if (method === "subscriptions/listen") return { bytes: json({ jsonrpc: "2.0", id, method: "ping" }), answer: id };
  return { bytes: json({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) }), answer: id };
}

const extra = (dice: Dice): object =>
  dice.chance(25)
    ? { [dice.pick(["cwd", "stdin", "timeout_seconds", "session", "dry_run", "cmd", "__proto__", "x"])]: dice.pick(VALUES) }
    : {};

/** A request with one member of another type, one too few or one too many. */
function mutated(dice: Dice, nextId: () => string | number): FuzzLine {
  const id = nextId();
  const request: Record<string, unknown> = { jsonrpc: "2.0", id, method: "ping" };
  switch (dice.below(5)) {
    case 0: {
      const wrong = dice.pick([null, 1.5, {}, [], true, 1e308]);
      return { bytes: json({ ...request, id: wrong }), answer: null };
    }
    case 1:
      return { bytes: json({ ...request, jsonrpc: dice.pick(["1.0", "", 2, null, undefined]) }), answer: id };
    case 2:
      return { bytes: json({ ...request, method: dice.pick([1, null, {}, [], true]) }), answer: id };
    case 3:
      return { bytes: json({ ...request, params: dice.pick([1, "x", [], null, true]) }), answer: id };
    default:
      return { bytes: json({ ...request, [dice.pick(["extra", "__proto__", "constructor"])]: dice.pick(VALUES) }), answer: id };
  }
}

function deep(dice: Dice, nextId: () => string | number): FuzzLine {
  const id = nextId();
  const levels = 1 + dice.below(20_000);
  const nested = dice.chance(50) ? `${"[".repeat(levels)}${"]".repeat(levels)}` : `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  const place = dice.pick(["arguments", "_meta", "name", "command"]);
  const params = place === "command" ? `{"name":"shelpa_pipe","arguments":{"command":${nested}}}` : `{"${place}":${nested}}`;
  return { bytes: Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":${params}}`), answer: id };
}

/** Bytes that are no JSON. */
function bytes(dice: Dice): FuzzLine {
  const made = Buffer.from(dice.some(1, 60, () => dice.below(256)).filter((byte) => byte !== 10));
  const start = dice.pick([
    Buffer.from("{"),
    Buffer.from('{"jsonrpc"'),
    Buffer.from([0xff]),
    Buffer.from("\u0000"),
    Buffer.from("GET / HTTP/1.1"),
  ]);
  return { bytes: Buffer.concat([start, made, Buffer.from("~")]), answer: null };
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
