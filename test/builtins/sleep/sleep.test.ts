/** sleep through the guard and the engine. */
import { sleep } from "../../../builtins/sleep/sleep.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(sleep, [
  { name: "a moment", command: "sleep 0.01 0s" },
  { name: "then the next", command: "sleep 0 && echo a", stdout: "a\n" },
]);

messages(sleep, [
  [["x", "1y"], "sleep: invalid time interval ‘x’\nsleep: invalid time interval ‘1y’\nTry 'sleep --help' for more information.\n"],
  [[], "sleep: missing operand\nTry 'sleep --help' for more information.\n"],
]);
