/** docs/tokens.md: tokens that the tool costs a conversation, counted with the o200k_base vocabulary. */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { builtins } from "../../builtins/registry.ts";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import type { RunResult } from "../../src/exec/result.ts";
import { answerCall, DEFAULT_MAX_OUTPUT_CHARACTERS } from "../../src/mcp/answer.ts";
import { instructions, toolDefinitions } from "../../src/mcp/tool.ts";
import { createShellService } from "../../src/mcp/service.ts";

/** Most tokens of the tool's definition and of the server's instructions. */
export const MOST_DEFINITION_TOKENS = 330;
export const MOST_INSTRUCTION_TOKENS = 250;

const tokens = (text: string): number => encode(text, { allowedSpecial: new Set() }).length;

export interface FixedCost {
  readonly definition: number;
  /** The part of the definition that a client hands to a model: name, description and input schema. */
  readonly shown: number;
  readonly instructions: number;
}

/** Tokens that every conversation pays. */
export function fixedCost(readOnly: boolean, split = false): FixedCost {
  const definitions = toolDefinitions({
    commandNames: builtins.map((builtin) => builtin.name).sort(),
    readOnly,
    recordsRedirects: false,
    structured: false,
    split,
  });
  const sum = (shown: (definition: (typeof definitions)[number]) => object): number =>
    definitions.reduce((total, definition) => total + tokens(JSON.stringify(shown(definition))), 0);
  return {
    definition: sum((definition) => definition),
    shown: sum(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    instructions: tokens(instructions({ readOnly, split, mounts: [] })),
  };
}

/**
 * Clients, and whether each gives the model the data of an answer in place of its text where there are data (docs/clients.md, which has
 * the sources). Of Cursor nothing is known but that it takes text.
 */
const CLIENTS = [
  { name: "Claude Code", prefersData: true },
  { name: "VS Code", prefersData: true },
  { name: "Codex", prefersData: true },
  { name: "Cursor", prefersData: false },
] as const;

/** Text that a client gives the model. */
function received({ prefersData }: (typeof CLIENTS)[number], { content, structuredContent }: ReturnType<typeof answerCall>): string {
  if (prefersData && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

/** Lines that agents type most, each with a typical answer. */
const TYPICAL: readonly (readonly [command: string, what: string, stdin?: string])[] = [
  ["ls", "a listing"],
  ["cat src/a.ts", "a file"],
  ["rg -n TODO src", "some matches"],
  ["rg -n nothing src", "no match"],
  ["tail -n 50 app.log | rg ERROR | wc -l", "a count"],
  ["cat big.log", "a log that is cut"],
  ["cat nope", "an error of the tool"],
  ["ls > out.txt", "a refusal"],
  ["tee notes.md", "a write", "# Notes\n"],
  ["tee new.ts", "a new file of 100 lines", "export const value = 1;\n".repeat(100)],
  ["sed '500s/negative/missing/' long.ts | tee long.ts", "a one-line edit of 1,000 lines"],
  ["undo", "the same, taken back"],
  ["head -c 4000 image.png", "binary data"],
];

/** The page. Runs the typical lines in a fresh directory. */
export async function tokenPage(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "shelpa-tokens-"));
  try {
    fill(root);
    const rows = await answersOf(root);
    const [full, readOnly, split] = [fixedCost(false), fixedCost(true), fixedCost(false, true)];
    return `${[
      "<!-- Written by npm run tokens. -->",
      "# Tokens",
      "",
      "Counted with the o200k_base vocabulary (gpt-tokenizer).",
      "",
      "| every conversation | tokens | read-only | `--split`, both tools | at most, for one |",
      "|---|---|---|---|---|",
      `| tool definition | ${full.definition} | ${readOnly.definition} | ${split.definition} | ${MOST_DEFINITION_TOKENS} |`,
      `| of it name, description, input schema | ${full.shown} | ${readOnly.shown} | ${split.shown} | |`,
      `| instructions | ${full.instructions} | ${readOnly.instructions} | ${split.instructions} | ${MOST_INSTRUCTION_TOKENS} |`,
      "",
      "Tokens that an answer adds to what bash would print, as the model gets it in each client; behind the stroke, with `--structured`,",
      "where some clients give the model the data in place of the text ([clients.md](clients.md#what-reaches-the-model)). For what is cut,",
      "printed is what is shown.",
      "",
      `| line | answer | printed | ${CLIENTS.map(({ name }) => name).join(" | ")} |`,
      `|---|---|---|${CLIENTS.map(() => "---|").join("")}`,
      ...rows,
    ].join("\n")}\n`;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function answersOf(root: string): Promise<readonly string[]> {
  const service = await createShellService({ root, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
  const rows: string[] = [];
  try {
    for (const [command, what, stdin] of TYPICAL) {
      const request = { command, ...(stdin === undefined ? {} : { stdin }) };
      const answer = await service.call(request, new AbortController().signal);
      const steady = { ...answer, result: withoutTime(answer.result), output: answer.output && { ...answer.output, id: "q7Tn0cXw3LkA" } };
      const [plain, structured] = [false, true].map((isStructured) =>
        answerCall(request, steady, { rawOutput: false, structured: isStructured, maxOutputCharacters: DEFAULT_MAX_OUTPUT_CHARACTERS }),
      ) as [ReturnType<typeof answerCall>, ReturnType<typeof answerCall>];
      const { stdout = "", stderr = "" } = structured.structuredContent as { readonly stdout?: string; readonly stderr?: string };
      const printed = tokens(stdout + stderr);
      const added = CLIENTS.map((client) => [plain, structured].map((each) => tokens(received(client, each)) - printed).join(" / "));
      rows.push(`| \`${command.replaceAll("|", "\\|")}\` | ${what} | ${printed} | ${added.join(" | ")} |`);
    }
    return rows;
  } finally {
    await service.close();
  }
}

/** Replaces times and record ids by fixed ones of the same length, so that the figures are the same in every run. */
function withoutTime(result: RunResult): RunResult {
  if (result.kind === "refused") return result;
  const stages = result.stages.map((stage) => ({ ...stage, elapsedMs: 12 }));
  const receipts = result.receipts.map((receipt) => ({ ...receipt, recordId: "1772025450395572000" }));
  return { ...result, stages, receipts };
}

function fill(root: string): void {
  mkdirSync(join(root, "src"));
  const source = (name: string): string =>
    `/** ${name}: adds up. */\nexport function ${name}(values: readonly number[]): number {\n  // TODO: negative values\n  let sum = 0;\n  for (const value of values) sum += value;\n  return sum;\n}\n`;
  for (const name of ["a", "b", "c"]) writeFileSync(join(root, "src", `${name}.ts`), source(name).repeat(name === "a" ? 8 : 1));
  const line = (at: number): string =>
    `2026-02-25T13:${String(Math.floor(at / 60) % 60).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}Z ${at % 7 === 0 ? "ERROR" : "INFO"} request ${at} took ${(at * 37) % 900} ms\n`;
  writeFileSync(join(root, "app.log"), Array.from({ length: 100 }, (_, at) => line(at)).join(""));
  writeFileSync(join(root, "long.ts"), source("d").repeat(143));
  writeFileSync(join(root, "big.log"), Array.from({ length: 5000 }, (_, at) => line(at)).join(""));
  const noise = Uint8Array.from({ length: 8000 }, (_, at) => (at * at * 31 + at * 7) % 256);
  writeFileSync(join(root, "image.png"), Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), noise]));
}
