/** shasum through the guard and the engine. */
import { shasum } from "../../../builtins/checksums/shasum.ts";
import { cases } from "../../cases.ts";

const A = "3f786850e387550fdab836ed7e6dc881de23001b";

cases(shasum, [
  {
    name: "algorithms",
    command: "shasum a; shasum -a 512256 a",
    files: { a: "a\n" },
    stdout: `${A}  a\n32953806ce2fba7d0ab293a27d94e18342f1a687418279dc3804780ed566cb51  a\n`,
  },
  { name: "binary and tag", command: "shasum -b a; shasum --tag a", files: { a: "a\n" }, stdout: `${A} *a\nSHA1 (a) = ${A}\n` },
  {
    name: "a missing file",
    command: "shasum nope a",
    files: { a: "a\n" },
    stdout: `${A}  a\n`,
    stderr: "shasum: nope: No such file or directory\n",
    exit: 1,
  },
  {
    name: "a list",
    command: "shasum -c list",
    files: { a: "a\n", b: "", list: `${A}  a\n${A}  b\nx\n` },
    stdout: "a: OK\nb: FAILED\n",
    stderr: "shasum: WARNING: 1 line is improperly formatted\nshasum: WARNING: 1 computed checksum did NOT match\n",
    exit: 1,
  },
  { name: "a list that is not there", command: "shasum -c nope", stderr: "shasum: nope: No such file or directory\n", exit: 2 },
  { name: "an algorithm that is none", command: "shasum -a 7", refused: "BAD_VALUE" },
  { name: "-w without -c", command: "shasum -w a", files: { a: "" }, refused: "BAD_VALUE" },
]);
