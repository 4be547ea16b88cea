/** Words of a running line: their expansions are driven here, and the commands in them run. */
import type { ExitStatus } from "../builtin/definition.ts";
import { keptOpen } from "../io/kept-open.ts";
import { LimitReached } from "../io/limit-reached.ts";
import { toBytes, toText } from "../io/text.ts";
import { Pathnames } from "../shell/expand.ts";
import { expandToFields, expandToText, expandToValue, beginsTyped, fieldWord } from "../shell/word-expansion.ts";
import type { Expanding } from "../shell/parameter-expansion.ts";
import { isExpanded, type Assignment, type CommandSubstitution, type ProcessSubstitution, type Word } from "../shell/tree.ts";
import type { Value } from "../shell/variables.ts";
import type { Argument } from "../builtin/arguments.ts";
import { FileError } from "../workspace/file-error.ts";
import { isStandardInput } from "../builtin/inputs.ts";
import { descriptorNumber } from "../workspace/read/held-descriptors.ts";
import { type ByteInput, inputFrom, inputOf } from "../io/input.ts";
import { inputOfFile } from "./descriptors.ts";
import type { ListRun } from "./list-run.ts";
import { FLUSH, Waiting, type OpenedInput, type OpenInput, RedirectionError } from "./routes.ts";
import type { Surroundings } from "./stage.ts";

/** Runs an expansion with every command substitution in it. */
export async function expanded<T>(run: ListRun, expanding: Expanding<T>, surroundings: Surroundings): Promise<T> {
  try {
    let next = expanding.next();
    while (next.done !== true) {
      const part = next.value;
      const isFile = part.kind === "process";
      next = expanding.next(isFile ? substitutedFile(run, part, surroundings) : await substituted(run, part, surroundings));
    }
    return next.value;
  } finally {
    await complaintsTold(surroundings);
  }
}

/** Prints the errors after which an expansion or an assignment went on. */
export async function complaintsTold({ shell, stderr }: Surroundings): Promise<void> {
  for (const message of shell.complaints.splice(0)) await stderr(toBytes(message));
}

/** A directory can be opened; its reader is told that it is one. */
function unreadable(): ByteInput {
  const next = (): never => {
    throw new FileError("EISDIR", "");
  };
  return inputFrom({ [Symbol.iterator]: () => ({ next }) });
}

/** The file name that a process substitution stands for. */
function substitutedFile(run: ListRun, { body }: ProcessSubstitution, { shell, stdin, stderr, descriptors }: Surroundings): string {
  if (descriptors === undefined) throw new Error("a process substitution outside a command");
  const around = { stdin: keptOpen(stdin), stderr, descriptors, waiting: new Waiting() };
  const output = run.subshell(shell, around, (own) => {
    own.traceDepth++;
    return run.list(body, { ...around, shell: own });
  });
  return descriptors.substitute(output);
}

/** The arguments that `words` give: expanded, split, and matched against the names of files. */
export async function expandedArguments(run: ListRun, words: readonly Word[], surroundings: Surroundings): Promise<readonly Argument[]> {
  const { shell } = surroundings;
  const pathnames = new Pathnames(run.context.workspace.at(shell.currentDirectory), shell.options);
  const args: Argument[] = [];
  const add = (found: readonly Argument[], typed: boolean): void => {
    for (const argument of found) {
      if (args.length >= MOST_ARGUMENTS) throw new LimitReached("held", MOST_ARGUMENTS, "arguments of one command");
      args.push(typed || argument.operandOnly === true ? argument : { ...argument, data: true });
    }
  };
  for (const word of words) {
    if (!isExpanded(word)) {
      add(pathnames.expand(word), true);
      continue;
    }
    for (const field of await expanded(run, expandToFields(word, shell), surroundings)) {
      // A name is typed as a whole: data chooses no command by its end either.
      const isTyped = args.length === 0 ? field.every(({ typed }) => typed) : beginsTyped(field);
      add(pathnames.expand(fieldWord(field, word, shell.options.extglob)), isTyped);
    }
  }
  return args;
}

/** Arguments of one command: what expansion makes of a word is bounded only by its text. */
const MOST_ARGUMENTS = 1_000_000;

/** The value that an assignment sets; for `+=`, appended to the value before. */
export async function expansionOf(run: ListRun, { name, append, value }: Assignment, surroundings: Surroundings): Promise<Value> {
  const { shell } = surroundings;
  const added = await expanded(run, expandToValue(value, shell), surroundings);
  const before = append ? shell.get(name) : undefined;
  return before === undefined ? added : { text: before.text + added.text, typed: before.typed && added.typed };
}

/** The file, the text or the device that a redirection reads. Throws FileError, RedirectionError. */
export async function openedInput(run: ListRun, redirect: Parameters<OpenInput>[0], surroundings: Surroundings): Promise<OpenedInput> {
  const { shell } = surroundings;
  switch (redirect.kind) {
    case "no-input":
      return { input: inputOf(), isShared: false };
    case "here": {
      const text = await expanded(run, expandToText(redirect.text, shell), surroundings);
      return { input: inputOf(toBytes(text)), isShared: false };
    }
    case "input":
      return openNamed(run, await redirectedPath(run, redirect.file, surroundings), surroundings);
  }
}

/** The one path that the word of a redirection gives. */
export async function redirectedPath(run: ListRun, word: Word, surroundings: Surroundings): Promise<string> {
  const [path, ...others] = await expandedArguments(run, [word], surroundings);
  if (path === undefined || others.length > 0) throw new RedirectionError(`${sourceOf(run, word)}: ambiguous redirect`);
  return path.text;
}

function openNamed(run: ListRun, path: string, { shell, stdin, descriptors }: Surroundings): OpenedInput {
  if (isStandardInput(path) && path !== "-") return { input: stdin, isShared: true };
  const number = descriptorNumber(path);
  const descriptor = number === undefined ? undefined : descriptors?.input(number);
  if (descriptor !== undefined) return { input: descriptor, isShared: true };
  if (number !== undefined) throw new FileError("ENOENT", path);
  const files = run.context.workspace.at(shell.currentDirectory);
  return { input: files.status(path).kind === "directory" ? unreadable() : inputOfFile(files.open(path)), isShared: false };
}

/** Output of a command substitution, without the newlines at its end. */
async function substituted(run: ListRun, part: CommandSubstitution, surroundings: Surroundings): Promise<string> {
  const { shell, stderr } = surroundings;
  const { body } = part;
  const blocks: Uint8Array[] = [];
  let held = 0;
  const gather = (block: Uint8Array): void => {
    held += block.length;
    const cap = Math.min(run.context.limits.heldBytes, MOST_SUBSTITUTED_BYTES);
    if (held > cap) throw new LimitReached("held", cap, "bytes in a command substitution");
    blocks.push(Buffer.from(block));
  };
  let status: ExitStatus = 0;
  if ("kind" in body) {
    status = await readFile(run, body.word, surroundings, gather);
  } else {
    const around = { ...surroundings, stdin: keptOpen(surroundings.stdin), waiting: new Waiting(), colourMark: undefined };
    const output = run.subshell(shell, around, (own) => {
      // As in bash, break and continue end a substitution in a loop's body, where in any other subshell they are errors.
      own.loops = shell.loops;
      own.traceDepth++;
      // As in bash outside POSIX mode, a failure does not end a substitution under set -e.
      own.options.errexit &&= own.options.inherit_errexit;
      return run.list(body, { ...around, shell: own });
    });
    try {
      for (;;) {
        const next = await output.next();
        if (next.done === true) {
          status = next.value;
          break;
        }
        if (next.value !== FLUSH) gather(next.value);
      }
    } finally {
      await output.return(0);
    }
  }
  shell.substitutionStatus = status;
  shell.status = status;
  const bytes = Buffer.concat(blocks);
  if (bytes.includes(0)) {
    await stderr(toBytes(`${run.place(part.span, shell)}: warning: command substitution: ignored null byte in input\n`));
  }
  const kept = bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes;
  let end = kept.length;
  while (end > 0 && kept[end - 1] === 10) end--;
  return toText(kept.subarray(0, end));
}

/** Most bytes that one command substitution may give: as much as a variable may hold. */
const MOST_SUBSTITUTED_BYTES = 32 << 20;

/** `$(< FILE)`. */
async function readFile(run: ListRun, word: Word, surroundings: Surroundings, gather: (block: Uint8Array) => void): Promise<ExitStatus> {
  try {
    const { input } = openNamed(run, await redirectedPath(run, word, surroundings), surroundings);
    for await (const block of keptOpen(input)) gather(block);
    await input.close();
    return 0;
  } catch (thrown) {
    const message =
      thrown instanceof FileError ? `${thrown.path}: ${thrown.message}` : thrown instanceof RedirectionError ? thrown.message : undefined;
    if (message === undefined) throw thrown;
    await surroundings.stderr(toBytes(`${run.place(word.span, surroundings.shell)}: ${message}\n`));
    return 1;
  }
}

const sourceOf = (run: ListRun, { span }: Word): string => run.context.line.slice(span.start, span.end);
