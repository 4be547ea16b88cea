/** jq: the plain part of it ourselves (jq/own-run.ts), all else by jq itself, as a WebAssembly module in its own thread (src/wasm). */
import { defineBuiltin, type BuiltinDefinition } from "../../src/builtin/definition.ts";
import { guestNames } from "../../src/wasm/guest-names.ts";
import { runTool } from "../../src/wasm/tool-run.ts";
import { filesNamed } from "./command-line.ts";
import { jqModule } from "./module.ts";
import { ownPlan } from "./own-plan.ts";
import { OwnRun } from "./own-run.ts";

export const jq: BuiltinDefinition<Record<never, never>> = defineBuiltin({
  name: "jq",
  summary: "Filter and transform JSON.",
  standard: "https://jqlang.org/manual/v1.8/",
  reference: "jq 1.8.2",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  usageExit: 2,
  usageHint: () => "Use jq --help for help with command-line options,\nor see the jq manpage, or online docs at https://jqlang.org\n",
  silence: { 0: "gave no result" },
  examples: [
    {
      command: "jq -r '.scripts | keys[]' package.json",
      files: { "package.json": '{"scripts":{"test":"x","build":"y"}}' },
      stdout: "build\ntest\n",
    },
    {
      command: "jq -c 'select(.level == \"error\") | {at, msg}'",
      stdin: '{"level":"info"}\n{"level":"error","at":1,"msg":"no"}\n',
      stdout: '{"at":1,"msg":"no"}\n',
    },
    { command: "jq -s 'map(.n) | add' a.json b.json", files: { "a.json": '{"n":1}', "b.json": '{"n":2}' }, stdout: "3\n" },
    { command: "jq -n --arg who you '\"hello \\($who)\"'", stdout: '"hello you"\n' },
    { command: "jq -e .missing", stdin: "{}", stdout: "null\n", exit: 1, note: "-e: the exit status says whether it was found" },
  ],
  deviations: [
    {
      from: "jq",
      what: "$ENV and env hold the variables that the line exports, and there is no ~/.jq",
      why: "the environment and the home directory are the host's",
    },
    {
      from: "jq",
      what: 'a filter that needs more than 256 MiB ends with the limit "held"',
      why: "it runs in a memory of its own, which has that size; jq -c --stream reads what does not fit",
    },
    {
      from: "jq",
      what: "strftime's %k, %l, %P and letters it does not know are errors, years past 9999 have a sign and those before 1000 four digits, and two digits of a year below zero are other ones; gmtime does not refuse years of more than 32 bits, nor NaN; there is no gamma (lgamma is the same)",
      why: "the module has musl's C library, not glibc's",
    },
    { from: "jq", what: "--build-configuration says how the module was built", why: "it is another build of the same source" },
  ],
  check({ operands }) {
    filesNamed(operands);
  },
  effects: ({ operands }) => filesNamed(operands),
  async *run(invocation) {
    const { operands, files, stdin, stderr, nowMs, timeZone, limits, environment } = invocation;
    const names = guestNames(files, [], false);
    const module = () => runTool(jqModule, { args: operands, files, names, stdin, stderr, nowMs, timeZone, limits, environment });
    const plan = ownPlan(operands);
    return yield* plan === undefined ? module() : new OwnRun(plan, invocation, module).run();
  },
});
