/**
 * Compound commands of the parser library's tree → ours: groups, `if`, loops, `case`, `[[ ]]`, `(( ))`. Every reserved
 * word is looked for in the source where bash's grammar has it.
 */
import type {
  ArithmeticCommand as SourceArithmetic,
  ArithmeticFor,
  BraceGroup,
  Case,
  CompoundCommand as SourceCompound,
  For,
  If,
  Statement,
  Subshell,
  TestCommand,
  TestExpression,
  While,
  Word as SourceWord,
} from "unbash";
import type { RedirectLowerer } from "./lower-redirects.ts";
import type { WordLowerer } from "./lower-words.ts";
import { type Lowerer, type Lowering, nothing, spanOf } from "./lowering.ts";
import { unparsable } from "./problem.ts";
import { expansionsInArithmetic } from "./source-expansions.ts";
import type { CaseItem, Command, CompoundCommand, Condition, List, Span, Word } from "./tree.ts";

type LoweredCompound = CompoundCommand extends infer C ? (C extends { redirects: unknown } ? Omit<C, "redirects"> : never) : never;

export class CompoundLowerer {
  readonly #lowering: Lowering;
  readonly #lowerer: Lowerer;
  readonly #words: WordLowerer;
  readonly #redirects: RedirectLowerer;

  constructor(lowering: Lowering, lowerer: Lowerer, words: WordLowerer, redirects: RedirectLowerer) {
    this.#lowering = lowering;
    this.#lowerer = lowerer;
    this.#words = words;
    this.#redirects = redirects;
  }

  /** `redirections` stand behind it; `span` covers them. */
  compound(node: SourceCompound, redirections: Parameters<RedirectLowerer["ofCompound"]>[0], span: Span): Command {
    const before = this.#lowering.problems.length;
    const lowered = this.#lowering.nested(spanOf(node), () => this.#body(node, span));
    if (lowered === undefined) {
      if (this.#lowering.problems.length === before) this.#disagree(spanOf(node), "this construct is not available here");
      return nothing(span);
    }
    return { ...lowered, redirects: this.#redirects.ofCompound(redirections, span, node.end) } as CompoundCommand;
  }

  #body(node: SourceCompound, span: Span): LoweredCompound | undefined {
    switch (node.type) {
      case "Subshell":
      case "BraceGroup":
        return this.#group(node, span);
      case "If":
        return this.#if(node, span);
      case "While":
        return this.#loop(node, span);
      case "For":
        return this.#for(node, span);
      case "ArithmeticFor":
        return this.#arithmeticFor(node, span);
      case "Case":
        return this.#case(node, span);
      case "TestCommand":
        return this.#condition(node, span);
      case "ArithmeticCommand":
        return this.#arithmetic(node, span);
      case "Select":
        this.#lowering.refuse("select", { start: node.pos, end: node.pos + "select".length });
        return undefined;
    }
  }

  #group(node: Subshell | BraceGroup, span: Span): LoweredCompound | undefined {
    const subshell = node.type === "Subshell";
    const [open, close] = subshell ? ["(", ")"] : ["{", "}"];
    const { line, gaps } = this.#lowering;
    if (subshell && line[node.pos + 1] === "(") this.#refuseDoubleParenthesis(node.pos);
    if (!subshell && !/[ \t\n\\]/.test(line[node.pos + 1] ?? ""))
      this.#disagree({ start: node.pos, end: node.pos + 1 }, "{ must be a word of its own");
    if (line[node.pos] !== open || line[node.end - 1] !== close) this.#disagree(spanOf(node), "a group is not closed");
    const { items, end, closed } = this.#lowerer.statements(node.body.commands, node.pos + 1, subshell);
    const gap = gaps.between(end, node.end - 1);
    if (gap === undefined || !/^;?\n*$/.test(gap))
      this.#disagree({ start: Math.min(end, node.end - 1), end: node.end }, "unexpected text after the command");
    else if (!subshell && gap === "" && !closed) this.#disagree(spanOf(node), "a } must follow ; or a newline");
    if (items.length === 0) this.#disagree(spanOf(node), "a group needs a command");
    return { kind: "group", subshell, body: { items, span: spanOf(node) }, span };
  }

  /** `((`: bash first takes it for arithmetic, and what it does where that fails depends on the rest. */
  #refuseDoubleParenthesis(at: number): void {
    const span = { start: at, end: at + 2 };
    const { rewritable } = this.#lowering;
    this.#lowering.problem(
      unparsable("syntax", span, "(( begins arithmetic in bash. Write ( ( with a blank between for a subshell in a subshell."),
    );
    this.#lowering.rewritable = rewritable;
    this.#lowering.edits.push({ start: at + 1, end: at + 1, text: " ", lost: "it is a subshell, and no arithmetic" });
  }

  #if(node: If, span: Span): LoweredCompound | undefined {
    const clauses: { condition: List; body: List }[] = [];
    let at = this.#opening(node, "if");
    for (const [index, { clause, then }] of [node, ...node.elif].entries()) {
      const condition = this.#list(clause.commands, at, "then");
      if (condition === undefined) return undefined;
      const last = index === node.elif.length;
      const next = last ? (node.else === undefined ? "fi" : "else") : "elif";
      const body = this.#list(then.commands, condition.end, next);
      if (body === undefined) return undefined;
      clauses.push({ condition: condition.list, body: body.list });
      at = body.end;
    }
    let otherwise: List | undefined;
    if (node.else !== undefined) {
      const body = this.#list(node.else.commands, at, "fi");
      if (body === undefined) return undefined;
      otherwise = body.list;
      at = body.end;
    }
    return this.#endsAt(node, at) ? { kind: "if", clauses, otherwise, span } : undefined;
  }

  #loop(node: While, span: Span): LoweredCompound | undefined {
    const condition = this.#list(node.clause.commands, this.#opening(node, node.kind), "do");
    const body = condition && this.#list(node.body.commands, condition.end, "done");
    if (condition === undefined || body === undefined || !this.#endsAt(node, body.end)) return undefined;
    return { kind: "loop", runsOn: node.kind === "while" ? "success" : "failure", condition: condition.list, body: body.list, span };
  }

  #for(node: For, span: Span): LoweredCompound | undefined {
    const { line, gaps } = this.#lowering;
    const name = line.slice(node.name.pos, node.name.end);
    if (!/^[A-Za-z_]\w*$/.test(name) || gaps.between(this.#opening(node, "for"), node.name.pos) !== "")
      return this.#disagree(spanOf(node.name), "for needs a name");
    const words: Word[] = [];
    let at = node.name.end;
    if (node.wordlist === undefined) {
      words.push({ parts: [{ kind: "parameter", name: "@", operation: undefined, quoted: true }], span: spanOf(node.name) });
    } else {
      const keyword = gaps.toKeyword(at, "in");
      if (keyword === undefined || !/^\n*$/.test(keyword.gap)) return this.#disagree(spanOf(node), "for needs in");
      at = this.#wordList(node.wordlist, keyword.end, words);
    }
    const opening = gaps.toKeyword(at, "do");
    const separated = node.wordlist === undefined ? /^;?\n*$/ : /^(;\n*|\n+)$/;
    if (opening === undefined || !separated.test(opening.gap)) return this.#disagree(spanOf(node), "for needs do");
    const body = this.#list(node.body.commands, opening.end, "done");
    return body && this.#endsAt(node, body.end) ? { kind: "for", name, words, body: body.list, span } : undefined;
  }

  #wordList(nodes: readonly SourceWord[], from: number, into: Word[]): number {
    let at = from;
    for (const node of nodes) {
      if (this.#lowering.gaps.between(at, node.pos) !== "" || node.pos === at)
        this.#disagree(spanOf(node), "unexpected text before a word");
      this.#words.word(node, into);
      at = node.end;
    }
    return at;
  }

  #arithmeticFor(node: ArithmeticFor, span: Span): LoweredCompound | undefined {
    const { line, gaps } = this.#lowering;
    const open = /^for[ \t]*\(\(/.exec(line.slice(node.pos, node.end))?.[0];
    const found = expansionsInArithmetic([node.initialize, node.test, node.update]);
    if (open === undefined) return this.#disagree(spanOf(node), "for needs ((");
    const start = node.pos + open.length;
    const close = arithmeticEnd(line, start);
    const texts = close === undefined ? [] : topLevelParts(line.slice(start, close));
    if (close === undefined || texts.length !== 3) return this.#disagree(spanOf(node), "for ((a; b; c)) needs two semicolons");
    const words: Word[] = [];
    let at = start;
    for (const text of texts) {
      const word = this.#words.arithmetic({ start: at, end: at + text.length }, found);
      if (word === undefined) return undefined;
      words.push(word);
      at += text.length + 1;
    }
    const opening = gaps.toKeyword(close + 2, "do");
    if (opening === undefined || !/^;?\n*$/.test(opening.gap)) return this.#disagree(spanOf(node), "for needs do");
    const body = this.#list(node.body.commands, opening.end, "done");
    if (body === undefined || !this.#endsAt(node, body.end)) return undefined;
    const [first, condition, step] = words as [Word, Word, Word];
    return { kind: "arithmetic-for", start: first, condition, step, body: body.list, span };
  }

  #case(node: Case, span: Span): LoweredCompound | undefined {
    const { gaps } = this.#lowering;
    if (gaps.between(this.#opening(node, "case"), node.word.pos) !== "") return this.#disagree(spanOf(node.word), "case needs a word");
    const word = this.#words.plain(node.word, "pattern") ?? { parts: [], span: spanOf(node.word) };
    const keyword = gaps.toKeyword(node.word.end, "in");
    if (keyword === undefined || !/^\n*$/.test(keyword.gap)) return this.#disagree(spanOf(node), "case needs in");
    const items: CaseItem[] = [];
    let at = keyword.end;
    let open = false;
    for (const item of node.items) {
      if (open) return this.#disagree(spanOf(item), "a case item must end in ;;");
      const patterns: Word[] = [];
      for (const [index, pattern] of item.pattern.entries()) {
        const gap = gaps.between(at, pattern.pos);
        if (gap === undefined || !(index === 0 ? /^\n*\(?$/ : /^\|$/).test(gap))
          return this.#disagree(spanOf(pattern), "unexpected text before a pattern");
        patterns.push(this.#words.plain(pattern, "pattern") ?? { parts: [], span: spanOf(pattern) });
        at = pattern.end;
      }
      const first = item.body.commands[0];
      const close = this.#closingParenthesis(at);
      if (patterns.length === 0 || close === undefined) return this.#disagree(spanOf(item), "a pattern must end in )");
      const body = this.#lowerer.statements(first === undefined ? [] : item.body.commands, close);
      const ending = this.#itemEnd(body.end, item.terminator ?? "");
      if (ending === undefined) return this.#disagree(spanOf(item), "a case item must end in ;;");
      const after = item.terminator === ";&" ? "fall-through" : item.terminator === ";;&" ? "try-next" : "stop";
      items.push({ patterns, body: { items: body.items, span: { start: close, end: Math.max(body.end, close) } }, after });
      open = item.terminator === undefined;
      if (open && body.items.length > 0 && !body.closed && !/[;\n]/.test(gaps.toKeyword(body.end, "esac")?.gap ?? ";"))
        return this.#disagree(spanOf(item), "esac must follow ;; or a newline");
      at = ending;
    }
    const closing = gaps.toKeyword(at, "esac");
    if (closing === undefined || !/^;?\n*$/.test(closing.gap) || !this.#endsAt(node, closing.end))
      return this.#disagree(spanOf(node), "case needs esac");
    return { kind: "case", word, items, span };
  }

  #closingParenthesis(from: number): number | undefined {
    const at = this.#lowering.line.indexOf(")", from);
    return at >= 0 && this.#lowering.gaps.between(from, at) === "" ? at + 1 : undefined;
  }

  /** End of a case item whose last command ends at `from`; undefined if its terminator does not follow. */
  #itemEnd(from: number, terminator: string): number | undefined {
    if (terminator === "") return from;
    const { line, gaps } = this.#lowering;
    for (let at = line.indexOf(terminator, from); at >= 0; at = line.indexOf(terminator, at + 1)) {
      const gap = gaps.between(from, at);
      if (gap !== undefined) return /^\n*$/.test(gap) ? at + terminator.length : undefined;
    }
    return undefined;
  }

  #condition(node: TestCommand, span: Span): LoweredCompound | undefined {
    const { line } = this.#lowering;
    if (!/^\[\[[\s\\]/.test(line.slice(node.pos)) || !/[\s)]\]\]$/.test(line.slice(node.pos, node.end)))
      return this.#disagree(spanOf(node), "[[ and ]] must be words of their own");
    const last = { at: node.pos + 2 };
    const { isInTest } = this.#lowering;
    this.#lowering.isInTest = true;
    const condition = this.#test(node.expression, last);
    this.#lowering.isInTest = isInTest;
    if (condition === undefined) return undefined;
    if (!/^[\s)]*$/.test(line.slice(last.at, node.end - 2))) return this.#disagree(spanOf(node), "unexpected text in [[ ]]");
    return { kind: "condition", condition, span };
  }

  /** `last.at` moves to the end of what was read; only blanks and operators may stand between the words. */
  #test(node: TestExpression, last: { at: number }): Condition | undefined {
    const { line } = this.#lowering;
    const operand = (word: SourceWord, between: string, use: "pattern" | "regex" | "value"): Word | undefined => {
      const gap = line.slice(last.at, word.pos).replace(/\\\n/g, " ");
      const rest = gap.replace(between, "").replace(/(&&|\|\||[!()\s])/g, "");
      if (rest !== "" || !gap.includes(between)) this.#disagree(spanOf(word), "unexpected text in [[ ]]");
      last.at = word.end;
      const before = this.#lowering.problems.length;
      const lowered = this.#words.plain(word, use === "value" ? "pattern" : use);
      return this.#lowering.problems.length > before ? undefined : (lowered ?? { parts: [], span: spanOf(word) });
    };
    switch (node.type) {
      case "TestUnary": {
        if (!UNARY.test(node.operator)) return this.#disagree(spanOf(node), `${node.operator} is no condition`);
        // A word alone: -n without it standing there.
        const written = line.slice(node.pos, node.operand.pos).includes(node.operator);
        const word = operand(node.operand, written ? node.operator : "", "value");
        return word && { kind: "unary", operator: node.operator, operand: word };
      }
      case "TestBinary": {
        if (!BINARY.has(node.operator)) return this.#disagree(spanOf(node), `${node.operator} is no condition`);
        const left = operand(node.left, "", "value");
        const right = operand(node.right, node.operator, node.operator === "=~" ? "regex" : "pattern");
        return left && right && { kind: "binary", operator: node.operator, left, right };
      }
      case "TestLogical": {
        const conditions: Condition[] = [];
        for (const inner of node.operands) {
          const condition = this.#test(inner, last);
          if (condition === undefined) return undefined;
          conditions.push(condition);
        }
        return { kind: node.operator === "&&" ? "and" : "or", conditions };
      }
      case "TestNot": {
        const condition = this.#test(node.operand, last);
        return condition && (node.negations.length % 2 === 1 ? { kind: "not", condition } : condition);
      }
      case "TestGroup":
        return this.#test(node.expression, last);
    }
  }

  #arithmetic(node: SourceArithmetic, span: Span): LoweredCompound | undefined {
    const { line } = this.#lowering;
    if (!line.startsWith("((", node.pos) || (!line.endsWith("))", node.end) && line.slice(node.end - 2, node.end) !== "))"))
      return this.#disagree(spanOf(node), "(( is not closed");
    if (node.expression === undefined && node.body.trim() !== "") return this.#disagree(spanOf(node), "(( holds what is no arithmetic");
    const expression = this.#words.arithmetic({ start: node.pos + 2, end: node.end - 2 }, expansionsInArithmetic([node.expression]));
    return expression && { kind: "arithmetic", expression, span };
  }

  /** The statements from `from` to the reserved word `keyword`, and where that ends. */
  #list(statements: readonly Statement[], from: number, keyword: string): { list: List; end: number } | undefined {
    const { items, end, closed } = this.#lowerer.statements(statements, from);
    const found = this.#lowering.gaps.toKeyword(end, keyword);
    if (found === undefined || !/^;?\n*$/.test(found.gap) || (found.gap === "" && !closed) || items.length === 0)
      return this.#disagree({ start: from, end: Math.max(end, from + 1) }, `${keyword} is not where it should be`);
    return { list: { items, span: { start: from, end: found.start } }, end: found.end };
  }

  #opening(node: { readonly pos: number; readonly end: number }, keyword: string): number {
    if (!this.#lowering.line.startsWith(keyword, node.pos)) this.#disagree(spanOf(node), `${keyword} is broken by a line continuation`);
    return node.pos + keyword.length;
  }

  #endsAt(node: { readonly pos: number; readonly end: number }, at: number): boolean {
    if (node.end === at) return true;
    this.#disagree(spanOf(node), "a command has an end that is not its own");
    return false;
  }

  #disagree(span: Span, what: string): undefined {
    this.#lowering.disagree(span, what);
  }
}

const UNARY = /^-[abcdefghknoprstuvwxzGLNORS]$/;
const BINARY: ReadonlySet<string> = new Set("= == != =~ < > -eq -ne -lt -le -gt -ge -nt -ot -ef".split(" "));

/** Place of the `))` that closes arithmetic which begins at `from`; undefined if nothing closes it. */
function arithmeticEnd(line: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < line.length; at++) {
    if (line[at] === "(") depth++;
    else if (line[at] === ")") {
      if (depth === 0) return line[at + 1] === ")" ? at : undefined;
      depth--;
    }
  }
  return undefined;
}

/** The parts of `text` between semicolons outside parentheses. */
function topLevelParts(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    else if (text[at] === ";" && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
