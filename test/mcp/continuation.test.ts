import { expect, test } from "vitest";
import type { StageReport } from "../../src/exec/result.ts";
import { continuation } from "../../src/mcp/continuation.ts";
import type { ShownText } from "../../src/mcp/shown-text.ts";
import { loadBuiltins } from "../../builtins/registry.ts";
import { Registry } from "../../src/builtin/registry.ts";
import { planLine } from "../../src/guard/guard.ts";
import { context } from "../guard/stand-ins.ts";
import { answerWith, completed, reportOf, stage } from "./fake-shell.ts";

const allBuiltins = await loadBuiltins();

interface Row {
  readonly name: string;
  readonly command: string;
  readonly stages?: readonly StageReport[];
  readonly startedIn?: string;
  readonly cwd?: string;
  readonly requestCwd?: string;
  readonly next: string | undefined;
}

const AT_512: ShownText = { text: "", bytes: 9000, lines: 512, insideLine: false, escapedCharacters: 0, invalidBytes: 0 };
const PAGE = "tail -n +513";

test.each<Row>([
  { name: "one stage", command: "cat big", next: `cat big | ${PAGE}` },
  { name: "a pipeline", command: "cat big | grep x | wc -l", next: `cat big | grep x | wc -l | ${PAGE}` },
  {
    name: "operators inside quotes are text",
    command: `grep 'a;b&&c|d' "x|\\"y#" $'q\\'|' a\\;b`,
    next: `grep 'a;b&&c|d' "x|\\"y#" $'q\\'|' a\\;b | ${PAGE}`,
  },
  {
    name: "redirections that name no file",
    command: "cat big 2>&1 | grep x 2>/dev/null |& cat",
    next: `cat big 2>&1 | grep x 2>/dev/null |& cat | ${PAGE}`,
  },
  {
    name: "what ran before printed nothing: the last pipeline goes on",
    command: "true && cat big | grep x",
    stages: [stage("true"), stage("cat big", 100), stage("grep x", 50)],
    next: `true && cat big | grep x | ${PAGE}`,
  },
  {
    name: "what ran before printed as well: the whole list is grouped",
    command: "cat a; cat b",
    stages: [stage("cat a", 10), stage("cat b", 10)],
    next: `{ cat a; cat b; } | ${PAGE}`,
  },
  {
    name: "a part that did not run: grouped, for the output is not the last part's",
    command: "cat big || echo none",
    stages: [stage("cat big", 10)],
    next: `{ cat big || echo none; } | ${PAGE}`,
  },
  {
    name: "a session that moved goes back first",
    command: "cd logs && cat big",
    stages: [stage("cd logs"), stage("cat big", 10)],
    startedIn: "",
    cwd: "logs",
    next: `cd ~ && cd logs && cat big | ${PAGE}`,
  },
  {
    name: "a session that moved from a directory with a space",
    command: "cd ../logs && cat big",
    stages: [stage("cd ../logs"), stage("cat big", 10)],
    startedIn: "my src",
    cwd: "logs",
    next: `cd ~/'my src' && cd ../logs && cat big | ${PAGE}`,
  },
  {
    name: "with the cwd argument the session did not move",
    command: "cat big",
    startedIn: "logs",
    cwd: "src",
    requestCwd: "logs",
    next: `cat big | ${PAGE}`,
  },
  {
    name: "a group would have to move: none",
    command: "cat a; cd logs && cat b",
    stages: [stage("cat a", 10), stage("cd logs"), stage("cat b", 10)],
    startedIn: "",
    cwd: "logs",
    next: undefined,
  },
  {
    name: "what printed nothing stays in front of the group",
    command: "cd logs && cat a && cat b",
    stages: [stage("cd logs"), stage("cat a", 10), stage("cat b", 10)],
    startedIn: "src",
    cwd: "logs",
    next: `cd ~/src && cd logs && { cat a && cat b; } | ${PAGE}`,
  },
  {
    name: "a move to where the session was",
    command: "cat a; cd .; cat b",
    stages: [stage("cat a", 10), stage("cd ."), stage("cat b", 10)],
    next: `{ cat a; cd .; cat b; } | ${PAGE}`,
  },
  { name: "the second page goes on from where the first did", command: `cat big | ${PAGE}`, next: "cat big | tail -n +1025" },
  { name: "a page of bytes, and then lines", command: "cat big | tail -c +9001", next: `cat big | tail -c +9001 | ${PAGE}` },
  {
    name: "the second page of a group",
    command: `cd logs && { cat a && cat b; } | ${PAGE}`,
    stages: [stage("cd logs"), stage("cat a", 9), stage("cat b", 9), stage(PAGE, 9)],
    cwd: "logs",
    next: "cd ~ && cd logs && { cat a && cat b; } | tail -n +1025",
  },
  { name: "a tail of a file is not a page of it", command: "tail -n +513", next: `tail -n +513 | ${PAGE}` },
  { name: "a comment stays last", command: "cat a # all of it", next: `cat a | ${PAGE} # all of it` },
  { name: "a here-document stays below its line", command: "cat a - <<E\nx\nE", next: `cat a - <<E | ${PAGE}\nx\nE` },
  { name: "two lines", command: "cat a\ncat b", stages: [stage("cat a", 1), stage("cat b", 1)], next: `{ cat a\ncat b; } | ${PAGE}` },
  {
    name: "two lines and a comment",
    command: "cat a\ncat b # x",
    stages: [stage("cat a", 1), stage("cat b", 1)],
    next: `{ cat a\ncat b # x\n} | ${PAGE}`,
  },
  { name: "a group", command: "{ cat a; cat b; }", next: `{ cat a; cat b; } | ${PAGE}` },
  { name: "a subshell", command: "(cat a)", next: `(cat a) | ${PAGE}` },
  {
    name: "a list with a group in it",
    command: "(cat a); cat b",
    stages: [stage("cat a"), stage("cat b", 9)],
    next: `{ (cat a); cat b; } | ${PAGE}`,
  },
  { name: "a semicolon at the end", command: "cat a ;", next: `cat a | ${PAGE} ;` },
  { name: "negation", command: "! cat a", next: `! cat a | ${PAGE}` },
  { name: "what does not parse: none", command: "cat 'a", next: undefined },
])("$name", ({ command, stages = [], startedIn = "", cwd = "", requestCwd, next }) => {
  const answer = completed({ stages, startedIn, cwd });
  expect(continuation({ command, cwd: requestCwd }, answer, AT_512)).toBe(next);
  if (next !== undefined) expect(planLine(next, context({ registry: new Registry(allBuiltins) })).kind).toBe("plan");
});

test("a cut inside a line goes on by bytes", () => {
  const shown = { ...AT_512, lines: 0, insideLine: true };
  expect(continuation({ command: "cat big" }, completed({}), shown)).toBe("cat big | tail -c +9001");
});

test("the second page of a long line goes on by bytes", () => {
  const shown = { ...AT_512, lines: 0, insideLine: true };
  expect(continuation({ command: "cat big | tail -c +9001" }, completed({}), shown)).toBe("cat big | tail -c +18001");
});

test("a line that wrote is not run again", () => {
  const receipt = {
    path: "f",
    mirror: ".shelpa/f",
    mode: "overwrite",
    bytes: 1,
    recordId: "1",
    created: true,
    previous: null,
    permittedBy: null,
  } as const;
  expect(continuation({ command: "cat big | tee f" }, completed({ receipts: [receipt] }), AT_512)).toBeUndefined();
});

test("a call that was stopped has no continuation", () => {
  const stopped = answerWith({ kind: "stopped", limit: "time", cap: "30 s", ...reportOf() });
  expect(continuation({ command: "cat big" }, stopped, AT_512)).toBeUndefined();
});
