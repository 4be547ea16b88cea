/** `shelpa-mcp hook`: which attempts are denied, and with which call. */
import { describe, expect, test } from "vitest";
import { callInstead, denialText, directoryInRoot } from "../../src/cli/hook/hook-command.ts";
import { runsUnder } from "../../src/cli/hook/hook-planning.ts";
import { attemptIn } from "../../src/cli/hook/hook-event.ts";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";

const bash = (command: string, cwd = "/work/p"): object => ({
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command, description: "d" },
  cwd,
});

/** The call that is to be made instead, as the guard of this process says. */
async function answer(event: unknown, policy = DEFAULT_POLICY): Promise<object | undefined> {
  const attempt = attemptIn(event);
  const directory = attempt && directoryInRoot(attempt, "/work/p");
  if (attempt === undefined || directory === undefined) return undefined;
  return (await runsUnder(policy, "/work/p", attempt.line, directory)) ? callInstead(attempt.line, directory) : undefined;
}

test("what is mounted runs here, too", async () => {
  const mounts = [{ name: "/docs", directory: "/srv/docs", access: "read", own: [], denyRead: [] }] as const;
  const event = bash("cat /docs/x.md | head -5");
  expect(await answer(event, { ...DEFAULT_POLICY, mounts })).toEqual({ command: "cat /docs/x.md | head -5" });
  expect(await answer(event)).toBeUndefined();
});

describe("an attempt that runs here is a call", () => {
  test.each<[string, object, object]>([
    ["a pipe", bash("grep -rn TODO src | head -5"), { command: "grep -rn TODO src | head -5" }],
    ["below the root", bash("ls -la", "/work/p/src/a"), { command: "ls -la", cwd: "src/a" }],
    ["an absolute path below the root", bash("cat /work/p/a.txt"), { command: "cat /work/p/a.txt" }],
    [
      "Grep",
      {
        hook_event_name: "PreToolUse",
        tool_name: "Grep",
        tool_input: { pattern: "a b", path: "src", output_mode: "content", "-i": true, "-A": 2, head_limit: 5 },
      },
      { command: "rg -n -i -A 2 -e 'a b' src | head -n 5" },
    ],
    [
      "Grep for files",
      { hook_event_name: "PreToolUse", tool_name: "Grep", tool_input: { pattern: "-x", glob: "*.ts", type: "js" } },
      { command: "rg -l -t js -g '*.ts' -e -x ." },
    ],
    [
      "Glob",
      { hook_event_name: "PreToolUse", tool_name: "Glob", tool_input: { pattern: "**/*.ts" } },
      { command: "rg --files -g '**/*.ts' ." },
    ],
    ["Cursor", { hook_event_name: "beforeShellExecution", command: "wc -l a", cwd: "/work/p" }, { command: "wc -l a" }],
    [
      "Gemini CLI",
      { hook_event_name: "BeforeTool", tool_name: "run_shell_command", tool_input: { command: "wc -l a" }, cwd: "/work/p/src" },
      { command: "wc -l a", cwd: "src" },
    ],
    [
      "VS Code",
      { hookEventName: "PreToolUse", tool_name: "run_in_terminal", tool_input: { command: "wc -l a" }, cwd: "/work/p" },
      { command: "wc -l a" },
    ],
    ["Copilot CLI", { toolName: "bash", toolArgs: '{"command":"wc -l a"}', cwd: "/work/p" }, { command: "wc -l a" }],
    ["arguments of a shell", { ...bash(""), tool_input: { command: ["bash", "-lc", "ls | wc -l"] } }, { command: "ls | wc -l" }],
    ["words", { ...bash(""), tool_input: { command: ["grep", "-rn", "a b", "src"] } }, { command: "grep -rn 'a b' src" }],
  ])("%s", async (_, event, call) => expect(await answer(event)).toEqual(call));
});

describe("what does not run here is left to the client", () => {
  test.each<[string, unknown]>([
    ["a program", bash("npm test")],
    ["a program among builtins", bash("cat a | python3 -c 1")],
    ["a program behind a builtin", bash("ls && npm test")],
    ["a program before builtins", bash("npm run build; ls; cat logs/app.log | head -1")],
    ["a program in a branch that may not be reached", bash("if test -f a; then make; else ls; fi")],
    ["a program in a function", bash("f() { npm test; }; ls; f")],
    ["a program in a script", bash("ls; sh -c 'ls; npm test'")],
    ["a program in $( )", bash('ls; echo "$(node -v)"')],
    ["a program of a list in the background's stead", bash("ls || ./configure")],
    ["a name that shows when it starts", bash('ls; x=$(cat a); "$x" b')],
    ["a file outside, behind one inside", bash("cat a; cat /etc/hosts")],
    ["a flag that is not known here", bash("ls; grep --no-such-flag x a")],
    ["a file outside", bash("cat /etc/hosts")],
    ["a directory outside", bash("ls", "/work/other")],
    ["a directory whose name begins alike", bash("ls", "/work/pq")],
    ["a redirection", bash("ls > f")],
    ["what is no shell", bash("((")],
    ["another tool", { hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: {} }],
    ["another event", { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "ls" } }],
    ["no input", { hook_event_name: "PreToolUse", tool_name: "Bash" }],
    ["PowerShell", { toolName: "powershell", toolArgs: '{"command":"ls"}' }],
    ["Copilot CLI without JSON", { toolName: "bash", toolArgs: "{" }],
    ["an array of other things", { ...bash(""), tool_input: { command: ["ls", 1] } }],
    ["nothing", null],
    ["text", "x"],
  ])("%s", async (_, event) => expect(await answer(event)).toBeUndefined());
});

test("the answer is in the client's own shape, with the call as JSON", () => {
  const text = denialText({ command: 'grep "x" a' });
  expect(text).toBe(`Use the shelpa_pipe tool of the server 'shelpa' for this, as it stands: {"command":"grep \\"x\\" a"}`);
  expect(attemptIn(bash("ls"))?.denial(text)).toEqual({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: text },
  });
  const cursor = attemptIn({ hook_event_name: "beforeShellExecution", command: "ls" });
  expect(cursor?.denial(text)).toEqual({ permission: "deny", user_message: "Taken to shelpa_pipe.", agent_message: text });
  const gemini = attemptIn({ hook_event_name: "BeforeTool", tool_name: "run_shell_command", tool_input: { command: "ls" } });
  expect(gemini?.denial(text)).toEqual({ decision: "deny", reason: text });
  const copilot = attemptIn({ toolName: "bash", toolArgs: '{"command":"ls"}' });
  expect(copilot?.denial(text)).toEqual({ permissionDecision: "deny", permissionDecisionReason: text });
});
