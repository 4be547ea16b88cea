/** Trailers of a commit's message or a tag's, as formats and shortlog show them: `%(trailers)` of git-log(1). */
import type { Config } from "../config.ts";
import { withoutTrailingSpace } from "../objects/byte-text.ts";
import { withoutEmptyLines } from "./message.ts";
import { commentMark, readBlock, unfolded } from "./trailer-block.ts";

export interface Trailer {
  readonly key: string;
  /** On one line. */
  readonly value: string;
}

/** Throws GitError for a bad core.commentChar. */
export function trailersOf(message: string, config: Config): readonly Trailer[] {
  return readBlock(withoutEmptyLines(message), commentMark(config), false).lines.flatMap((line) =>
    line.key === undefined ? [] : [{ key: line.key, value: unfolded(line).value }],
  );
}

/** Settings of `%(trailers:…)`. */
export interface TrailerRule {
  /** In small letters; all where there is none. */
  readonly keys: readonly string[];
  /** Other lines of the block are left out. */
  readonly only: boolean;
  readonly unfold: boolean;
  readonly keyOnly: boolean;
  readonly valueOnly: boolean;
  /** Undefined: a newline ends each. */
  readonly separator: string | undefined;
  /** Undefined: ": ". */
  readonly between: string | undefined;
}

const BOOLEANS = { only: "only", unfold: "unfold", keyonly: "keyOnly", valueonly: "valueOnly" } as const;
const TRUE_WORDS = /^(?:true|yes|on|[+-]?0*[1-9][0-9]*[kmg]?)$/i;
const FALSE_WORDS = /^(?:|false|no|off|[+-]?0+[kmg]?)$/i;
const isBoolean = (name: string): name is keyof typeof BOOLEANS => Object.hasOwn(BOOLEANS, name);

/** `key=K,only,unfold,valueonly,keyonly,separator=S,key_value_separator=S`; the rest of it from an unknown option on, where there is one. */
export function readTrailerRule(typed: string): TrailerRule | { readonly unknown: string } {
  let rule: TrailerRule = {
    keys: [],
    only: false,
    unfold: false,
    keyOnly: false,
    valueOnly: false,
    separator: undefined,
    between: undefined,
  };
  // A comma may stand at the end.
  for (const word of typed.replace(/,$/, "").split(",")) {
    if (typed === "") break;
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    const value = equals < 0 ? undefined : word.slice(equals + 1);
    if (name === "key" && value !== undefined) rule = { ...rule, keys: [...rule.keys, value.replace(/:$/, "").toLowerCase()], only: true };
    else if (name === "separator") rule = { ...rule, separator: literal(value ?? "") };
    else if (name === "key_value_separator") rule = { ...rule, between: literal(value ?? "") };
    else {
      const said = value === undefined || TRUE_WORDS.test(value) ? true : FALSE_WORDS.test(value) ? false : undefined;
      if (!isBoolean(name) || said === undefined) return { unknown: word };
      rule = { ...rule, [BOOLEANS[name]]: said };
    }
  }
  return rule;
}

const literal = (text: string): string =>
  text.replace(/%(?:%|n|x([0-9a-fA-F]{2}))/g, (all, hex: string | undefined) =>
    hex === undefined ? (all === "%n" ? "\n" : "%") : String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** Throws GitError for a bad core.commentChar. */
export function trailerText(message: string, rule: TrailerRule, config: Config): string {
  const { separator } = rule;
  const text = withoutEmptyLines(message);
  const block = readBlock(text, commentMark(config), false);
  const isChanged = rule.keys.length > 0 || rule.only || rule.unfold || rule.keyOnly || rule.valueOnly;
  if (!isChanged && separator === undefined && rule.between === undefined) return text.slice(block.start, block.end);
  const shown = block.lines.flatMap((line) => {
    if (line.key === undefined) return rule.only ? [] : [separator === undefined ? line.text : withoutTrailingSpace(line.text)];
    if (rule.keys.length > 0 && !rule.keys.includes(line.key.toLowerCase())) return [];
    const { value } = rule.unfold ? unfolded(line) : line;
    const parts = [rule.valueOnly ? "" : line.key, rule.keyOnly || rule.valueOnly ? "" : (rule.between ?? ": "), rule.keyOnly ? "" : value];
    return [parts.join("") + (separator === undefined ? "\n" : "")];
  });
  let out = "";
  for (const one of shown) out += (out === "" ? "" : (separator ?? "")) + one;
  return out;
}
