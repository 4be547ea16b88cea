/**
 * The parser library's tree → our own (tree.ts). Fail-closed: a node type that is not named here is refused, and the text
 * between nodes must be what bash's grammar has there (gaps.ts).
 */
import type {
  AndOr,
  Assignment,
  Command as SourceCommand,
  CommandNode,
  ParsedScript,
  Pipeline as SourcePipeline,
  PipelineNode,
  Redirection,
  Statement,
  Time,
} from "unbash";
import { AssignmentLowerer } from "./lower-assignments.ts";
import { CompoundLowerer } from "./lower-compound.ts";
import { asWord, checkDeclaration, isDeclaration } from "./lower-declaration.ts";
import { FunctionLowerer } from "./lower-function.ts";
import { RedirectLowerer } from "./lower-redirects.ts";
import { TextLowerer } from "./lower-text.ts";
import { TrapLowerer } from "./lower-trap.ts";
import { WordLowerer } from "./lower-words.ts";
import { withRestsRedirected } from "./redirected-rest.ts";
import { isNumberSplit, joinErrors, joinedWords, RESERVED_WORDS } from "./source-items.ts";
import {
  type AllowedOutputs,
  type Lowered,
  type Lowerer,
  Lowering,
  nothing,
  type SourceItem,
  type SourceNode,
  spanOf,
} from "./lowering.ts";
import { unsupported, type SyntaxProblem } from "./problem.ts";
import type { RedirectReading } from "./redirects.ts";
import type { Edit } from "./rewrite.ts";
import type { SourceExpansion } from "./source-expansions.ts";
import {
  type Assignment as TreeAssignment,
  type Command,
  type Expansion,
  type List,
  type ListItem,
  type Pipeline,
  type Redirect,
  type Span,
  staticText,
  type Word,
} from "./tree.ts";
import { unwrapped } from "./wrappers.ts";

export interface LoweredScript {
  /** Meaningful only where there are no problems. */
  readonly list: List | undefined;
  readonly problems: readonly SyntaxProblem[];
  /** Edits that would make the line run; undefined if some problem has no rewrite. */
  readonly edits: readonly Edit[] | undefined;
}

/** `outer`: see Lowering. */
export function lowerScript(line: string, script: ParsedScript, outputs: AllowedOutputs, outer?: Lowering): LoweredScript {
  const lowering = new Lowering(line, outputs, outer);
  const span = { start: 0, end: line.length };
  const list = lowering.within(script, line.length, span, () =>
    new ListLowerer(lowering).script(script.commands, span, outer === undefined),
  );
  const { problems, edits, rewritable } = lowering;
  return { list, problems, edits: rewritable && edits.length > 0 ? edits : undefined };
}

class ListLowerer implements Lowerer {
  readonly #lowering: Lowering;
  readonly #words: WordLowerer;
  readonly #assignments: AssignmentLowerer;
  readonly #redirects: RedirectLowerer;
  readonly #compounds: CompoundLowerer;
  readonly #functions: FunctionLowerer;
  readonly #texts: TextLowerer;
  readonly #traps: TrapLowerer;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
    this.#words = new WordLowerer(lowering, this);
    this.#assignments = new AssignmentLowerer(lowering, this.#words);
    this.#redirects = new RedirectLowerer(lowering, this.#words);
    this.#compounds = new CompoundLowerer(lowering, this, this.#words, this.#redirects);
    this.#texts = new TextLowerer(lowering, (text, inner, outer) => lowerScript(text, inner, outer.outputs, outer));
    this.#traps = new TrapLowerer(lowering, this.#texts);
    this.#functions = new FunctionLowerer(lowering, this.#compounds);
  }

  /** Everything in `span` is one list: the line, or what stands in `$( )`. */
  script(commands: readonly Statement[], span: Span, isShell = true): List {
    const { items, end } = this.statements(commands, span.start, isShell);
    const gap = this.#lowering.gaps.between(end, span.end);
    const expected = items.length === 0 ? /^\n*$/ : /^;?\n*$/;
    if (gap === undefined || !expected.test(gap))
      this.#disagree({ start: Math.min(end, Math.max(span.end - 1, 0)), end: span.end }, "unexpected text after the command");
    return { items, span };
  }

  statements(statements: readonly Statement[], start: number, isShell = false): Lowered {
    const items: ListItem[] = [];
    let at = start;
    let previous: Statement | undefined;
    for (const statement of statements) {
      const gap = this.#lowering.gaps.between(at, statement.pos);
      const expected = previous === undefined || previous.background === true ? /^\n*$/ : /^(;\n*|\n+)$/;
      if (gap === undefined || !expected.test(gap))
        this.#disagree({ start: at, end: Math.max(statement.pos, at + 1) }, "unexpected text between commands");
      if (statement.background === true) this.#refuseBackground(statement, statement === statements.at(-1));
      this.#andOr(statement.command, items);
      at = statement.end;
      previous = statement;
    }
    const last = items.at(-1)?.pipeline.commands.at(-1)?.kind;
    const closed = last !== undefined && last !== "simple" && last !== "assign";
    return { items: isShell ? withRestsRedirected(items) : items, end: at, closed };
  }

  substitution(found: SourceExpansion, span: Span): Expansion | undefined {
    const { script } = found;
    const { line } = this.#lowering;
    const backquoted = line[span.start] === "`";
    const body = { start: span.start + (backquoted ? 1 : 2), end: span.end - 1 };
    const closed = line[span.end - 1] === (backquoted ? "`" : ")");
    if (backquoted && line.slice(body.start, body.end).includes("\\")) {
      this.#lowering.refuse("backquotes", span);
      return undefined;
    }
    const error = script?.errors?.[0];
    if (script === undefined || script.source !== undefined || error !== undefined || !closed) {
      this.#disagree(span, error?.message ?? "a command substitution is not closed");
      return undefined;
    }
    const before = this.#lowering.problems.length;
    const lowered = this.#lowering.nested(span, () => {
      const file = this.#fileOf(script, body);
      if (file !== undefined) return file;
      return this.#lowering.within(script, body.end, span, () => this.script(script.commands, body));
    });
    return lowered === undefined || this.#lowering.problems.length > before ? undefined : { kind: "command", body: lowered, span };
  }

  /** `<(…)`. */
  processSubstitution({ script, end }: SourceExpansion, span: Span): Expansion | undefined {
    const { line } = this.#lowering;
    const body = { start: span.start + 2, end: span.end - 1 };
    const error = script?.errors?.[0];
    const isClosed = end === span.end && line[span.start + 1] === "(" && line[span.end - 1] === ")";
    if (script === undefined || script.source !== undefined || error !== undefined || !isClosed) {
      this.#disagree(span, error?.message ?? "a process substitution is not closed");
      return undefined;
    }
    const before = this.#lowering.problems.length;
    const lowered = this.#lowering.nested(span, () =>
      this.#lowering.within(script, body.end, span, () => this.script(script.commands, body)),
    );
    return lowered === undefined || this.#lowering.problems.length > before ? undefined : { kind: "process", body: lowered, span };
  }

  /** The file of `$(< FILE)`. */
  #fileOf({ commands }: ParsedScript, body: Span): { kind: "file"; word: Word } | undefined {
    const [statement, ...others] = commands;
    const command = statement?.command;
    if (command?.type !== "Command" || others.length > 0 || statement?.background === true) return undefined;
    const [redirect, ...more] = [...command.prefix, ...command.suffix];
    if (command.name !== undefined || more.length > 0 || redirect?.type !== "Redirect" || redirect.operator !== "<") return undefined;
    if (redirect.descriptor !== undefined || redirect.target === undefined) return undefined;
    const { gaps } = this.#lowering;
    const { pos, end } = redirect.target;
    if (gaps.between(body.start, redirect.pos) !== "" || gaps.between(redirect.pos + 1, pos) !== "" || gaps.between(end, body.end) !== "")
      return undefined;
    const words: Word[] = [];
    this.#words.word(redirect.target, words);
    const [word, ...further] = words;
    return word === undefined || further.length > 0 ? undefined : { kind: "file", word };
  }

  #refuseBackground(statement: Statement, last: boolean): void {
    const { line, problems, edits } = this.#lowering;
    const span = { start: statement.end - 1, end: statement.end };
    problems.push(unsupported("background", "&", span));
    let start = span.start;
    if (last) while (start > 0 && /[ \t]/.test(line[start - 1] as string)) start--;
    const lost = "each command ends before the next begins";
    edits.push(last ? { start, end: span.end, text: "", lost } : { ...span, text: ";", lost });
  }

  #andOr(node: PipelineNode | AndOr, items: ListItem[]): void {
    if (node.type !== "AndOr") {
      items.push({ when: "always", pipeline: this.#pipeline(node) });
      return;
    }
    if (node.operators.length !== node.commands.length - 1) this.#disagree(spanOf(node), "a command is missing");
    node.commands.forEach((command, index) => {
      const operator = node.operators[index - 1];
      const previous = node.commands[index - 1];
      if (operator !== undefined && previous !== undefined) this.#expectOperator(previous, command, operator);
      items.push({
        when: operator === undefined ? "always" : operator === "&&" ? "success" : "failure",
        pipeline: this.#pipeline(command),
      });
    });
  }

  #pipeline(node: PipelineNode): Pipeline {
    if (node.type !== "Pipeline") return { negated: false, commands: [this.command(node)], span: spanOf(node) };
    return this.#realPipeline(node);
  }

  #realPipeline(node: SourcePipeline): Pipeline {
    const [first, ...rest] = node.commands;
    let at = node.pos;
    for (const prefix of node.prefixes) {
      if (this.#lowering.gaps.between(at, prefix.pos) !== "") this.#disagree(spanOf(prefix), "unexpected text before !");
      at = prefix.end;
      if (prefix.type === "Time") this.#time(prefix, node);
      else if (!/[ \t\n(\\]/.test(this.#lowering.line[prefix.end] ?? "")) this.#disagree(spanOf(prefix), "! must be a word of its own");
    }
    if (first === undefined) {
      this.#disagree(spanOf(node), "a command is missing");
      return { negated: false, commands: [nothing(spanOf(node))], span: spanOf(node) };
    }
    if (this.#lowering.gaps.between(at, first.pos) !== "")
      this.#disagree({ start: at, end: first.pos }, "unexpected text before the command");
    if (node.operators.length !== node.commands.length - 1) this.#disagree(spanOf(node), "a command is missing");
    const commands: [Command, ...Command[]] = [this.command(first)];
    let previous = first;
    rest.forEach((command, index) => {
      const operator = node.operators[index] ?? "|";
      this.#expectOperator(previous, command, operator);
      if (operator === "|&") joinErrors(commands, previous.end, this.#lowering.line);
      commands.push(this.command(command));
      previous = command;
    });
    const negations = node.prefixes.filter((prefix) => prefix.type === "Negation").length;
    const time = node.prefixes.find((prefix): prefix is Time => prefix.type === "Time");
    const timed = time && (time.posix === undefined ? "bash" : "posix");
    return { negated: negations % 2 === 1, ...(timed === undefined ? {} : { timed }), commands, span: spanOf(node) };
  }

  #expectOperator(left: PipelineNode, right: PipelineNode, operator: string): void {
    const gap = this.#lowering.gaps.between(left.end, right.pos);
    if (gap === undefined || gap.replace(/\n*$/, "") !== operator || !this.#lowering.line.slice(left.end, right.pos).includes(operator))
      this.#disagree({ start: left.end, end: right.pos }, `expected ${operator} here`);
  }

  #time({ pos, end, keywordEnd, posix }: Time, { prefixes }: SourcePipeline): void {
    const { line, gaps } = this.#lowering;
    const isAlone = prefixes.filter((prefix) => prefix.type === "Time").length === 1;
    const isPlain = line.slice(pos, keywordEnd) === "time" && (posix === undefined || line.slice(posix.pos, posix.end) === "-p");
    if (isAlone && isPlain && gaps.between(keywordEnd, posix?.pos ?? keywordEnd) === "") return;
    this.#lowering.problems.push(unsupported("time", "time", { start: pos, end }));
    this.#lowering.edits.push({ start: pos, end: end + (/^[ \t]*/.exec(line.slice(end))?.[0].length ?? 0), text: "", lost: "the times" });
  }

  command(node: CommandNode): Command {
    switch (node.type) {
      case "Command":
        return this.#simple(node);
      case "Redirected":
        return this.#compounds.compound(node.command, node.redirects, spanOf(node));
      case "Function":
        return this.#functions.define(node);
      case "Coproc":
        this.#lowering.refuse("coproc", { start: node.pos, end: node.pos + "coproc".length });
        return nothing(spanOf(node));
      case "Subshell":
      case "BraceGroup":
      case "If":
      case "For":
      case "ArithmeticFor":
      case "Select":
      case "While":
      case "Case":
      case "TestCommand":
      case "ArithmeticCommand":
        return this.#compounds.compound(node, [], spanOf(node));
      default:
        this.#disagree(spanOf(node), "this construct is not available here");
        return nothing(spanOf(node));
    }
  }

  #simple(node: SourceCommand): Command {
    const items = joinedWords([...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix], this.#lowering.line);
    const words: Word[] = [];
    const assignments: TreeAssignment[] = [];
    const redirects: Redirect[] = [];
    const readings: RedirectReading[] = [];
    const declared: (Word | TreeAssignment)[] = [];
    const { line, problems } = this.#lowering;
    let named = false;
    let previous: SourceItem | undefined;
    for (const item of items) {
      if (previous !== undefined) this.#expectBlank(previous, item);
      previous = item;
      if (item.type === "Assignment" && named) {
        this.#declared(item, words, declared);
      } else if (item.type === "Assignment") {
        const assignment = this.#assignments.assignment(item);
        if (assignment !== undefined) assignments.push(assignment);
      } else if (item.type === "Word") {
        const source = line.slice(item.pos, item.end);
        if (!named && assignments.length === 0 && RESERVED_WORDS.has(source)) this.#disagree(spanOf(item), `unexpected ${source}`);
        const before = words.length;
        this.#words.word(item, words);
        if (named) declared.push(...words.slice(before));
        named = true;
      } else {
        this.#redirects.redirection(item as Redirection, redirects, readings);
      }
    }
    const span = spanOf(node);
    if ((items[0]?.pos ?? -1) !== node.pos || items.at(-1)?.end !== node.end)
      this.#disagree(span, "a command has an end that is not its own");
    this.#redirects.noteRewrite({ span, readings, bare: !named && assignments.length === 0 });
    const [first, ...rest] = words;
    if (first === undefined) {
      // A redirection alone makes its file.
      const isAlone = !named && redirects.some(({ kind }) => kind === "output");
      if ((assignments.length > 0 && !named) || isAlone) return { kind: "assign", assignments, exported: false, redirects, span };
      if (problems.length === 0) this.#disagree(span, "a command is missing");
      return nothing(span);
    }
    const name = line.slice(first.span.start, first.span.end);
    const ofArray = assignments.find(({ subscript, elements }) => subscript !== undefined || elements !== undefined);
    if (isDeclaration(name)) {
      checkDeclaration(this.#lowering, name, declared, span);
      if (assignments.length === 0) return { kind: "declare", name, items: declared, redirects, span };
      this.#lowering.refuse("declaration", span);
    } else if (ofArray !== undefined) this.#lowering.refuse("array", ofArray.span);
    if (name === "trap" && assignments.length === 0) return this.#traps.command([first, ...rest], redirects, span);
    if (name === "eval" && assignments.length === 0) {
      const group = this.#evaluated([first, ...rest], redirects, span);
      if (group !== undefined) return group;
    }
    return this.#called([first, ...rest], assignments, redirects, span);
  }

  /**
   * `eval TEXT`: the commands of the text where they stand. undefined where the text is not literally in the line; what can be known
   * of it is quoted for a rewrite.
   */
  #evaluated(evaluated: readonly Word[], redirects: readonly Redirect[], span: Span): Command | undefined {
    const words = evaluated.slice(1);
    const [first, ...rest] = words[0] && staticText(words[0]) === "--" ? words.slice(1) : words;
    const body = first === undefined ? { items: [], span } : this.#texts.listOf([first, ...rest]);
    return body && { kind: "group", subshell: false, evaluated, body, redirects, span };
  }

  #called(words: [Word, ...Word[]], before: readonly TreeAssignment[], redirects: readonly Redirect[], span: Span): Command {
    const inner = unwrapped(words, before, this.#lowering.line);
    if (inner === undefined) {
      this.#lowering.refuse("wrapper", words[0].span);
      return nothing(span);
    }
    const { words: called, wrappers, wrapped, assignments } = inner;
    return { kind: "simple", assignments, words: called, ...(wrappers.length === 0 ? {} : { wrappers, wrapped }), redirects, span };
  }

  /** An argument that looks like an assignment, which it is for a command that declares variables, and a word for no other. */
  #declared(node: Assignment, words: Word[], declared: (Word | TreeAssignment)[]): void {
    const { line } = this.#lowering;
    const name = words[0];
    const isAlias = name !== undefined && line.slice(name.span.start, name.span.end) === "alias";
    if (name === undefined || (!isAlias && !isDeclaration(line.slice(name.span.start, name.span.end))))
      return this.#disagree(spanOf(node), "an assignment stands where only a word can");
    if (this.#assignments.hasBraces(node)) return this.#lowering.refuse("declaration", spanOf(node));
    const assignment = this.#assignments.assignment(node);
    if (assignment === undefined) return;
    if (!isAlias) declared.push(assignment);
    else if (assignment.append || assignment.subscript !== undefined || assignment.elements !== undefined)
      this.#disagree(spanOf(node), "an assignment stands where only a word can");
    else words.push(asWord(assignment));
  }

  /** Requires blanks alone between two items of a command, and at least one where both are words. */
  #expectBlank(left: SourceNode, right: SourceNode): void {
    const gap = this.#lowering.gaps.between(left.end, right.pos);
    const touching = left.end === right.pos;
    const separates = right.type === "Word" || right.type === "Assignment" || /[\d{]/.test(this.#lowering.line[right.pos] ?? "");
    if (gap !== "" || (touching && separates))
      this.#disagree({ start: left.end, end: Math.max(right.pos, left.end + 1) }, "unexpected text inside a command");
    else if (isNumberSplit(this.#lowering.line, left, right))
      this.#disagree({ start: left.pos, end: right.end }, "a line continuation stands between a descriptor and its operator");
  }

  #disagree(span: Span, what: string): void {
    this.#lowering.disagree(span, what);
  }
}
