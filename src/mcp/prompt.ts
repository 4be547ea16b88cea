/**
 * The server's one prompt: explains how to write a pipeline here, with a command's help and the list of files as arguments
 * ask.
 */
import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Prompt } from "@modelcontextprotocol/server";
import { nearest } from "../builtin/nearest.ts";
import { quoteWord } from "../display/quote.ts";
import { showName } from "../display/visible.ts";
import { beginningWith, type Completions } from "./completion.ts";
import type { ReadsOnly } from "../guard/reads-only.ts";
import { lookUp } from "./own-line.ts";
import type { Redactor } from "./redaction.ts";
import type { ShellService } from "./shell-service.ts";
import { TOOL_NAME, WRITING_TOOL_NAME } from "./tool-name.ts";

export const PROMPT_NAME = "pipeline";

export const PROMPT: Prompt = {
  name: PROMPT_NAME,
  title: "Work with a pipeline",
  description: `How to get something done with ${TOOL_NAME}, step by step`,
  arguments: [
    { name: "task", description: "what is to be found out or written" },
    { name: "command", description: "a command to use, whose help is included" },
    { name: "path", description: "the file or directory it is about" },
  ],
};

export interface CompletionOptions {
  readonly redactor: Redactor | undefined;
  readonly signal: AbortSignal;
}

export interface PromptOptions extends CompletionOptions {
  readonly readOnly: boolean;
  /** See ServedLineOptions. */
  readonly readsOnly?: ReadsOnly | undefined;
  /** See ShelpaServerOptions. */
  readonly split?: boolean;
}

/** Throws ProtocolError (-32602) for an unknown prompt, argument or command. */
export async function promptText(
  service: ShellService,
  { name, arguments: given = {} }: { readonly name: string; readonly arguments?: Readonly<Record<string, string>> | undefined },
  options: PromptOptions,
): Promise<GetPromptResult> {
  if (name !== PROMPT_NAME) throw invalid(`unknown prompt '${name}': the only one is ${PROMPT_NAME}`);
  for (const argument of Object.keys(given)) {
    if (!NAMES.includes(argument)) throw invalid(`unknown argument '${argument}'${meant(argument, NAMES)}`);
  }
  const { task, command, path } = given;
  const pieces = [teaching(options)];
  if (command !== undefined && command !== "") {
    if (!service.commandNames.includes(command)) throw invalid(`unknown command '${command}'${meant(command, service.commandNames)}`);
    const help = await lookUp(service, `help ${command}`, options);
    if (help !== undefined) pieces.push(`This is the help of ${command}:\n\n${help.stdout}`);
  }
  if (path !== undefined && path !== "") pieces.push(`It is about ${quoteWord(path)}; look at it first, with ls -la or head.`);
  pieces.push(task === undefined || task === "" ? "Wait for the task, then begin." : `The task: ${task}`);
  return { description: "Work with a pipeline", messages: [{ role: "user", content: { type: "text", text: pieces.join("\n\n") } }] };
}

/** Values for an argument of the prompt. Throws ProtocolError (-32602) for an unknown prompt or argument. */
export async function completePrompt(
  service: ShellService,
  prompt: string,
  { name, value }: { readonly name: string; readonly value: string },
  options: CompletionOptions,
): Promise<Completions> {
  if (prompt !== PROMPT_NAME) throw invalid(`unknown prompt '${prompt}': the only one is ${PROMPT_NAME}`);
  switch (name) {
    case "task":
      return beginningWith(value, []);
    case "command":
      return beginningWith(value, service.commandNames);
    case "path":
      return pathsBeginningWith(service, value, options);
    default:
      throw invalid(`unknown argument '${name}'${meant(name, NAMES)}`);
  }
}

const NAMES = (PROMPT.arguments ?? []).map(({ name }) => name);

/** Paths relative to the root; a directory ends in a slash, and is completed further from there. */
async function pathsBeginningWith(service: ShellService, typed: string, { redactor, signal }: CompletionOptions): Promise<Completions> {
  const slash = typed.lastIndexOf("/") + 1;
  const directory = typed.slice(0, slash);
  // A directory that is not there, or is no place of ours, has no files to offer.
  const listed = await lookUp(service, typed.startsWith(".", slash) ? "ls --zero -Ap" : "ls --zero -p", { signal, cwd: directory });
  const paths: string[] = [];
  for (const name of listed?.exit === 0 ? listed.stdout.split("\0") : []) {
    const path = directory + name;
    if (name === "" || !path.startsWith(typed) || !isShownAsItIs(name)) continue;
    // One that holds a secret is not offered: without the secret it would name nothing.
    if (redactor !== undefined && (await redactor.redact(Buffer.from(path))).counts.size > 0) continue;
    paths.push(path);
  }
  return beginningWith(typed, paths);
}

/**
 * Tells whether a client shows `name` unchanged. Another name would read as a different one in its list, or as several; one
 * that is not UTF-8 is decoded to U+FFFD.
 */
const isShownAsItIs = (name: string): boolean => showName(name) === name && !name.includes("\uFFFD");

function teaching({ readOnly, readsOnly, split = false }: PromptOptions): string {
  const isCaller = !readOnly && readsOnly !== undefined && "caller" in readsOnly;
  const who = isCaller ? `The caller '${readsOnly.caller}' may only read` : "This workspace is read-only";
  return [
    `Use the tool ${TOOL_NAME}. It runs a command line as bash would, in this workspace alone; every command is a builtin that prints what the GNU tool prints.`,
    "",
    "1. Look before you read: ls, find, fd, wc -l, file. A listing is cheap, a whole file is not.",
    "2. Filter at the source: rg or grep first, then cut, awk, sed or jq to take out the fields, then sort | uniq -c | sort -rn to count. For example:",
    "   rg -N 'ERROR' logs/ | awk '{print $5}' | sort | uniq -c | sort -rn | head -20",
    "3. End a long output with head, or tail to see its end. An answer that was cut gives the line that shows what follows.",
    "4. A non-zero exit status is an answer: grep ends with 1 where nothing matched.",
    "5. A refused line has changed nothing, or its answer names what was written before. Where it gives a line that works, use that.",
    readOnly || readsOnly !== undefined
      ? `6. ${who}: nothing is written but in /tmp, which is this session's own.`
      : `6. To write${split ? `, use the tool ${WRITING_TOOL_NAME}, and` : ","} end with tee: \`sort names.txt | tee sorted.txt\`; or give the content in the argument stdin of \`tee FILE\`. There is no > but into /tmp, which is this session's own. Each write is recorded, and \`undo\` takes it back.`,
  ].join("\n");
}

function meant(typed: string, candidates: readonly string[]): string {
  const near = nearest(typed, candidates);
  return near === undefined ? "" : `: did you mean '${near}'?`;
}

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
