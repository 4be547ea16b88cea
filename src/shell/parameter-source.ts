/** `${…}` as written → a parameter expansion (bash manual §3.5.3). */
import type { ParameterExpansion, ParameterOperation, Subscript, TransformLetter, Word } from "./tree.ts";
import type { Surrounding, WordScanner } from "./word-source.ts";

/** Reads from the `$` where `scanner` stands to behind the `}`; undefined where a problem was noted. */
export function readParameter(scanner: WordScanner, surrounding: Surrounding): ParameterExpansion | undefined {
  const { line, at: start } = scanner;
  const close = (): boolean => {
    if (line[scanner.at] === "}" && scanner.at < scanner.end) {
      scanner.at++;
      return true;
    }
    scanner.fail("${...} is not closed, or holds what bash does not take there");
    return false;
  };
  const refuse = (): undefined => {
    const end = closingBrace(line, start, scanner.end);
    scanner.refuse("variable", { start, end });
    scanner.at = end;
    return undefined;
  };
  scanner.at += 2;
  const measured = nameAt(line, scanner.at + 1);
  if (line[scanner.at] === "#" && measured !== undefined && /[}[]/.test(line[scanner.at + 1 + measured.length] ?? "")) {
    scanner.at += measured.length + 1;
    const subscript = readSubscript(scanner);
    if (scanner.failed) return undefined;
    if (!KNOWN_PARAMETER.test(measured)) return refuse();
    return close() ? { kind: "parameter", name: measured, ...subscript, operation: { kind: "length" } } : undefined;
  }
  const isIndirect = line[scanner.at] === "!" && nameAt(line, scanner.at + 1) !== undefined;
  if (isIndirect) scanner.at++;
  const name = nameAt(line, scanner.at);
  if (name === undefined) {
    scanner.fail("${...} needs a name");
    return undefined;
  }
  scanner.at += name.length;
  if (isIndirect && /^[A-Za-z_]/.test(name)) {
    const names = /^[@*](?=\})/.exec(line.slice(scanner.at, scanner.at + 2))?.[0];
    if (names !== undefined) {
      scanner.at++;
      return close() ? { kind: "parameter", name, operation: { kind: "names", joined: names === "*" } } : undefined;
    }
  }
  const subscript = readSubscript(scanner);
  if (scanner.failed) return undefined;
  if (!KNOWN_PARAMETER.test(name) || (isIndirect && name === "$")) return refuse();
  if (isIndirect && subscript.subscript?.kind === "all") {
    if (line[scanner.at] !== "}") return refuse();
    return close() ? { kind: "parameter", name, ...subscript, operation: { kind: "keys" } } : undefined;
  }
  const target = { kind: "parameter", name, ...subscript, ...(isIndirect ? { indirect: true as const } : {}) } as const;
  if (line[scanner.at] === "}") return close() ? { ...target, operation: undefined } : undefined;
  if (name === "#" && /[@^,/]/.test(line[scanner.at] ?? "")) {
    scanner.fail("${#...} takes no such operator");
    return undefined;
  }
  if (line.startsWith("@P", scanner.at)) return refuse();
  const operation = readOperation(scanner, surrounding);
  if (operation === undefined || scanner.failed) return undefined;
  return close() ? { ...target, operation } : undefined;
}

/** A variable, or a special or positional parameter. */
function nameAt(line: string, at: number): string | undefined {
  const naming = /[A-Za-z_]\w*|\d+|[@*#?$!-]/y;
  naming.lastIndex = at;
  return naming.exec(line)?.[0];
}

function readSubscript(scanner: WordScanner): { readonly subscript?: Subscript } {
  const { line, at } = scanner;
  if (line[at] !== "[") return {};
  const all = /^\[[@*]\]/.exec(line.slice(at, at + 3))?.[0];
  if (all !== undefined) {
    scanner.at += all.length;
    return { subscript: { kind: "all", joined: all === "[*]", source: all.charAt(1) } };
  }
  scanner.at++;
  const subscript = scanner.subscript();
  return subscript === undefined ? {} : { subscript };
}

/**
 * Parameters that exist here. Not `$!` and `$_` (the jobs, the command before), nor the variables that tell of the host or of the
 * process.
 */
export const KNOWN_PARAMETER =
  /^(?!_$|SRANDOM$|E?UID$|PPID$|GROUPS$|HOST(NAME|TYPE)$|MACHTYPE$|OSTYPE$|SHELLOPTS$|DIRSTACK$|BASH(?!PID$|_VERSION$|_REMATCH$)\w*$)(\w+|[@*#?$-])$/;

function readOperation(scanner: WordScanner, surrounding: Surrounding): ParameterOperation | undefined {
  const { line } = scanner;
  const take = (text: string): boolean => {
    if (!line.startsWith(text, scanner.at)) return false;
    scanner.at += text.length;
    return true;
  };
  const pattern = (stops: string): Word | undefined => scanner.operand(surrounding, true, stops);
  for (const [mark, kind] of TESTS) {
    for (const orEmpty of [true, false]) {
      if (!take(orEmpty ? `:${mark}` : mark)) continue;
      const word = scanner.operand(surrounding, false, "}");
      return word && { kind, orEmpty, word };
    }
  }
  for (const [mark, from] of [
    ["#", "start"],
    ["%", "end"],
  ] as const) {
    if (!take(mark)) continue;
    const longest = take(mark);
    const removed = pattern("}");
    return removed && { kind: "remove", from, longest, pattern: removed };
  }
  if (take("/")) {
    const where = take("/") ? "all" : take("#") ? "start" : take("%") ? "end" : "first";
    const replaced = where === "all" && line[scanner.at] === "/" ? patternWithSlash(scanner, surrounding) : pattern("/}");
    if (replaced === undefined) return undefined;
    const by = take("/") ? pattern("}") : { parts: [], span: replaced.span };
    return by && { kind: "replace", where, pattern: replaced, by };
  }
  for (const [mark, to] of [
    ["^", "upper"],
    [",", "lower"],
  ] as const) {
    if (!take(mark)) continue;
    const all = take(mark);
    const only = pattern("}");
    return only && { kind: "case", to, all, pattern: only.parts.length === 0 ? undefined : only };
  }
  const letter = /^@([QEAaUuLKk])(?=\})/.exec(line.slice(scanner.at, scanner.at + 3))?.[1];
  if (letter !== undefined) {
    scanner.at += 2;
    return { kind: "transform", letter: letter as TransformLetter };
  }
  if (take(":")) {
    const offset = scanner.operand("quoted", false, ":}");
    if (offset === undefined) return undefined;
    // Nothing before a second colon is 0.
    if (!/\S/.test(line.slice(offset.span.start, offset.span.end)) && line[scanner.at] !== ":") {
      scanner.fail("${...} needs a number behind the colon");
      return undefined;
    }
    if (hasOpenParenthesis(line.slice(offset.span.start, offset.span.end))) {
      scanner.fail("${...} has a parenthesis behind the colon that is not closed");
      return undefined;
    }
    if (!take(":")) return { kind: "slice", offset, length: undefined };
    const length = scanner.operand("quoted", false, "}");
    return length && { kind: "slice", offset, length };
  }
  scanner.fail("${...} holds an operator that bash does not know");
  return undefined;
}

/** bash looks for its end past a colon and past the brace. */
const hasOpenParenthesis = (offset: string): boolean => offset.split("(").length > offset.split(")").length;

/** `${x////-}`: after `//`, a slash begins the pattern. */
function patternWithSlash(scanner: WordScanner, surrounding: Surrounding): Word | undefined {
  const start = scanner.at;
  scanner.at++;
  const rest = scanner.operand(surrounding, true, "/}");
  return rest && { parts: [{ kind: "text", text: "/", quoted: false }, ...rest.parts], span: { start, end: rest.span.end } };
}

const TESTS = [
  ["-", "default"],
  ["=", "assign"],
  ["?", "demand"],
  ["+", "alternative"],
] as const;

function closingBrace(line: string, from: number, end: number): number {
  const close = line.indexOf("}", from);
  return close < 0 || close >= end ? end : close + 1;
}
