/** Redirections of the parser library's tree → ours: here-documents, here-strings, and the ones redirects.ts accepts. */
import type { HereDoc, HereString, Redirect as SourceRedirect, Redirection } from "unbash";
import { readHereDocument } from "./here-document.ts";
import { type Lowering, spanOf } from "./lowering.ts";
import type { WordLowerer } from "./lower-words.ts";
import { unparsable } from "./problem.ts";
import { lowerRedirect, type RedirectReading } from "./redirects.ts";
import { redirectEdits } from "./rewrite.ts";
import { expansionsIn } from "./source-expansions.ts";
import { staticText, textWord, type Redirect, type Span, type Word } from "./tree.ts";
import { readWordParts } from "./word-parts.ts";
import { readQuotedText, readWordSource } from "./word-source.ts";

export class RedirectLowerer {
  readonly #lowering: Lowering;
  readonly #words: WordLowerer;

  constructor(lowering: Lowering, words: WordLowerer) {
    this.#lowering = lowering;
    this.#words = words;
  }

  redirection(node: Redirection, redirects: Redirect[], readings: RedirectReading[]): void {
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

  /** Redirections of a compound command that ends at `at`. */
  ofCompound(redirections: readonly Redirection[], span: Span, at: number): readonly Redirect[] {
    const readings: RedirectReading[] = [];
    const redirects: Redirect[] = [];
    let from = at;
    for (const redirection of redirections) {
      if (this.#lowering.gaps.between(from, redirection.pos) !== "")
        this.#lowering.disagree({ start: from, end: redirection.pos }, "unexpected text before a redirection");
      this.redirection(redirection, redirects, readings);
      from = redirection.end;
    }
    this.noteRewrite({ span, readings, bare: false });
    return redirects;
  }

  /** Adds the edits for a command with refused redirections. */
  noteRewrite(command: { readonly span: Span; readonly readings: readonly RedirectReading[]; readonly bare: boolean }): void {
    if (command.readings.every((reading) => lowerRedirect(reading).kind === "accepted")) return;
    const edits = redirectEdits(this.#lowering.line, command);
    if (edits === undefined) this.#lowering.rewritable = false;
    else this.#lowering.edits.push(...edits);
  }

  /** The number before the operator, having checked that number and operator stand where the node says. */
  #descriptor(node: Redirection): number | undefined | "refused" {
    const { line } = this.#lowering;
    const operatorAt = node.descriptor?.end ?? node.pos;
    if (!line.startsWith(node.operator, operatorAt)) {
      this.#lowering.disagree(spanOf(node), "a redirection is broken by a line continuation");
      return "refused";
    }
    if (
      !node.operator.endsWith("&") &&
      /^\d+$/.test(line.slice(operatorAt + node.operator.length, node.end).trim()) &&
      /[<>]/.test(line[node.end] ?? "")
    ) {
      this.#lowering.disagree(spanOf(node), "a number before < or > belongs to it, so the redirection before has no target");
      return "refused";
    }
    if (node.descriptor === undefined) return undefined;
    const digits = line.slice(node.pos, operatorAt);
    if (node.descriptor.type === "FileDescriptor" && /^\d{1,9}$/.test(digits)) return Number(digits);
    this.#lowering.problem({
      reason: "REDIRECT",
      construct: "redirect-descriptor",
      span: spanOf(node),
      detail: "Descriptors are numbers of one digit here. Use 3>&1, 2>&1, >&2, 2>/dev/null or >/dev/null.",
    });
    return "refused";
  }

  #redirect(node: SourceRedirect, descriptor: number | undefined, redirects: Redirect[], readings: RedirectReading[]): void {
    const { line, gaps, problems } = this.#lowering;
    const operatorEnd = (node.descriptor?.end ?? node.pos) + node.operator.length;
    if (node.target === undefined || gaps.between(operatorEnd, node.target.pos) !== "" || node.target.end !== node.end) {
      this.#lowering.disagree(spanOf(node), "a redirection needs a target");
      return;
    }
    const { rewritable } = this.#lowering;
    const before = problems.length;
    const isInput = node.operator === "<";
    const span = spanOf(node);
    const words: Word[] = [];
    const isAllowed = !isInput && this.#lowering.outputs(span, line.slice(node.target.pos, node.target.end));
    if (isInput || isAllowed) this.#words.word(node.target, words, "redirect");
    if (isInput && problems.length > before) return;
    const [expanded] = words.length === 1 && problems.length === before ? words : [];
    const word = expanded ?? (isInput ? undefined : this.#words.plain(node.target, "redirect"));
    // Problems of the target are dropped: a target that is not known is refused all the same.
    if (problems.length > before) problems.splice(before);
    this.#lowering.rewritable = rewritable;
    const target = word === undefined ? undefined : staticText(word);
    const targetSource = line.slice(node.target.pos, node.target.end);
    // bash expands braces and globs in a target; only a target without them is known from the line alone.
    const expands = word?.parts.some((part) => part.kind === "text" && !part.quoted && /[*?[{]/.test(part.text)) ?? true;
    // A name that is not known yet makes sense as a file's, and so for tee.
    const known = node.operator === ">&" || node.operator === "<&" ? target : (target ?? targetSource);
    const named = expands ? undefined : known;
    const reading: RedirectReading = {
      operator: node.operator,
      descriptor,
      target: named,
      targetSource,
      word: expanded,
      isAllowed: isAllowed && expanded !== undefined,
      span,
    };
    const lowered = lowerRedirect(reading);
    readings.push(reading);
    if (lowered.kind === "accepted") redirects.push(...lowered.redirects);
    else problems.push(lowered.problem);
  }

  #hereString(node: HereString, descriptor: number | undefined, redirects: Redirect[]): void {
    const operatorEnd = (node.descriptor?.end ?? node.pos) + node.operator.length;
    if (node.target === undefined || this.#lowering.gaps.between(operatorEnd, node.target.pos) !== "" || node.target.end !== node.end)
      return this.#lowering.disagree(spanOf(node), "a here-string needs a word");
    if (!isReadable(descriptor)) return this.#refuseDescriptor(spanOf(node));
    const word = this.#words.plain(node.target, "here-string");
    if (word === undefined) return;
    const parts: Word["parts"] = [...word.parts, { kind: "text", text: "\n", quoted: true }];
    redirects.push({ kind: "here", from: descriptor ?? 0, text: { parts, span: word.span }, span: spanOf(node) });
  }

  #hereDocument(node: HereDoc, descriptor: number | undefined, redirects: Redirect[]): void {
    const { line, gaps } = this.#lowering;
    const span = spanOf(node);
    const operatorEnd = (node.descriptor?.end ?? node.pos) + node.operator.length;
    const { delimiter, closing, body } = node;
    if (delimiter === undefined || gaps.between(operatorEnd, delimiter.pos) !== "" || delimiter.end !== node.end)
      return this.#lowering.disagree(span, "a here-document needs a delimiter");
    if (closing === undefined) return this.#noteOpenEnd(span, delimiter.value);
    if (!isReadable(descriptor)) return this.#refuseDescriptor(span);
    const from = descriptor ?? 0;
    const source = line.slice(delimiter.pos, delimiter.end);
    const literal = /['"\\]/.test(source);
    const word = /[$`\n]/.test(source) ? undefined : readWordSource(this.#words.reader, delimiter, new Map());
    const reading = word && readWordParts(word.text, { globs: false, tildes: "start", expansions: [] });
    const text = reading?.kind === "parts" ? reading.parts.map((part) => (part.kind === "text" ? part.text : "~")).join("") : undefined;
    if (text === undefined || text !== delimiter.value || literal !== delimiter.quoted)
      return this.#lowering.disagree(spanOf(delimiter), "a here-document's delimiter must be a plain word");
    const stripsTabs = node.operator === "<<-";
    const read = readHereDocument(line, { start: body.pos, delimiter: text, stripsTabs, literal });
    if (read === undefined || read.end !== closing.end || body.end > closing.pos)
      return this.#lowering.disagree(span, "a here-document does not end where it should");
    if (literal || !/[$`]/.test(line.slice(body.pos, read.bodyEnd))) {
      redirects.push({ kind: "here", from, text: textWord(read.text, span), span });
      return;
    }
    const bodySpan = { start: body.pos, end: read.bodyEnd };
    const expanded = readQuotedText(
      this.#words.reader,
      bodySpan,
      expansionsIn(body.parts),
      stripsTabs ? "stripped-here-document" : "here-document",
    );
    if (expanded !== undefined) redirects.push({ kind: "here", from, text: expanded, span });
  }

  #noteOpenEnd(span: Span, delimiter: string): void {
    const { line, problems, edits } = this.#lowering;
    problems.push(unparsable("here-document", span, `The here-document does not end: no line is ${delimiter} alone. Add that line.`));
    const end = line.length;
    if (/^\S+$/.test(delimiter)) edits.push({ start: end, end, text: `${line.endsWith("\n") ? "" : "\n"}${delimiter}` });
    else this.#lowering.rewritable = false;
  }

  #refuseDescriptor(span: Span): void {
    this.#lowering.problem({
      reason: "REDIRECT",
      construct: "redirect-descriptor",
      span,
      detail: "A here-document or here-string is standard input here, or a descriptor from 3 to 9. Leave the number out.",
    });
  }
}

const isReadable = (descriptor = 0): boolean => descriptor === 0 || (descriptor > 2 && descriptor < 10);
