/** `@out N` where nothing is kept; what it prints is in test/mcp/paging.test.ts. */
import { out } from "../../../builtins/session/out.ts";
import { cases } from "../../cases.ts";

const own = "no other tool has it";

cases(out, [
  {
    name: "an output that is not there",
    command: "@out 7",
    stderr: "@out: there is no output 7 (any more) in this session; run its command again\n",
    exit: 1,
    differs: own,
  },
  { name: "no number", command: "@out x", refused: "BAD_VALUE" },
  { name: "none given", command: "@out", refused: "USAGE" },
  { name: "two of them", command: "@out 1 2", refused: "USAGE" },
  {
    name: "a number from a variable is looked for when it is known",
    command: "n=7; @out $n 2>/dev/null || echo none",
    stdout: "none\n",
    differs: own,
  },
]);
