/** Rules about a stage's name: it must be a builtin's, spelled out, and not left out by the configuration. */
import { nearest } from "../../builtin/nearest.ts";
import { isExpanded, staticText, type Span } from "../../shell/tree.ts";
import { foreignCommand, foreignSuggestion, reasonOf } from "../foreign-commands.ts";
import type { ForeignCall } from "../foreign-stages.ts";
import { leaves } from "../paths.ts";
import { ruleEntry, type RuleId } from "../rule-catalogue.ts";
import { stageReplaced, spliced, type Finding, type GuardContext, type Reach, type StageFacts, type StageRule } from "../rule.ts";
import { near, same, type Suggestion } from "../suggestion.ts";

export const disallowedCommand: StageRule = {
  id: "cmd:disallowed",
  reason: "DISALLOWED_CMD",
  refuses: [
    { line: "chmod +x a.txt" },
    { line: "unlink a.txt" },
    { line: "/bin/ls -l", suggestion: "ls -l" },
    { line: "./build.sh" },
    { line: "gerp x a.txt", suggestion: "grep x a.txt" },
    { line: "sudo -u root ls -l | wc -l", suggestion: "ls -l | wc -l" },
    { line: "timeout -v 5 grep -rn x .", suggestion: "grep -rn x ." },
    { line: "zsh -c 'ls | wc -l'", suggestion: "ls | wc -l" },
    { line: "man ls", suggestion: "help ls" },
    { line: "less a.txt; shred b.txt" },
    { line: "* a.txt" },
  ],
  allows: ["ls -l", "\\ls", "'ls'", "echo rm", "grep git a.txt"],
  check(stage, context) {
    if (stage.definition !== undefined || stage.mayCall === true || (stage.name !== undefined && context.withheld.has(stage.name)))
      return [];
    const span = stage.command.words[0].span;
    if (stage.name === undefined) {
      const source = stage.line.slice(span.start, span.end);
      return [{ span, detail: `'${source}' stands where a command must be: its name has to be spelled out.` }];
    }
    return [stage.name.includes("/") ? named(stage, stage.name, span, context) : unknown(stage, stage.name, span, context)];
  },
};

export const commandLeftOut: StageRule = {
  id: "cmd:left-out",
  reason: "DISALLOWED_CMD",
  refuses: [{ line: "ls | xargs cat" }],
  allows: ["ls | cat"],
  under: { commands: { only: undefined, deny: ["xargs"] } },
  check(stage, context) {
    if (stage.name === undefined || context.withheld.get(stage.name) !== "configuration") return [];
    const detail = `'${stage.name}' is left out by the configuration of this server (commands).`;
    return [{ span: stage.command.words[0].span, detail }];
  },
};

/** Path of a standard tool. */
const STANDARD = /^(?:\/usr)?\/bin\/[^/]+$/;
/** Builtins that tell of programs, and say something else of builtins. */
const LOOKS_AT_PROGRAMS: ReadonlySet<string> = new Set(["which", "command", "type"]);
/** A shorter name is too near to too many. */
const MISSPELT_UNITS = 3;

const NO_PROGRAM = "No program is ever started here: every stage is a builtin of this server.";

/** A command given by its path: the builtin of that name, if there is one. */
function named(stage: StageFacts, path: string, span: Span, context: GuardContext): Finding {
  const base = path.split("/").at(-1) ?? "";
  if (!context.registry.has(base)) {
    const foreign = foreignCommand(base);
    return {
      span,
      detail: `'${path}' cannot be run. ${foreign === undefined ? NO_PROGRAM : reasonOf(foreign, context)}`,
      candidates: () => foreignCandidates(stage, base, context),
      ...harm(stage, base, context),
    };
  }
  return {
    span,
    detail: `'${path}' cannot be run: no program is ever started here. '${base}' is a builtin of this server.`,
    candidates: () => {
      const line = spliced(stage.line, span, base);
      return [STANDARD.test(path) && !LOOKS_AT_PROGRAMS.has(base) ? same(line) : near(line, `the builtin in place of ${path}`)];
    },
  };
}

function unknown(stage: StageFacts, name: string, span: Span, context: GuardContext): Finding {
  const foreign = foreignCommand(name);
  if (foreign !== undefined) {
    return {
      span,
      detail: `'${name}' is not allowed. ${reasonOf(foreign, context)}`,
      candidates: () => foreignCandidates(stage, name, context),
      ...harm(stage, name, context),
    };
  }
  const small = name.toLowerCase();
  const isLong = name.length >= MISSPELT_UNITS;
  const meant = context.registry.has(small) ? small : isLong ? nearest(small, context.registry.names()) : undefined;
  const did = meant === undefined ? "" : ` Did you mean '${meant}'?`;
  return {
    span,
    detail: `'${name}' is not a builtin of this server, and no program is ever started here.${did}`,
    candidates: () => (meant === undefined ? [] : [near(spliced(stage.line, span, meant), `if ${meant} was meant`)]),
  };
}

/** Harm that the foreign command `name` would have done, and its reach. */
function harm(stage: StageFacts, name: string, context: GuardContext): Pick<Finding, "also" | "reach"> {
  const rule = foreignCommand(name)?.rule;
  if (rule === undefined) return {};
  const { scope, reach: detail } = ruleEntry(rule);
  if (!CHANGES_FILES.has(rule)) return { also: [rule], reach: { scope, detail } };
  const call = callOf(stage, name, context);
  const reach = reachOfOperands(call, context);
  const isAll =
    rule === "cmd:removes" && (reach.scope === "MACHINE" || call.sources.some((source) => /^(\.?\/?\*?|~\/?\*?)$/.test(source)));
  return { also: isAll ? [rule, "cmd:removes-all"] : [rule], reach };
}

/** Rules about commands whose operands are the files they change. */
const CHANGES_FILES: ReadonlySet<RuleId> = new Set<RuleId>(["cmd:removes", "cmd:changes-files", "cmd:permissions"]);

/** Reach of the operands. A plain name is one file; the files of a glob, a variable or a whole tree are not counted here. */
function reachOfOperands({ sources, texts }: ForeignCall, context: GuardContext): Reach {
  const operands = sources.flatMap((source, at) => (source.startsWith("-") ? [] : [{ source, text: texts[at] }]));
  const named = operands.map(({ source }) => source).join(" ");
  const outside = operands.filter(
    ({ source, text }) => text !== undefined && /^\/|(^|\/)\.\.(\/|$)/.test(source) && leaves("", text, context),
  );
  if (outside.length > 0) return { scope: "MACHINE", detail: `outside the workspace: ${outside.map(({ source }) => source).join(" ")}` };
  const isWhole = operands.some(({ text }) => text === undefined || /^(\.?\/?|\/.*)$/.test(text));
  const isTree = sources.some((source) => /^-\w*[rR]|^--recursive/.test(source));
  if (isWhole || isTree || operands.length !== 1)
    return { scope: "PROJECT", detail: `in the workspace: ${named === "" ? "what is named" : named}` };
  return { scope: "RESOURCE", detail: named };
}

function foreignCandidates(stage: StageFacts, name: string, context: GuardContext): readonly Suggestion[] {
  const instead = foreignSuggestion(callOf(stage, name, context));
  return instead === undefined ? [] : [{ line: stageReplaced(stage, instead.line), lost: instead.lost }];
}

/** Brace expansion gives several words with one span: those are taken once, as typed. */
function callOf({ line, command, directories }: StageFacts, name: string, { look }: GuardContext): ForeignCall {
  const words = command.words.slice(1).filter((word, at, all) => word.span.start !== all[at - 1]?.span.start);
  return {
    name,
    sources: words.map(({ span }) => line.slice(span.start, span.end)),
    texts: words.map((word) => staticText(word)),
    isThere(at) {
      const [directory, ...others] = directories ?? [];
      const word = words[at];
      if (word === undefined || isExpanded(word) || look === undefined || directory === undefined || others.length > 0) return false;
      const found = look.expand(word, directory);
      return found.length > 0 && found.every((path) => look.target(path, directory).kind === "there");
    },
    isAssigned: command.assignments.length > 0,
    isLast: line.slice(command.span.end).trim() === "",
  };
}
