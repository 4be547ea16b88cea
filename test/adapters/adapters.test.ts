/** The adapters in the real packages they are for: an agent with a scripted model calls the tool, and reads what it answers. */
import { Agent, run as runAgent, Usage, type Model, type ModelResponse } from "@openai/agents";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { AIMessage, type ToolMessage } from "@langchain/core/messages";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openAgentTool, type AgentToolOptions } from "../../src/adapters/agent-tool.ts";
import { shelpaTools } from "../../src/adapters/ai-sdk.ts";
import { shelpaTool as langchainTool } from "../../src/adapters/langchain.ts";
import { shelpaTool as agentsTool } from "../../src/adapters/openai-agents.ts";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
beforeEach(() => {
  place = tree(["a.txt: one\ntwo\n"]);
});
afterEach(() => place.remove());

/** What the model reads for each of its calls, one after the other, in one agent. */
type Ask = (options: AgentToolOptions, calls: readonly object[], signal?: AbortSignal) => Promise<readonly string[]>;

const withAiSdk: Ask = async (options, calls, signal) => {
  const shell = await shelpaTools(options);
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  let step = 0;
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      const call = calls[step++];
      return call === undefined
        ? { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop", raw: "stop" }, usage, warnings: [] }
        : {
            content: [{ type: "tool-call", toolCallId: `${step}`, toolName: "shelpa_pipe", input: JSON.stringify(call) }],
            finishReason: { unified: "tool-calls", raw: "tool_calls" },
            usage,
            warnings: [],
          };
    },
  });
  try {
    const given = signal === undefined ? {} : { abortSignal: signal };
    const { steps } = await generateText({ model, prompt: "go on", tools: shell.tools, stopWhen: isStepCount(calls.length + 1), ...given });
    return steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => String(output)));
  } finally {
    await shell.close();
  }
};

const withAgents: Ask = async (options, calls, signal) => {
  const shell = await agentsTool(options);
  const answers: string[] = [];
  let step = 0;
  const model: Model = {
    getResponse: async ({ input }): Promise<ModelResponse> => {
      const last = Array.isArray(input) ? input.at(-1) : undefined;
      if (last?.type === "function_call_result") {
        const { output } = last;
        answers.push(typeof output === "string" ? output : "text" in output ? output.text : "");
      }
      const call = calls[step++];
      return {
        usage: new Usage({ requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 }),
        output: [
          call === undefined
            ? { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "done" }] }
            : { type: "function_call", callId: `${step}`, name: "shelpa_pipe", arguments: JSON.stringify(call), status: "completed" },
        ],
      };
    },
    getStreamedResponse: () => {
      throw new Error("not asked for");
    },
  };
  try {
    await runAgent(new Agent({ name: "agent", model, tools: [shell.tool] }), "go on", {
      maxTurns: calls.length + 2,
      ...(signal === undefined ? {} : { signal }),
    });
    return answers;
  } finally {
    await shell.close();
  }
};

const withLangchain: Ask = async (options, calls, signal) => {
  const shell = await langchainTool(options);
  const node = new ToolNode([shell.tool]);
  const answers: string[] = [];
  try {
    for (const [index, args] of calls.entries()) {
      const message = new AIMessage({ content: "", tool_calls: [{ id: `${index}`, name: "shelpa_pipe", args, type: "tool_call" }] });
      const given = signal === undefined ? {} : { signal };
      const { messages } = (await node.invoke({ messages: [message] }, given)) as { messages: readonly ToolMessage[] };
      answers.push(...messages.map(({ content }) => String(content)));
    }
    return answers;
  } finally {
    await shell.close();
  }
};

describe.each([
  ["ai", withAiSdk],
  ["@openai/agents", withAgents],
  ["@langchain/langgraph", withLangchain],
])("%s", (_, ask) => {
  const options = (): AgentToolOptions => ({ root: place.path, isolation: "process" });

  test("output, messages and exit status, in one session", { timeout: 60_000 }, async () => {
    const calls = [{ command: "grep -n two a.txt" }, { command: "cat nope" }, { command: "mkdir d && cd d" }, { command: "pwd" }];
    const answers = await ask(options(), calls);
    expect(answers.slice(0, 2)).toEqual(["2:two\n", "cat: nope: No such file or directory\n[exit 1]"]);
    expect(answers[3]).toMatch(/\/d\n$/);
  });

  test("a write is recorded and can be taken back", { timeout: 60_000 }, async () => {
    const [written, undone] = await ask(options(), [{ command: "tee b.txt", stdin: "x\n" }, { command: "undo" }]);
    expect(written).toContain("created b.txt: 1 line");
    expect(undone).toContain("removed b.txt");
    expect(existsSync(join(place.path, "b.txt"))).toBe(false);
    expect(readFileSync(join(place.path, ".shelpa/@/journal.jsonl"), "utf8")).toContain('"b.txt"');
  });

  test("a refusal and wrong arguments are answers, and the agent goes on", { timeout: 60_000 }, async () => {
    const calls = [{ command: "wc -l a.txt > b.txt" }, { comand: "ls" }, { command: "ls" }];
    const answers = await ask(options(), calls);
    expect(answers[0]).toContain("try: set -o pipefail; wc -l a.txt | tee b.txt >/dev/null");
    // LangChain checks the arguments itself.
    expect(answers[1]).toMatch(/Call it with these arguments|did not match expected schema/);
    expect(answers[2]).toBe("a.txt\n");
  });

  test("the policy holds", { timeout: 60_000 }, async () => {
    const [answer] = await ask({ ...options(), readOnly: true }, [{ command: "tee b.txt", stdin: "x" }]);
    expect(answer).toContain("READ_ONLY");
    expect(existsSync(join(place.path, "b.txt"))).toBe(false);
  });

  test("an agent that is stopped stops its line", { timeout: 60_000 }, async () => {
    const stop = new AbortController();
    const asked = ask(options(), [{ command: "sleep 500" }], stop.signal);
    setTimeout(() => stop.abort(), 1500);
    // A package may end with its own error, or give what the line had printed: either way it ends long before the line would.
    await asked.then(
      ([answer]) => expect(answer ?? "cancelled").toMatch(/cancelled|abort/),
      (error: unknown) => expect(String(error)).toMatch(/abort/i),
    );
  });
});

describe("the tool itself", () => {
  test("has the description and the arguments of the server's tool", async () => {
    const tool = await openAgentTool({ root: place.path, policy: DEFAULT_POLICY, isolation: "none" });
    expect(tool.name).toBe("shelpa_pipe");
    expect(tool.description).toContain("Run a bash line in the workspace");
    expect(tool.parameters.required).toEqual(["command"]);
    await tool.close();
  });

  test("takes the secrets of the environment out of its answers", async () => {
    const tool = await openAgentTool({ root: place.path, isolation: "none", environment: { API_TOKEN: "abcdefghijklmnop1234" } });
    expect((await tool.call({ command: "echo abcdefghijklmnop1234" })).text).not.toContain("abcdefghijklmnop1234");
    await tool.close();
  });

  test("once closed it says so", async () => {
    const tool = await openAgentTool({ root: place.path, isolation: "none" });
    await tool.close();
    for (const given of [{ command: "ls" }, {}])
      expect(await tool.call(given)).toEqual({ text: "the shell is closed; open another with Shell.open", isError: true });
  });

  test("a root that is not there is told of at once", async () => {
    await expect(openAgentTool({ root: join(place.path, "gone"), isolation: "none" })).rejects.toThrow("No such file or directory");
  });
});
