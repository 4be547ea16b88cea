/** The one tool as a client sees it: name, description, schemas, annotations; and the server's instructions. */
import type { Icon, Tool } from "@modelcontextprotocol/server";
import { builtins } from "../../builtins/registry.ts";
import type { BuiltinGroup } from "../builtin/registry.ts";
import type { PolicyMount } from "../config/policy.ts";
import { showName } from "../display/visible.ts";
import { TOOL_NAME, WRITING_TOOL_NAME } from "./tool-name.ts";

export interface ToolFacts {
  readonly commandNames: readonly string[];
  readonly readOnly: boolean;
  /** `> FILE` is a recorded write. */
  readonly recordsRedirects: boolean;
  /** Answers have `structuredContent`. */
  readonly structured: boolean;
  /** There are two tools, unless the workspace is read-only. */
  readonly split: boolean;
}

/** The definitions for `tools/list`. */
export function toolDefinitions(facts: ToolFacts): readonly Tool[] {
  return facts.split && !facts.readOnly ? [toolDefinition(facts), writingDefinition(facts)] : [toolDefinition(facts)];
}

/** As short as it can be: it is the other tool but for what is said here. */
function writingDefinition(facts: ToolFacts): Tool {
  return {
    ...toolDefinition(facts),
    name: WRITING_TOOL_NAME,
    title: "Shell that writes",
    description: `${TOOL_NAME} for lines that change files${facts.recordsRedirects ? " (> FILE, too)" : ""}. ${writing(facts.commandNames)}`,
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  };
}

/** Longest a caller may let one call run, in seconds. */
export const MAX_TIMEOUT_SECONDS = 600;

/** A prompt in a terminal, drawn in 16 by 16 units. */
export const ICON = {
  src: `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3"/><path d="M3 5l3 3-3 3m5 0h5" fill="none" stroke="#fff"/></svg>').toString("base64")}`,
  mimeType: "image/svg+xml",
  sizes: ["any"],
} satisfies Icon;

/** The one tool, or the one that reads. At most 330 tokens (test/mcp/tokens.test.ts), because every conversation pays for it. */
function toolDefinition(facts: ToolFacts): Tool {
  const { structured } = facts;
  const readOnly = facts.readOnly || facts.split;
  return {
    name: TOOL_NAME,
    title: readOnly ? "Read-only shell" : "Shell",
    description: description(facts),
    inputSchema: { ...INPUT_SCHEMA, required: [...INPUT_SCHEMA.required] },
    ...(structured ? { outputSchema: OUTPUT_SCHEMA } : {}),
    annotations: {
      readOnlyHint: readOnly,
      // An overwritten file can be restored from its record, yet its content is replaced: not "only additive".
      destructiveHint: !readOnly,
      openWorldHint: false,
    },
    // Clients that hide tools behind a search show this one at once; no model reads it.
    _meta: { "anthropic/alwaysLoad": true },
  };
}

function description(facts: ToolFacts): string {
  const { commandNames, readOnly, split } = facts;
  const recordsRedirects = facts.recordsRedirects && !readOnly && !split;
  return (
    "Run a bash line in the workspace, with builtins alone. " +
    `Functions, arrays, <( ), ${recordsRedirects ? "> FILE, " : ""}<<EOF, 2>&1, > /tmp/x (private) work; ` +
    `${recordsRedirects ? "& does not" : "> FILE, & do not"}. ` +
    `${readOnly ? "The workspace is read-only." : split ? `Only reads: ${WRITING_TOOL_NAME} takes lines that change files.` : writing(commandNames)} A refused line does nothing or says what it wrote; \`try:\` does the same. ` +
    `Commands: ${commandList(commandNames)}`
  );
}

const writing = (commandNames: readonly string[]): string =>
  `Write with \`tee FILE\` (-a appends; text in stdin), \`sed -i\` or \`patch\`${commandNames.includes("undo") ? "; `undo [RECORD|FILE]` takes it back" : ""}.`;

/** Labels of the groups in the description: a model knows their members, so that one more name in a group costs nothing. */
const GROUP_LABELS: Readonly<Record<BuiltinGroup, string>> = { bash: "", coreutils: "most of coreutils;" };

/** A group by its label where all of it may be used; the other commands by name. */
function commandList(names: readonly string[]): string {
  const available = new Set(names);
  const labels: string[] = [];
  const grouped = new Set<string>();
  for (const [group, label] of Object.entries(GROUP_LABELS)) {
    const members = builtins.filter((builtin) => builtin.group === group).map(({ name }) => name);
    if (!members.every((name) => available.has(name))) continue;
    if (label !== "") labels.push(label);
    for (const name of members) grouped.add(name);
  }
  return [...labels, ...names.filter((name) => !grouped.has(name))].join(" ");
}

/** JSON Schema of the arguments. */
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    command: { type: "string", description: "grep -n ERROR logs/*.log | head -5" },
    cwd: { type: "string", description: "for this call only" },
    stdin: { type: "string", description: "its input" },
    session: { type: "string" },
    timeout_seconds: { type: "number", exclusiveMinimum: 0, maximum: MAX_TIMEOUT_SECONDS },
    confirm_oversize: { type: "boolean", description: "write over 1 MiB" },
    dry_run: { type: "boolean", description: "only explain" },
  },
  required: ["command"],
  additionalProperties: false,
} as const satisfies Tool["inputSchema"];

/**
 * As short as it can be: every conversation pays for it. All of it but `error` is there when a line has run, `error` when
 * it was refused or stopped; `truncated` is an object or null, `notes` an array, `meta` and `error` are objects. Met by
 * every answer, errors too: older clients check `structuredContent` against it even where `isError` is set.
 */
const OUTPUT_SCHEMA: NonNullable<Tool["outputSchema"]> = {
  type: "object",
  properties: {
    stdout: { type: "string" },
    stderr: { type: "string" },
    exit_code: { type: "integer" },
    cwd: { type: "string" },
    truncated: {},
    notes: {},
    meta: {},
    error: {},
  },
  anyOf: [{ required: ["exit_code"] }, { required: ["error"] }],
};

export interface InstructionFacts {
  readonly readOnly: boolean;
  readonly split: boolean;
  readonly mounts: readonly Pick<PolicyMount, "name" | "access">[];
}

/** For `initialize` and `server/discover`; under 1,000 characters, because some clients cut it there, but for the names of mounts. */
export function instructions({ readOnly, split, mounts }: InstructionFacts): string {
  const besides = mounts.map(
    ({ name, access }) => `${showName(name)} (${access === "read" || readOnly ? "read-only" : "its own undo records"})`,
  );
  return [
    `${TOOL_NAME} runs command lines as bash would, with builtins that print what the GNU tools print: same output, messages, exit status.`,
    `Paths are relative to the workspace root, or absolute below it${besides.length === 0 ? "" : ` or below ${besides.join(", ")}`}; nothing else exists.`,
    "`cd` moves the session, `cwd` one call. A variable lasts for one call.",
    readOnly
      ? "The workspace is read-only."
      : `${split ? `${TOOL_NAME} only reads; ${WRITING_TOOL_NAME} takes lines that change files. ` : ""}To write a file: \`tee FILE\`, its content in \`stdin\`. The answer is the change and its record; \`undo\`, \`undo RECORD\`, \`undo FILE\` take changes back.`,
    "A non-zero exit status is an answer. A refused line did nothing, or names what it wrote before: `try:` is a line that does the same, `instead:` one that comes near, with what it lacks.",
    "Long output is cut, with the command that shows what follows: better filter with grep, head or tail.",
  ].join("\n");
}
