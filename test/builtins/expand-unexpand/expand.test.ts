/** expand through the guard and the engine. */
import { expand } from "../../../builtins/expand-unexpand/expand.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(expand, [
  { name: "tabs", command: "expand", stdin: "a\tb\n", stdout: "a       b\n" },
  { name: "a list with /N", command: "expand -t 2,/4", stdin: "\ta\tb\n", stdout: "  a b\n" },
  { name: "-i", command: "expand -i -4", stdin: "\ta\tb\n", stdout: "    a\tb\n" },
]);

messages(expand, [
  [["-t", "0"], "expand: tab size cannot be 0\n"],
  [["-t", "3,2"], "expand: tab sizes must be ascending\n"],
  [["-t", "3/4"], "expand: '/' specifier not at start of number: ‘/4’\n"],
]);
