/** uniq through the guard and the engine. */
import { expect, test } from "vitest";
import { uniq } from "../../../builtins/uniq/uniq.ts";
import { loadBuiltins } from "../../../builtins/registry.ts";
import { DEFAULT_POLICY } from "../../../src/config/policy.ts";
import { policyContext } from "../../../src/guard/policy-context.ts";
import { planLine } from "../../../src/guard/guard.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

const allBuiltins = await loadBuiltins();

const help = "Try 'uniq --help' for more information.\n";
const lines = "a\na\nb\nA\na b\nc b\n";

cases(uniq, [
  { name: "adjacent lines alone", command: "uniq", stdin: "a\na\nb\na\n", stdout: "a\nb\na\n" },
  { name: "the last line gains its newline", command: "uniq", stdin: "a\na", stdout: "a\n" },
  { name: "empty input", command: "uniq -c", stdout: "" },
  { name: "empty lines are lines", command: "uniq -c", stdin: "\n\na\n", stdout: "      2 \n      1 a\n" },
  { name: "-c", command: "uniq -c", stdin: lines, stdout: "      2 a\n      1 b\n      1 A\n      1 a b\n      1 c b\n" },
  { name: "-d", command: "uniq -d", stdin: lines, stdout: "a\n" },
  { name: "-u", command: "uniq -u", stdin: lines, stdout: "b\nA\na b\nc b\n" },
  { name: "-d and -u leave nothing", command: "uniq -du", stdin: lines, stdout: "" },
  { name: "-D", command: "uniq -D", stdin: "a\na\nb\nc\nc\n", stdout: "a\na\nc\nc\n" },
  { name: "--all-repeated=separate", command: "uniq --all-repeated=separate", stdin: "a\na\nb\nc\nc\n", stdout: "a\na\n\nc\nc\n" },
  { name: "--all-repeated=prepend, cut short", command: "uniq --all-repeated=p", stdin: "a\na\nb\n", stdout: "\na\na\n" },
  { name: "-D after it turns the empty lines off", command: "uniq --all-repeated=prepend -D", stdin: "a\na\n", stdout: "a\na\n" },
  { name: "--group", command: "uniq --group", stdin: "a\na\nb\n", stdout: "a\na\n\nb\n" },
  { name: "--group=both", command: "uniq --group=both", stdin: "a\nb\n", stdout: "\na\n\nb\n\n" },
  { name: "--group=append", command: "uniq --group=append", stdin: "a\nb\n", stdout: "a\n\nb\n\n" },
  { name: "-i folds ASCII", command: "uniq -i", stdin: "a\nA\né\nÉ\n", stdout: "a\né\nÉ\n" },
  { name: "-f", command: "uniq -f1", stdin: "1 x\n2  x\n3 x\n", stdout: "1 x\n2  x\n3 x\n" },
  { name: "-s counts bytes", command: "uniq -s2", stdin: "éa\nxya\n", stdout: "éa\n" },
  { name: "-w", command: "uniq -w1", stdin: "ab\nac\nb\n", stdout: "ab\nb\n" },
  { name: "-w 0: all lines are the same", command: "uniq -w0", stdin: "a\nb\n", stdout: "a\n" },
  { name: "a number past all bounds is as large as it gets", command: "uniq -f 99999999999999999999", stdin: "a\nb\n", stdout: "a\n" },
  { name: "-z", command: "uniq -z", stdin: "a\0a\0b\n\0", stdout: "a\0b\n\0" },
  { name: "old -N is -f N", command: "uniq -1", stdin: lines, stdout: "a\na b\n" },
  { name: "old digits add up", command: "uniq -1 -0", stdin: lines, stdout: "a\n" },
  { name: "-f starts them again", command: "uniq -1 -f1 -0", stdin: lines, stdout: "a\nb\nA\na b\nc b\n" },
  { name: "old +N is -s N", command: "uniq +1", stdin: lines, stdout: "a\na b\n" },
  { name: "+x is a file", command: "uniq +x", stderr: "uniq: +x: No such file or directory\n", exit: 1 },
  { name: "a directory", command: "uniq .", stderr: "uniq: error reading '.'\n", exit: 1 },
  { name: "- as output is standard output", command: "uniq f -", files: { f: "a\na\n" }, stdout: "a\n" },
  { name: "an output file is refused", command: "uniq f out", refused: "DISALLOWED_FLAG" },
  { name: "three operands", command: "uniq a b c", refused: "USAGE" },
]);

messages(uniq, [
  [["a", "b", "c"], `uniq: extra operand ‘c’\n${help}`],
  [["-c", "-D"], `uniq: printing all duplicated lines and repeat counts is meaningless\n${help}`],
  [["--group", "-d"], `uniq: --group is mutually exclusive with -c/-d/-D/-u\n${help}`],
  [["-f", "x"], "uniq: x: invalid number of fields to skip\n"],
  [["-s-1"], "uniq: -1: invalid number of bytes to skip\n"],
  [["-w1k"], "uniq: 1k: invalid number of bytes to compare\n"],
  [
    ["--group=x"],
    `uniq: invalid argument ‘x’ for ‘--group’\nValid arguments are:\n  - ‘prepend’\n  - ‘append’\n  - ‘separate’\n  - ‘both’\n${help}`,
  ],
]);

test("an output file: the suggestion keeps the flags", () => {
  const context = {
    ...policyContext(allBuiltins, DEFAULT_POLICY),
    currentDirectory: "",
    rootPath: "/r",
    insideRoot: () => false,
  };
  const planned = planLine("uniq -cf2 +3 f 'my out' | wc -l", context);
  expect(planned.kind === "refused" && planned.violations[0].suggestion).toBe("uniq -c -f2 -s3 f | tee 'my out' >/dev/null | wc -l");
});
