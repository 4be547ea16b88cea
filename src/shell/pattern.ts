/**
 * Matches a whole text against the patterns of `case` and `[[ ]]`, in time linear in the text for each character of the
 * pattern.
 */
import { toBytes, toText } from "../io/text.ts";
import { PatternError } from "../regex/pattern-error.ts";
import { BufferSearch } from "../search/buffer-search.ts";
import { compileGlob } from "../glob/glob-match.ts";
import type { GlobOptions } from "../glob/glob-pattern.ts";

/** Tells whether the shell pattern matches all of `text`. */
export const patternMatches = (pattern: string, text: string, options: GlobOptions = {}): boolean =>
  compileGlob(pattern, options).matches(text);

/**
 * The match of the extended regular expression and those of its groups, "" for a group that took no part; none where it does not
 * match, undefined if it is not valid.
 */
export function regexGroups(pattern: string, text: string): readonly string[] | undefined {
  const bytes = toBytes(text);
  try {
    const search = new BufferSearch(pattern, { syntax: "extended", foldCase: false });
    search.load(bytes, 0, bytes.length);
    if (!search.find(0, true)) return [];
    const groups: string[] = [];
    for (let group = 0; group <= search.groupCount; group++) {
      const [start = -1, end = -1] = search.offsets.subarray(2 * group);
      groups.push(start < 0 ? "" : toText(bytes.subarray(start, end)));
    }
    return groups;
  } catch (thrown) {
    if (thrown instanceof PatternError) return undefined;
    throw thrown;
  }
}
