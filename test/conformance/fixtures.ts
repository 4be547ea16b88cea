/**
 * Fixtures that the protocol's conformance suites demand of a server under test besides its own tools: named tools,
 * resources and prompts with fixed answers. Put over the shipped server, whose own handlers answer everything else.
 */
import {
  createRequestStateCodec,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ClientCapabilities,
  type GetPromptResult,
  type InputRequiredResult,
  type ReadResourceResult,
  type RequestMethod,
  type Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { randomBytes } from "node:crypto";

type ToolAnswer = CallToolResult | InputRequiredResult;
type FixtureTool = (given: Readonly<Record<string, unknown>>, context: ServerContext) => ToolAnswer | Promise<ToolAnswer>;
type InputRequests = NonNullable<InputRequiredResult["inputRequests"]>;

/** Shared by every server of the process, as the shipped one's is. */
const codec = createRequestStateCodec<string>({ key: randomBytes(32), bind: ({ mcpReq }) => mcpReq.method });

/** For the server's options, beside its own. */
export const verifyState = codec.verify;

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const text = (content: string): { type: "text"; text: string } => ({ type: "text", text: content });
const said = (content: string): CallToolResult => ({ content: [text(content)] });
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = Object.keys(properties)): object => ({
  type: "object",
  properties,
  required,
});

const elicitation = (message: string, requestedSchema: object): InputRequests[string] =>
  ({ method: "elicitation/create", params: { mode: "form", message, requestedSchema } }) as InputRequests[string];
const sampling = (prompt: string, maxTokens: number): InputRequests[string] => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: text(prompt) }], maxTokens },
});
const ROOTS: InputRequests[string] = { method: "roots/list", params: {} };
const NAME = elicitation("What is your name?", object({ name: { type: "string" } }));
const asked = (inputRequests: InputRequests, requestState?: string): InputRequiredResult => ({
  resultType: "input_required",
  inputRequests,
  ...(requestState !== undefined && { requestState }),
});

const capabilitiesOf = ({ mcpReq }: ServerContext): ClientCapabilities =>
  ((mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.["io.modelcontextprotocol/clientCapabilities"] ??
    {}) as ClientCapabilities;

/** The accepted content of the input `key`; undefined where it is missing or no such thing. */
function accepted({ mcpReq }: ServerContext, key: string): Readonly<Record<string, unknown>> | undefined {
  const response = mcpReq.inputResponses?.[key] as { readonly action?: unknown; readonly content?: unknown } | undefined;
  return response?.action === "accept" && typeof response.content === "object" && response.content !== null
    ? (response.content as Readonly<Record<string, unknown>>)
    : undefined;
}

/** A question of the eras with a connection: a request of ours while the client's is open. */
async function elicited({ mcpReq }: ServerContext, what: string, message: string, requestedSchema: object): Promise<CallToolResult> {
  const result = (await mcpReq.send({ method: "elicitation/create", params: { message, requestedSchema } as never })) as {
    readonly action: string;
    readonly content?: unknown;
  };
  return said(`${what}: action=${result.action}, content=${JSON.stringify(result.content ?? {})}`);
}

async function log({ mcpReq }: ServerContext, data: string): Promise<void> {
  await mcpReq.log("info", data);
}

const TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: () => said("This is a simple text response for testing."),
  test_image_content: () => ({ content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: "resource",
        resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      text("Multiple content types test:"),
      { type: "image", data: PIXEL, mimeType: "image/png" },
      {
        type: "resource",
        resource: { uri: "test://mixed-content-resource", mimeType: "application/json", text: '{"test":"data","value":123}' },
      },
    ],
  }),
  test_tool_with_logging: async (_given, context) => {
    await log(context, "Tool execution started");
    await pause();
    await log(context, "Tool processing data");
    await pause();
    await log(context, "Tool execution completed");
    return said("logged");
  },
  test_logging_tool: async (_given, context) => {
    await log(context, "only where a level was asked for");
    return said("logged");
  },
  test_error_handling: () => ({ isError: true, content: [text("This tool intentionally returns an error for testing")] }),
  test_tool_with_progress: async (_given, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      if (progress < 100) await pause();
    }
    return said("done");
  },
  test_sampling: async ({ prompt }, { mcpReq }) => {
    const { params } = sampling(String(prompt), 100);
    const { content } = (await mcpReq.send({ method: "sampling/createMessage", params: params as never })) as {
      readonly content: { readonly text?: string };
    };
    return said(`LLM response: ${content.text ?? ""}`);
  },
  test_elicitation: ({ message }, context) =>
    elicited(
      context,
      "User response",
      String(message),
      object({
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      }),
    ),
  test_elicitation_sep1034_defaults: (_given, context) =>
    elicited(
      context,
      "Elicitation completed",
      "Check the values",
      object(
        {
          name: { type: "string", default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        },
        [],
      ),
    ),
  test_elicitation_sep1330_enums: (_given, context) => {
    const plain = ["option1", "option2", "option3"];
    const titled = (word: string): object[] =>
      ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title: `${title} ${word}` }));
    return elicited(
      context,
      "Elicitation completed",
      "Choose",
      object(
        {
          untitledSingle: { type: "string", enum: plain },
          titledSingle: { type: "string", oneOf: titled("Option") },
          legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
          untitledMulti: { type: "array", items: { type: "string", enum: plain } },
          titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
        },
        [],
      ),
    );
  },
  json_schema_2020_12_tool: () => said("ok"),
  test_missing_capability: (_given, context) => {
    if (capabilitiesOf(context).sampling !== undefined) return said("sampling is there");
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  test_streaming_elicitation: async (_given, context) =>
    accepted(context, "user_name") === undefined ? asked({ user_name: NAME }) : said("thank you"),
  test_input_required_result_elicitation: (_given, context) => {
    const name = accepted(context, "user_name")?.["name"];
    return typeof name === "string" ? said(`Hello, ${name}!`) : asked({ user_name: NAME });
  },
  test_input_required_result_sampling: (_given, { mcpReq }) => {
    const response = mcpReq.inputResponses?.["capital_question"] as { readonly content?: { readonly text?: string } } | undefined;
    return response === undefined
      ? asked({ capital_question: sampling("What is the capital of France?", 100) })
      : said(response.content?.text ?? "");
  },
  test_input_required_result_list_roots: (_given, { mcpReq }) => {
    const response = mcpReq.inputResponses?.["client_roots"];
    return response === undefined ? asked({ client_roots: ROOTS }) : said(JSON.stringify(response));
  },
  test_input_required_result_request_state: async (_given, context) => {
    if (context.mcpReq.requestState<string | undefined>() === "confirm" && accepted(context, "confirm") !== undefined)
      return said("state-ok");
    const confirm = elicitation("Please confirm", object({ ok: { type: "boolean" } }));
    return asked({ confirm }, await codec.mint("confirm", context));
  },
  test_input_required_result_multiple_inputs: async (_given, context) => {
    const responses = context.mcpReq.inputResponses ?? {};
    const requests: InputRequests = { user_name: NAME, greeting: sampling("Generate a greeting", 50), client_roots: ROOTS };
    if (Object.keys(requests).every((key) => responses[key] !== undefined)) return said(JSON.stringify(responses));
    return asked(requests, await codec.mint("multiple", context));
  },
  test_input_required_result_multi_round: async (_given, context) => {
    const state = context.mcpReq.requestState<string | undefined>();
    if (state === "step2" && accepted(context, "step2") !== undefined) return said("all known");
    if (state === "step1" && accepted(context, "step1") !== undefined) {
      const step2 = elicitation("Step 2: What is your favorite color?", object({ color: { type: "string" } }));
      return asked({ step2 }, await codec.mint("step2", context));
    }
    const step1 = elicitation("Step 1: What is your name?", object({ name: { type: "string" } }));
    return asked({ step1 }, await codec.mint("step1", context));
  },
  test_input_required_result_tampered_state: async (_given, context) =>
    context.mcpReq.requestState<string | undefined>() === "untouched"
      ? said("state-ok")
      : asked({ confirm: elicitation("Please confirm", object({ ok: { type: "boolean" } })) }, await codec.mint("untouched", context)),
  test_input_required_result_capabilities: (_given, context) => {
    const capabilities = capabilitiesOf(context);
    return asked({
      ...(capabilities.elicitation !== undefined && { user_name: NAME }),
      ...(capabilities.sampling !== undefined && { greeting: sampling("Generate a greeting", 50) }),
    });
  },
};

const SCHEMAS: Readonly<Record<string, Tool["inputSchema"]>> = {
  test_sampling: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
  test_elicitation: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  json_schema_2020_12_tool: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
};

const asks = (...content: GetPromptResult["messages"][number]["content"][]): GetPromptResult => ({
  messages: content.map((block) => ({ role: "user" as const, content: block })),
});

type FixturePrompt = (given: Readonly<Record<string, string>>, context: ServerContext) => GetPromptResult | InputRequiredResult;

const PROMPTS: Readonly<Record<string, FixturePrompt>> = {
  test_simple_prompt: () => asks(text("This is a simple prompt for testing.")),
  test_prompt_with_arguments: ({ arg1, arg2 }) => asks(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) =>
    asks(
      { type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." } },
      text("Please process the embedded resource above."),
    ),
  test_prompt_with_image: () => asks({ type: "image", data: PIXEL, mimeType: "image/png" }, text("Please analyze the image above.")),
  test_input_required_result_prompt: (_given, context) => {
    const given = accepted(context, "user_context")?.["context"];
    if (typeof given === "string") return asks(text(`The context: ${given}`));
    return asked({ user_context: elicitation("What context should the prompt use?", object({ context: { type: "string" } })) });
  },
};

const PROMPT_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"],
};

const RESOURCES: Readonly<Record<string, ReadResourceResult["contents"][number]>> = {
  "test://static-text": { uri: "test://static-text", mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { uri: "test://static-binary", mimeType: "image/png", blob: PIXEL },
  "test://watched-resource": { uri: "test://watched-resource", mimeType: "text/plain", text: "Watched resource content" },
};

function fixtureResource(uri: string): ReadResourceResult | undefined {
  const known = Object.hasOwn(RESOURCES, uri) ? RESOURCES[uri] : undefined;
  if (known !== undefined) return { contents: [known] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return undefined;
  return {
    contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
  };
}

/** `server` with the fixtures beside its own tool, resources and prompt. */
export function withFixtures(server: Server): Server {
  server.registerCapabilities({
    logging: {},
    resources: { subscribe: true, listChanged: true },
    tools: { listChanged: true },
    prompts: { listChanged: true },
  });
  // The SDK has no public way to ask for a handler; a test may look.
  const handlers = (
    server as unknown as { readonly _requestHandlers: ReadonlyMap<string, (request: unknown, context: ServerContext) => Promise<never>> }
  )._requestHandlers;
  /** Answers `method` with `own`, or as the server itself does where that gives undefined; `others` brings its answer. */
  const put = (method: RequestMethod, own: (params: never, others: () => Promise<never>, context: ServerContext) => unknown): void => {
    const others = handlers.get(method);
    server.setRequestHandler(method, (async (request: { readonly params?: unknown }, context: ServerContext) => {
      const original = async (): Promise<never> => (await others?.(request, context)) as never;
      return (await own((request.params ?? {}) as never, original, context)) ?? (await original());
    }) as never);
  };
  put("tools/list", async (_params, others) => {
    const fixtures = Object.keys(TOOLS).map((name) => ({
      name,
      description: `Fixture ${name}.`,
      inputSchema: SCHEMAS[name] ?? { type: "object" },
    }));
    const list = (await others()) as { readonly tools: readonly Tool[] };
    return { ...list, tools: [...list.tools, ...fixtures] };
  });
  put("tools/call", ({ name, arguments: given }: { name: string; arguments?: Record<string, unknown> }, _others, context) =>
    Object.hasOwn(TOOLS, name) ? TOOLS[name]?.(given ?? {}, context) : undefined,
  );
  put("resources/list", async (_params, others) => {
    const list = (await others()) as { readonly resources: readonly object[] };
    const fixtures = Object.values(RESOURCES).map(({ uri, mimeType }) => ({ uri, name: uri, description: "a fixture", mimeType }));
    return { ...list, resources: [...list.resources, ...fixtures] };
  });
  put("resources/templates/list", async (_params, others) => {
    const list = (await others()) as { readonly resourceTemplates: readonly object[] };
    return { ...list, resourceTemplates: [...list.resourceTemplates, { uriTemplate: "test://template/{id}/data", name: "template" }] };
  });
  put("resources/read", ({ uri }: { uri: string }) => fixtureResource(uri));
  put("resources/subscribe", () => ({}));
  put("resources/unsubscribe", () => ({}));
  put("prompts/list", async (_params, others) => {
    const list = (await others()) as { readonly prompts: readonly object[] };
    const fixtures = Object.keys(PROMPTS).map((name) => ({
      name,
      description: `Fixture ${name}.`,
      arguments: (PROMPT_ARGUMENTS[name] ?? []).map((argument) => ({ name: argument, required: true })),
    }));
    return { ...list, prompts: [...list.prompts, ...fixtures] };
  });
  put("prompts/get", ({ name, arguments: given = {} }: { name: string; arguments?: Record<string, string> }, _others, context) => {
    if (!Object.hasOwn(PROMPTS, name)) return undefined;
    const missing = (PROMPT_ARGUMENTS[name] ?? []).find((argument) => given[argument] === undefined);
    if (missing !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `'${missing}' is missing`);
    return PROMPTS[name]?.(given, context);
  });
  put("completion/complete", ({ ref }: { ref: { name?: string; uri?: string } }) =>
    (ref.name ?? ref.uri ?? "").startsWith("test") ? { completion: { values: ["paris"], total: 1, hasMore: false } } : undefined,
  );
  return server;
}
