/** sub, gsub and gensub. */
import { ByteSubstitution } from "../run/byte-substitution.ts";
import { characterWidth } from "../run/characters.ts";
import type { ExpressionCompiler } from "../compile/expression-compiler.ts";
import { FatalError } from "../syntax/program-error.ts";
import { numeric, type BuiltinCall, type FunctionClosures } from "./function-closures.ts";
import type { AwkRegex } from "../run/regex.ts";
import type { Runtime } from "../run/runtime.ts";
import type { Expression, Target } from "../syntax/tree.ts";
import { isTarget } from "../syntax/operand-facts.ts";
import { Regexp, toNumber, type Scalar } from "../values/values.ts";
import { toText } from "../values/text-conversion.ts";

/** Text and, between, what stands for the match (0) or a group of it. */
export type Replacement = readonly (string | number)[];

export function substitutionFunction(call: BuiltinCall, expressions: ExpressionCompiler): FunctionClosures | undefined {
  switch (call.name) {
    case "sub":
      return inPlace(call, expressions, false);
    case "gsub":
      return inPlace(call, expressions, true);
    case "gensub":
      return general(call, expressions);
    default:
      return undefined;
  }
}

function inPlace({ values }: BuiltinCall, expressions: ExpressionCompiler, isGlobal: boolean): FunctionClosures {
  const { runtime, places } = expressions;
  const regex = expressions.regex(values[0] as Expression);
  const replacementText = expressions.text(values[1] as Expression);
  const given = values[2];
  const target: Target | undefined =
    given === undefined ? { kind: "field", index: { kind: "number", value: 0 } } : isTarget(given) ? given : undefined;
  let lastText: string | undefined;
  let replacement: Replacement = [];
  const parsed = (text: string): Replacement => {
    if (text !== lastText) {
      replacement = parseReplacement(text, false);
      lastText = text;
    }
    return replacement;
  };
  if (target === undefined) {
    // The result goes nowhere, but what is counted is counted.
    const text = expressions.text(given as Expression);
    return numeric(() => {
      const search = regex();
      const with_ = parsed(replacementText());
      const { count } = substitute(text(), search, with_, isGlobal ? "all" : 1, runtime);
      return count;
    });
  }
  const whole = given === undefined;
  const { record } = runtime;
  const bytewise = new ByteSubstitution((length) => runtime.checkHeld(length));
  let count = 0;
  let search: AwkRegex | undefined;
  const modify = places.modify(target, (before) => {
    const result = substitute(toText(before, runtime), search as AwkRegex, replacement, isGlobal ? "all" : 1, runtime);
    count = result.count;
    if (count === 0) return undefined;
    return before instanceof Regexp ? regexpOf(result.text, runtime) : result.text;
  });
  return numeric(() => {
    const pattern = regex();
    parsed(replacementText());
    if (whole) {
      record.settle();
      if (!pattern.mayMatchRecord(record.bytes, record.from, record.to, record.inputEnd)) return 0;
      const replaced = record.isRegexp ? undefined : bytewise.replace(record, pattern, replacement, isGlobal);
      if (replaced !== undefined) return replaced;
    }
    search = pattern;
    modify();
    return count;
  });
}

function general({ values }: BuiltinCall, expressions: ExpressionCompiler): FunctionClosures {
  const { runtime } = expressions;
  const regex = expressions.regex(values[0] as Expression);
  const replacementText = expressions.text(values[1] as Expression);
  const how = expressions.value(values[2] as Expression);
  const text = values[3] === undefined ? () => runtime.record.text : expressions.text(values[3]);
  return {
    value: () => {
      const search = regex();
      const replacement = parseReplacement(replacementText(), true);
      const given = how();
      const subject = text();
      const which = occurrence(given, runtime);
      return substitute(subject, search, replacement, which, runtime).text;
    },
  };
}

/** gensub's third argument: "g…", or the number of the match. */
function occurrence(value: Scalar, runtime: Runtime): number | "all" {
  const text = toText(value, runtime);
  if (typeof value !== "number" && /^[gG]/.test(text)) return "all";
  const number = Math.trunc(toNumber(value));
  if (number >= 1) return number;
  runtime.warn(`gensub: third argument \`${text}' treated as 1`);
  return 1;
}

/**
 * `&` is the match and `\&` an ampersand; with groups, `\0` to `\9` are theirs. Backslashes in front of an ampersand
 * stand for half as many; elsewhere sub and gsub leave them, and gensub takes them in pairs.
 */
function parseReplacement(text: string, hasGroups: boolean): Replacement {
  const parts: (string | number)[] = [];
  let plain = "";
  const put = (group: number): void => {
    if (plain !== "") parts.push(plain);
    plain = "";
    parts.push(group);
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === "&") {
      put(0);
      continue;
    }
    if (letter !== "\\") {
      plain += letter;
      continue;
    }
    const next = text[at + 1];
    if (hasGroups) {
      at++;
      if (next !== undefined && next >= "0" && next <= "9") put(Number(next));
      else plain += next ?? "\\";
      continue;
    }
    let end = at;
    while (text[end] === "\\") end++;
    const count = end - at;
    if (text[end] !== "&") plain += "\\".repeat(count);
    else {
      plain += "\\".repeat(count >> 1);
      if (count % 2 === 1) {
        plain += "&";
        end++;
      }
    }
    at = end - 1;
  }
  if (plain !== "") parts.push(plain);
  return parts;
}

function substitute(
  subject: string,
  search: AwkRegex,
  replacement: Replacement,
  which: number | "all",
  runtime: Runtime,
): { count: number; text: string } {
  const only = replacement.length === 0 ? "" : replacement.length === 1 && typeof replacement[0] === "string" ? replacement[0] : undefined;
  const { literal } = search;
  if (literal !== undefined && only !== undefined && which === "all") return replaceLiteral(subject, literal, only, runtime);
  const usesGroups = replacement.some((part) => typeof part === "number" && part > 0);
  search.load(subject);
  const { offsets } = search;
  let text = "";
  let copied = 0;
  let count = 0;
  let lastEnd = -1;
  for (let at = 0; at <= subject.length && search.find(at, usesGroups); ) {
    const [from = 0, to = 0] = [offsets[0], offsets[1]];
    // An empty match right behind a match that was replaced is none.
    if (from < to || from !== lastEnd || which !== "all") {
      count++;
      if (which === "all" || count === which) {
        text += subject.slice(copied, from);
        for (const part of replacement) {
          if (typeof part === "string") text += part;
          else if ((offsets[2 * part] ?? -1) >= 0 && part <= search.groupCount)
            text += subject.slice(offsets[2 * part], offsets[2 * part + 1]);
        }
        copied = to;
        if (text.length > 1 << 20) runtime.checkLength(text);
        if (which !== "all") break;
      }
    }
    lastEnd = to;
    at = from < to ? to : to + (to < subject.length && !runtime.bytesAreCharacters ? characterWidth(subject, to) : 1);
  }
  if (copied === 0 && text === "" && count === 0) return { count: 0, text: subject };
  return { count, text: text + subject.slice(copied) };
}

function replaceLiteral(subject: string, literal: string, replacement: string, runtime: Runtime): { count: number; text: string } {
  let count = 0;
  let text = "";
  let copied = 0;
  for (let at = subject.indexOf(literal); at >= 0; at = subject.indexOf(literal, copied)) {
    text += subject.slice(copied, at) + replacement;
    copied = at + literal.length;
    count++;
    if (text.length > 1 << 20) runtime.checkLength(text);
  }
  return count === 0 ? { count, text: subject } : { count, text: text + subject.slice(copied) };
}

/** Throws FatalError, and says what is wrong before. */
function regexpOf(source: string, runtime: Runtime): Regexp {
  try {
    runtime.regexes.get(source, runtime.ignoreCase);
  } catch (thrown) {
    if (!(thrown instanceof FatalError)) throw thrown;
    runtime.report(`${runtime.prefix}${runtime.where}error: ${thrown.message.replace(/^invalid regexp: /, "")}`);
    throw new FatalError("could not make typed regex");
  }
  return new Regexp(source);
}
