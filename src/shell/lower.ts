/**
 * The parser library's tree → our own (tree.ts). Fail-closed: a node type that is not named here is refused, and
 * what stands between nodes must be what bash's grammar has there (gaps.ts).
 *
 * Longer than 400 lines: it is one walk with a case for each node, and every case adds to the same problems and edits.
 */
import type {
  CommandNode,
  CompoundCommand,
  HereDoc,
  HereString,
  ParsedScript,
  PipelineNode,
  Redirect as SourceRedirect,
  Redirection,
  Statement,
  AndOr,
  Assignment,
  Command as SourceCommand,
  Pipeline as SourcePipeline,
  Word as SourceWord,
} from "unbash";
import { type BraceBudget, braceBudget, expandBraces, MixedRange, MOST_BRACE_WORDS, MOST_BRACES, TooManyWords } from "./braces.ts";
import { Gaps } from "./gaps.ts";
import { hereDocumentRegions } from "./here-document-regions.ts";
import { expansionsInBody, readHereDocument } from "./here-document.ts";
import { unparsable, unsupported, type SyntaxProblem, type UnsupportedConstruct } from "./problem.ts";
import { lowerRedirect, type RedirectReading } from "./redirects.ts";
import { redirectEdits, variableEdit, type Edit } from "./rewrite.ts";
import { staticText, type Command, type List, type ListItem, type Pipeline, type Redirect, type Span, type Word } from "./tree.ts";
import { readWordParts } from "./word-parts.ts";
import { expansionsIn, readWordSource } from "./word-source.ts";

/** Groups within groups. Past it the line is refused. */
export const MOST_NESTING = 100;

/** Here-documents in one line: every newline is held against all of them. */
const MOST_HERE_DOCUMENTS = 100;

export interface Lowering {
  /** Meaningful only where there are no problems. */
  readonly list: List | undefined;
  readonly problems: readonly SyntaxProblem[];
  /** What would make the line run; undefined where some problem has no rewrite. */
  readonly edits: readonly Edit[] | undefined;
}

export function lowerScript(line: string, script: ParsedScript): Lowering {
  return new Lowerer(line).lower(script);
}

class Lowerer {
  readonly #line: string;
  readonly #problems: SyntaxProblem[] = [];
  readonly #edits: Edit[] = [];
  readonly #braces: BraceBudget = braceBudget();
  #rewritable = true;
  #gaps: Gaps;

  constructor(line: string) {
    this.#line = line;
    this.#gaps = new Gaps(line, []);
  }

  lower(script: ParsedScript): Lowering {
    const regions = hereDocumentRegions(script, this.#line.length);
    if (regions.length > MOST_HERE_DOCUMENTS) {
      const detail = `The line has ${regions.length} here-documents, and at most ${MOST_HERE_DOCUMENTS} are read. Use several calls.`;
      return { list: undefined, problems: [unparsable("here-document", { start: 0, end: this.#line.length }, detail)], edits: undefined };
    }
    this.#gaps = new Gaps(this.#line, regions);
    const list = this.#list(script.commands, { start: 0, end: this.#line.length }, { before: "", after: "" }, 0);
    if (this.#problems.length === 0 && !this.#gaps.complete)
      this.#disagree({ start: 0, end: this.#line.length }, "a here-document is not where it should be");
    return { list, problems: this.#problems, edits: this.#rewritable && this.#edits.length > 0 ? this.#edits : undefined };
  }

  /** Statements inside `span`, which begins with `around.before` and ends with `around.after`: `( )`, `{ }`, nothing. */
  #list(statements: readonly Statement[], span: Span, around: { readonly before: string; readonly after: string }, depth: number): List {
    const items: ListItem[] = [];
    const { before, after } = around;
    let at = span.start;
    let previous: Statement | undefined;
    for (const statement of statements) {
      const gap = this.#gaps.between(at, statement.pos);
      const opening = previous === undefined ? before : "";
      const expected = previous === undefined || previous.background === true ? /^\n*$/ : /^(;\n*|\n+)$/;
      if (gap === undefined || !gap.startsWith(opening) || !expected.test(gap.slice(opening.length)))
        this.#disagree({ start: at, end: Math.max(statement.pos, at + 1) }, "unexpected text between commands");
      if (statement.background === true) this.#refuseBackground(statement, statement === statements.at(-1));
      this.#andOr(statement.command, items, depth);
      at = statement.end;
      previous = statement;
    }
    const gap = this.#gaps.between(at, span.end);
    const closing = gap === undefined || !gap.endsWith(after) ? undefined : gap.slice(0, gap.length - after.length);
    const start = previous === undefined ? closing?.slice(before.length) : closing;
    if (start === undefined || !/^;?\n*$/.test(start))
      this.#disagree({ start: Math.min(at, span.end - 1), end: span.end }, "unexpected text after the command");
    else if (after === "}" && start === "" && items.at(-1)?.pipeline.commands.at(-1)?.kind !== "group")
      this.#disagree(span, "a } must follow ; or a newline");
    if (statements.length === 0 && before !== "") this.#disagree(span, "a group needs a command");
    return { items, span };
  }

  #refuseBackground(statement: Statement, last: boolean): void {
    const span = { start: statement.end - 1, end: statement.end };
    this.#problems.push(unsupported("background", "&", span));
    let start = span.start;
    if (last) while (start > 0 && /[ \t]/.test(this.#line[start - 1] as string)) start--;
    this.#edits.push(last ? { start, end: span.end, text: "" } : { ...span, text: ";" });
  }

  #andOr(node: PipelineNode | AndOr, items: ListItem[], depth: number): void {
    if (node.type !== "AndOr") {
      items.push({ when: "always", pipeline: this.#pipeline(node, depth) });
      return;
    }
    if (node.operators.length !== node.commands.length - 1) this.#disagree(spanOf(node), "a command is missing");
    node.commands.forEach((command, index) => {
      const operator = node.operators[index - 1];
      const previous = node.commands[index - 1];
      if (operator !== undefined && previous !== undefined) this.#expectOperator(previous, command, operator);
      items.push({
        when: operator === undefined ? "always" : operator === "&&" ? "success" : "failure",
        pipeline: this.#pipeline(command, depth),
      });
    });
  }

  #pipeline(node: PipelineNode, depth: number): Pipeline {
    if (node.type !== "Pipeline") return { negated: false, commands: [this.#command(node, depth)], span: spanOf(node) };
    return this.#realPipeline(node, depth);
  }

  #realPipeline(node: SourcePipeline, depth: number): Pipeline {
    const [first, ...rest] = node.commands;
    let at = node.pos;
    for (const prefix of node.prefixes) {
      if (this.#gaps.between(at, prefix.pos) !== "") this.#disagree(spanOf(prefix), "unexpected text before !");
      at = prefix.end;
      if (prefix.type === "Time") this.#refuseTime(prefix.pos, prefix.end, first?.pos);
      else if (!/[ \t\n(\\]/.test(this.#line[prefix.end] ?? "")) this.#disagree(spanOf(prefix), "! must be a word of its own");
    }
    if (first === undefined) {
      this.#disagree(spanOf(node), "a command is missing");
      return { negated: false, commands: [nothing(spanOf(node))], span: spanOf(node) };
    }
    if (this.#gaps.between(at, first.pos) !== "") this.#disagree({ start: at, end: first.pos }, "unexpected text before the command");
    if (node.operators.length !== node.commands.length - 1) this.#disagree(spanOf(node), "a command is missing");
    const commands: [Command, ...Command[]] = [this.#command(first, depth)];
    let previous = first;
    rest.forEach((command, index) => {
      const operator = node.operators[index] ?? "|";
      this.#expectOperator(previous, command, operator);
      if (operator === "|&") joinErrors(commands, previous.end, this.#line);
      commands.push(this.#command(command, depth));
      previous = command;
    });
    const negations = node.prefixes.filter((prefix) => prefix.type === "Negation").length;
    return { negated: negations % 2 === 1, commands, span: spanOf(node) };
  }

  #expectOperator(left: PipelineNode, right: PipelineNode, operator: string): void {
    const gap = this.#gaps.between(left.end, right.pos);
    if (gap === undefined || gap.replace(/\n*$/, "") !== operator || !this.#line.slice(left.end, right.pos).includes(operator))
      this.#disagree({ start: left.end, end: right.pos }, `expected ${operator} here`);
  }

  #refuseTime(start: number, end: number, command: number | undefined): void {
    this.#problems.push(unsupported("time", "time", { start, end }));
    this.#edits.push({ start, end: command ?? end, text: "" });
  }

  #command(node: CommandNode, depth: number): Command {
    switch (node.type) {
      case "Command":
        return this.#simple(node);
      case "Subshell":
      case "BraceGroup":
        return this.#group(node, [], spanOf(node), depth);
      case "Redirected":
        if (node.command.type === "Subshell" || node.command.type === "BraceGroup")
          return this.#group(node.command, node.redirects, spanOf(node), depth);
        return this.#refuseNode(node.command);
      default:
        return this.#refuseNode(node);
    }
  }

  #refuseNode(node: CommandNode): Command {
    const refused = REFUSED_NODES[node.type];
    if (refused === undefined) {
      this.#disagree(spanOf(node), "this construct is not available here");
    } else {
      const construct = node.type === "While" ? node.kind : refused.construct;
      const keyword = new RegExp(`^(${refused.keyword})`).exec(this.#line.slice(node.pos, node.end))?.[0] ?? "";
      this.#problems.push(unsupported(construct, keyword, { start: node.pos, end: node.pos + (keyword.length || 1) }));
      this.#rewritable = false;
    }
    return nothing(spanOf(node));
  }

  #group(
    node: CompoundCommand & { type: "Subshell" | "BraceGroup" },
    redirections: readonly Redirection[],
    span: Span,
    depth: number,
  ): Command {
    const subshell = node.type === "Subshell";
    if (depth >= MOST_NESTING) {
      this.#problems.push(
        unparsable(
          "nesting",
          spanOf(node),
          `Groups are nested more than ${MOST_NESTING} deep, which is past what a line may hold. Take some parentheses away.`,
        ),
      );
      this.#rewritable = false;
      return nothing(span);
    }
    if (subshell && this.#line[node.pos + 1] === "(") this.#refuseDoubleParenthesis(node.pos);
    if (!subshell && !/[ \t\n\\]/.test(this.#line[node.pos + 1] ?? ""))
      this.#disagree({ start: node.pos, end: node.pos + 1 }, "{ must be a word of its own");
    const body = this.#list(
      node.body.commands,
      spanOf(node),
      subshell ? { before: "(", after: ")" } : { before: "{", after: "}" },
      depth + 1,
    );
    const readings: RedirectReading[] = [];
    const redirects: Redirect[] = [];
    let at = node.end;
    for (const redirection of redirections) {
      if (this.#gaps.between(at, redirection.pos) !== "")
        this.#disagree({ start: at, end: redirection.pos }, "unexpected text before a redirection");
      this.#redirection(redirection, redirects, readings);
      at = redirection.end;
    }
    this.#noteRewrite({ span, readings, bare: false });
    return { kind: "group", subshell, body, redirects, span };
  }

  /** `((`: bash first takes it for arithmetic, and what it does where that fails depends on the rest. */
  #refuseDoubleParenthesis(at: number): void {
    const span = { start: at, end: at + 2 };
    this.#problems.push(
      unparsable("syntax", span, "(( begins arithmetic in bash. Write ( ( with a blank between for a subshell in a subshell."),
    );
    this.#edits.push({ start: at + 1, end: at + 1, text: " " });
  }

  #simple(node: SourceCommand): Command {
    const items = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    const readings: RedirectReading[] = [];
    let bare = true;
    let previous: (typeof items)[number] | undefined;
    for (const item of items) {
      if (previous !== undefined) this.#expectBlank(previous, item);
      previous = item;
      switch (item.type) {
        case "Word":
          if (bare && RESERVED_WORDS.has(this.#line.slice(item.pos, item.end)))
            this.#disagree(spanOf(item), `unexpected ${this.#line.slice(item.pos, item.end)}`);
          bare = false;
          this.#word(item, words);
          break;
        case "Assignment":
          bare = false;
          this.#refuseAssignment(item);
          break;
        case "Redirect":
        case "HereString":
        case "HereDoc":
          this.#redirection(item, redirects, readings);
          break;
        default:
          this.#disagree(spanOf(item), "this construct is not available here");
      }
    }
    const span = spanOf(node);
    if ((items[0]?.pos ?? -1) !== node.pos || items.at(-1)?.end !== node.end)
      this.#disagree(span, "a command has an end that is not its own");
    this.#noteRewrite({ span, readings, bare });
    const [first, ...rest] = words;
    if (first !== undefined) return { kind: "simple", words: [first, ...rest], redirects, span };
    if (this.#problems.length === 0) this.#disagree(span, "a command is missing");
    return nothing(span);
  }

  /** Nothing but blanks between two items of a command, and at least one where both are words. */
  #expectBlank(left: SourceNode, right: SourceNode): void {
    const gap = this.#gaps.between(left.end, right.pos);
    const touching = left.end === right.pos;
    const separates = right.type === "Word" || right.type === "Assignment" || /[\d{]/.test(this.#line[right.pos] ?? "");
    if (gap !== "" || (touching && separates))
      this.#disagree({ start: left.end, end: Math.max(right.pos, left.end + 1) }, "unexpected text inside a command");
    else if (isNumberSplit(this.#line, left, right))
      this.#disagree({ start: left.pos, end: right.end }, "a line continuation stands between a descriptor and its operator");
  }

  #refuseAssignment(node: Assignment): void {
    const span = spanOf(node);
    this.#problems.push(unsupported("assignment", this.#line.slice(span.start, span.end), span));
    this.#rewritable = false;
  }

  #word(node: SourceWord, into: Word[]): void {
    const source = readWordSource(this.#line, node);
    const span = spanOf(node);
    if (source.kind === "problems") {
      for (const problem of source.problems) this.#noteProblem(problem, span);
      return;
    }
    for (const text of this.#braceWords(source.text, span)) {
      const reading = readWordParts(text, { globs: true, tildes: text === source.text ? "assignment" : "start" });
      if (reading.kind === "parts") into.push({ parts: reading.parts, span });
      else if (reading.kind !== "nothing") this.#refuseWord(reading.kind, span);
    }
  }

  #noteProblem(problem: SyntaxProblem, word: Span): void {
    this.#problems.push(problem);
    const edit = problem.construct === "variable" ? variableEdit(this.#line, problem.span, word) : undefined;
    if (edit === undefined) this.#rewritable = false;
    else this.#edits.push(edit);
  }

  #refuseWord(kind: "tilde" | "expansion", span: Span): void {
    this.#problems.push(unsupported(kind === "tilde" ? "tilde" : "variable", this.#line.slice(span.start, span.end), span));
    this.#rewritable = false;
  }

  #braceWords(text: string, span: Span): readonly string[] {
    try {
      return expandBraces(text, this.#braces);
    } catch (thrown) {
      this.#rewritable = false;
      if (thrown instanceof TooManyWords) {
        this.#problems.push(
          unparsable(
            "brace-words",
            span,
            `Braces make more than ${MOST_BRACE_WORDS} words (or a word has more than ${MOST_BRACES} braces), which is past what a line may hold. Use a smaller range, or seq.`,
          ),
        );
        return [];
      }
      if (!(thrown instanceof MixedRange)) throw thrown;
      this.#problems.push(unsupported("brace-range", this.#line.slice(span.start, span.end), span));
      return [];
    }
  }

  /** A word that stays one word: no braces, no globs (here-strings, here-document delimiters). */
  #plainWord(node: SourceWord, context: "redirect" | "here-string"): Word | undefined {
    const source = readWordSource(this.#line, node);
    if (source.kind === "problems") {
      for (const problem of source.problems) this.#noteProblem(problem, spanOf(node));
      return undefined;
    }
    const reading = readWordParts(source.text, { globs: false, tildes: context === "here-string" ? "colons" : "start" });
    if (reading.kind === "parts") return { parts: reading.parts, span: spanOf(node) };
    if (reading.kind !== "nothing") this.#refuseWord(reading.kind, spanOf(node));
    return undefined;
  }

  #redirection(node: Redirection, redirects: Redirect[], readings: RedirectReading[]): void {
    const descriptor = this.#descriptor(node);
    if (descriptor === "refused") return;
    switch (node.type) {
      case "Redirect":
        return this.#redirect(node, descriptor, redirects, readings);
      case "HereString":
        return this.#hereString(node, descriptor, redirects);
      case "HereDoc":
        return this.#hereDocument(node, descriptor, redirects);
    }
  }

  /** The number before the operator, having checked that number and operator stand where the node says. */
  #descriptor(node: Redirection): number | undefined | "refused" {
    const operatorAt = node.descriptor?.end ?? node.pos;
    if (!this.#line.startsWith(node.operator, operatorAt)) {
      this.#disagree(spanOf(node), "a redirection is broken by a line continuation");
      return "refused";
    }
    if (
      !node.operator.endsWith("&") &&
      /^\d+$/.test(this.#line.slice(operatorAt + node.operator.length, node.end).trim()) &&
      /[<>]/.test(this.#line[node.end] ?? "")
    ) {
      this.#disagree(spanOf(node), "a number before < or > belongs to it, so the redirection before has no target");
      return "refused";
    }
    if (node.descriptor === undefined) return undefined;
    const digits = this.#line.slice(node.pos, operatorAt);
    if (node.descriptor.type === "FileDescriptor" && /^\d{1,9}$/.test(digits)) return Number(digits);
    this.#problems.push({
      reason: "REDIRECT",
      construct: "redirect-descriptor",
      span: spanOf(node),
      detail: "Only standard input, output and error exist here. Use 2>&1, >&2, 2>/dev/null or >/dev/null.",
    });
    this.#rewritable = false;
    return "refused";
  }

  #redirect(node: SourceRedirect, descriptor: number | undefined, redirects: Redirect[], readings: RedirectReading[]): void {
    const operatorEnd = (node.descriptor?.end ?? node.pos) + node.operator.length;
    if (node.target === undefined || this.#gaps.between(operatorEnd, node.target.pos) !== "" || node.target.end !== node.end) {
      this.#disagree(spanOf(node), "a redirection needs a target");
      return;
    }
    const before = this.#problems.length;
    const word = this.#plainWord(node.target, "redirect");
    if (this.#problems.length > before) this.#problems.splice(before);
    const target = word === undefined ? undefined : staticText(word);
    const targetSource = this.#line.slice(node.target.pos, node.target.end);
    // bash expands braces and globs in a target; only a target without them is known from the line alone.
    const expands = word?.parts.some((part) => part.kind === "text" && !part.quoted && /[*?[{]/.test(part.text)) ?? true;
    const named = expands ? undefined : (target ?? targetSource);
    const reading: RedirectReading = { operator: node.operator, descriptor, target: named, targetSource, span: spanOf(node) };
    const lowered = lowerRedirect(reading);
    readings.push(reading);
    if (lowered.kind === "accepted") redirects.push(...lowered.redirects);
    else this.#problems.push(lowered.problem);
  }

  #hereString(node: HereString, descriptor: number | undefined, redirects: Redirect[]): void {
    const operatorEnd = (node.descriptor?.end ?? node.pos) + node.operator.length;
    if (node.target === undefined || this.#gaps.between(operatorEnd, node.target.pos) !== "" || node.target.end !== node.end)
      return this.#disagree(spanOf(node), "a here-string needs a word");
    if ((descriptor ?? 0) !== 0) return this.#refuseDescriptor(spanOf(node));
    const word = this.#plainWord(node.target, "here-string");
    if (word === undefined) return;
    const text = staticText(word);
    if (text === undefined) return this.#refuseWord("tilde", word.span);
    redirects.push({ kind: "here", text: `${text}\n`, span: spanOf(node) });
  }

  #hereDocument(node: HereDoc, descriptor: number | undefined, redirects: Redirect[]): void {
    const span = spanOf(node);
    const operatorEnd = (node.descriptor?.end ?? node.pos) + node.operator.length;
    const { delimiter, closing, body } = node;
    if (delimiter === undefined || this.#gaps.between(operatorEnd, delimiter.pos) !== "" || delimiter.end !== node.end)
      return this.#disagree(span, "a here-document needs a delimiter");
    if (closing === undefined) {
      this.#problems.push(
        unparsable("here-document", span, `The here-document does not end: no line is ${delimiter.value} alone. Add that line.`),
      );
      const end = this.#line.length;
      if (/^\S+$/.test(delimiter.value))
        this.#edits.push({ start: end, end, text: `${this.#line.endsWith("\n") ? "" : "\n"}${delimiter.value}` });
      else this.#rewritable = false;
      return;
    }
    if ((descriptor ?? 0) !== 0) return this.#refuseDescriptor(span);
    const source = this.#line.slice(delimiter.pos, delimiter.end);
    const literal = /['"\\]/.test(source);
    const word = /[$`\n]/.test(source)
      ? undefined
      : readWordSource(this.#line, { type: "Word", text: source, value: delimiter.value, pos: delimiter.pos, end: delimiter.end });
    const reading = word?.kind === "text" ? readWordParts(word.text, { globs: false, tildes: "start" }) : undefined;
    const text = reading?.kind === "parts" ? reading.parts.map((part) => (part.kind === "text" ? part.text : "~")).join("") : undefined;
    if (text === undefined || text !== delimiter.value || literal !== delimiter.quoted)
      return this.#disagree(spanOf(delimiter), "a here-document's delimiter must be a plain word");
    const read = readHereDocument(this.#line, { start: body.pos, delimiter: text, stripsTabs: node.operator === "<<-", literal });
    if (read === undefined || read.end !== closing.end || body.end > closing.pos)
      return this.#disagree(span, "a here-document does not end where it should");
    const problems = literal ? [] : expansionsInBody(this.#line, body.pos, body.end, expansionsIn(body.parts));
    this.#problems.push(...problems);
    if (problems.length > 0) this.#rewritable = false;
    redirects.push({ kind: "here", text: read.text, span });
  }

  #refuseDescriptor(span: Span): void {
    this.#problems.push({
      reason: "REDIRECT",
      construct: "redirect-descriptor",
      span,
      detail: "A here-document or here-string is standard input and nothing else here. Leave the number out.",
    });
    this.#rewritable = false;
  }

  #noteRewrite(command: { readonly span: Span; readonly readings: readonly RedirectReading[]; readonly bare: boolean }): void {
    if (command.readings.every((reading) => lowerRedirect(reading).kind === "accepted")) return;
    const edits = redirectEdits(this.#line, command);
    if (edits === undefined) this.#rewritable = false;
    else this.#edits.push(...edits);
  }

  /** The parser library and we do not read the line alike, or neither can: it is not run. */
  #disagree(span: Span, what: string): void {
    this.#problems.push(unparsable("syntax", span, `Syntax error: ${what}.`));
    this.#rewritable = false;
  }
}

interface SourceNode {
  readonly type: string;
  readonly pos: number;
  readonly end: number;
}

const spanOf = (node: { readonly pos: number; readonly end: number }): Span => ({ start: node.pos, end: node.end });

/** Stands where a command was refused; the line it is in never becomes a tree. */
function nothing(span: Span): Command {
  return { kind: "simple", words: [{ parts: [], span }], redirects: [], span };
}

/** `a |& b` is `a 2>&1 | b`. */
function joinErrors(commands: [Command, ...Command[]], end: number, line: string): void {
  const at = line.indexOf("|&", end);
  const last = commands.length - 1;
  const command = commands[last] as Command;
  commands[last] = {
    ...command,
    redirects: [...command.redirects, { kind: "duplicate", from: 2, to: 1, span: { start: at, end: at + 2 } }],
  };
}

/** `2\⏎>f`: bash joins the two before it reads the number. */
function isNumberSplit(line: string, left: SourceNode, right: SourceNode): boolean {
  if (left.type !== "Word" || !/^[<>&]/.test(line.slice(right.pos))) return false;
  const between = line.slice(left.pos, right.pos);
  return between.includes("\\\n") && /^(\d|\\\n)+$/.test(between);
}

/** Words that begin or end a compound command where a command's name stands. */
const RESERVED_WORDS: ReadonlySet<string> = new Set([
  "!",
  "{",
  "}",
  "[[",
  "case",
  "coproc",
  "do",
  "done",
  "elif",
  "else",
  "esac",
  "fi",
  "for",
  "function",
  "if",
  "select",
  "then",
  "time",
  "until",
  "while",
]);

const REFUSED_NODES: Readonly<
  Partial<Record<CommandNode["type"], { readonly construct: UnsupportedConstruct; readonly keyword: string }>>
> = {
  If: { construct: "if", keyword: "if" },
  For: { construct: "for", keyword: "for" },
  ArithmeticFor: { construct: "for", keyword: "for" },
  Select: { construct: "select", keyword: "select" },
  While: { construct: "while", keyword: "while|until" },
  Case: { construct: "case", keyword: "case" },
  TestCommand: { construct: "test-brackets", keyword: "\\[\\[" },
  ArithmeticCommand: { construct: "arithmetic-command", keyword: "\\(\\(" },
  Function: { construct: "function", keyword: "function|[^\\s()]+" },
  Coproc: { construct: "coproc", keyword: "coproc" },
};
