/** Work of the shell itself, as facts for the rules: files that `[[ ]]` asks about and that `< FILE` and `$(< FILE)` read, redirections, exports. */
import type { PathAccess } from "../builtin/definition.ts";
import {
  isAssignment,
  isExpanded,
  staticText,
  textWord,
  type Assignment,
  type Command,
  type Condition,
  type Redirect,
  type SimpleCommand,
  type Word,
} from "../shell/tree.ts";
import { wordsIn, wordsOf } from "../shell/tree-walk.ts";
import { fieldWord } from "../shell/word-expansion.ts";
import { knownFields, scratchPath } from "./known-values.ts";
import { isInScratch } from "./paths.ts";
import type { State } from "./reach.ts";
import { SHELL_READS } from "./rules/environment.ts";
import type { GuardContext, PathUse, StageFacts } from "./rule.ts";

export function shellFacts(
  line: string,
  command: Command,
  place: Pick<StageFacts, "pipeline" | "index">,
  state: State,
  context: GuardContext,
): readonly StageFacts[] {
  const stage: SimpleCommand = {
    kind: "simple",
    assignments: [...exportedBy(command, state), ...readByShell(command)],
    words: [{ parts: [], span: command.span }],
    // Those of a simple command are its own stage's.
    redirects: command.kind === "simple" ? [] : command.redirects,
    span: command.span,
  };
  const paths: PathUse[] = [];
  const unnamed: "write"[] = [];
  const note = (word: Word, access: PathAccess): void => {
    const [field, ...others] = knownFields(word, state.values, context.rootPath) ?? [];
    const path = field === undefined || others.length > 0 ? undefined : staticText(fieldWord(field, word));
    if (path !== undefined) paths.push({ path, access, span: word.span, replaceable: staticText(word) === path, word });
  };
  for (const redirect of command.redirects) {
    if (redirect.kind === "input") note(redirect.file, "read");
    if (redirect.kind !== "output") continue;
    const use = outputUse(redirect, state, context);
    if (use.path === "") unnamed.push("write");
    else paths.push(use);
  }
  if (command.kind === "condition") for (const word of filesOf(command.condition)) note(word, "status");
  for (const outer of wordsOf(command)) {
    if (!isExpanded(outer)) continue;
    for (const { parts } of wordsIn(outer)) {
      for (const part of parts) if (part.kind === "command" && "kind" in part.body) note(part.body.word, "read");
    }
  }
  if (paths.length === 0 && unnamed.length === 0 && stage.assignments.length === 0 && stage.redirects.length === 0) return [];
  const nothing = {
    name: undefined,
    definition: undefined,
    arguments: [],
    parsed: undefined,
    usageError: undefined,
    unnamed,
    runs: [],
    scripts: [],
  };
  return [{ line, command: stage, ...place, ...nothing, paths, directories: state.places && [...state.places] }];
}

/** The file that a redirection writes; "" where it is known only when it is opened. */
function outputUse({ file, span, append }: OutputRedirect, { values }: State, { rootPath }: GuardContext): PathUse {
  const [field] = knownFields(file, values, rootPath) ?? [];
  const known = field === undefined ? undefined : staticText(fieldWord(field, file));
  const path = known ?? scratchPath(file, values, rootPath) ?? "";
  return { path, access: "write", span, replaceable: false, ...(append ? { appends: true } : {}) };
}

/** Redirections into files that may be outside the scratch; none where those are recorded. */
export function outputsElsewhere(command: Command, state: State, context: GuardContext): readonly OutputRedirect[] {
  if (context.recordsRedirects) return [];
  const directories = state.places && [...state.places];
  return command.redirects.filter((redirect): redirect is OutputRedirect => {
    if (redirect.kind !== "output") return false;
    const { path } = outputUse(redirect, state, context);
    return path === "" || !isInScratch(path, directories, context);
  });
}

type OutputRedirect = Extract<Redirect, { kind: "output" }>;

/** Assignments to variables that change how bash itself reads a line. */
function readByShell(command: Command): readonly Assignment[] {
  if (command.kind !== "assign" && command.kind !== "declare") return [];
  const assigned = command.kind === "assign" ? command.assignments : command.items.filter(isAssignment);
  return assigned.filter(({ name }) => SHELL_READS.has(name));
}

/** Assignments to variables that builtins see as their environment; of a variable that is exported by its name, what it was set to. */
function exportedBy(command: Command, { values }: State): readonly Assignment[] {
  if (command.kind === "assign") return command.exported ? command.assignments : [];
  if (command.kind !== "declare") return [];
  const flags = command.items.map((item) => (isAssignment(item) ? "" : (staticText(item) ?? "-x")));
  const exports = command.name === "export" || flags.some((text) => /^-\w*x/.test(text));
  if (!exports) return [];
  return command.items.flatMap((item) => {
    if (isAssignment(item)) return [item];
    const name = staticText(item) ?? "";
    if (!/^[A-Za-z_]\w*$/.test(name)) return [];
    const known = values.get(name);
    const value = known === "unknown" ? unknownWord(item) : textWord(known?.text ?? "", item.span);
    return [{ name, append: false, value, span: item.span }];
  });
}

const unknownWord = ({ span }: Word): Word => ({ parts: [{ kind: "parameter", name: "?", operation: undefined, quoted: true }], span });

/** The words of a condition that name files. */
function filesOf(condition: Condition): readonly Word[] {
  switch (condition.kind) {
    case "unary":
      return /^-[nztvoR]$/.test(condition.operator) ? [] : [condition.operand];
    case "binary":
      return /^-(nt|ot|ef)$/.test(condition.operator) ? [condition.left, condition.right] : [];
    case "not":
      return filesOf(condition.condition);
    case "and":
    case "or":
      return condition.conditions.flatMap(filesOf);
  }
}
