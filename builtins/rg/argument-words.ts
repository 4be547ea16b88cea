/** ripgrep's messages for arguments it cannot read (crates/core/flags/parse.rs of ripgrep). */
import type { ArgumentWords } from "../../src/builtin/definition.ts";
import { namedFlags } from "../../src/builtin/flag-names.ts";
import { flags } from "./flags.ts";

export const argumentWords: ArgumentWords = {
  unknown: (flag) => {
    const similar = flag.startsWith("--") ? similarNames(flag.slice(2)) : [];
    const list = similar.map((name) => `--${name}`).join(", ");
    return `unrecognized flag ${flag}${list === "" ? "" : `\n\nsimilar flags that are available: ${list}`}`;
  },
  missingValue: (flag) => `missing value for flag ${flag}: missing argument for option '${flag}'`,
  unexpectedValue: (flag, value) => `invalid CLI arguments: unexpected argument for option '${flag}': ${JSON.stringify(value)}`,
};

/** Least Jaccard index of the trigrams of two similar names. */
const SIMILAR = 0.4;
/** Of the others, ripgrep's list is in alphabetical order. */
const FIRST = ["regexp", "file"];

function similarNames(typed: string): readonly string[] {
  const given = threes(typed);
  const names = namedFlags(flags).flatMap(({ flag, longNames }) => {
    // A flag that undoes another stands behind it in ripgrep's list, and other names behind both.
    const undoes = /^(?:turn|the opposite of|deprecated: the opposite of) --([a-z0-9-]+)/.exec(flag.help)?.[1];
    return longNames.map((name, index) => ({
      name,
      behind: undoes ?? longNames[0] ?? name,
      rank: index > 0 ? 2 : undoes === undefined ? 0 : 1,
    }));
  });
  const place = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return names
    .filter(({ name }) => likeness(given, threes(name)) >= SIMILAR)
    .sort((a, b) => place(a.behind) - place(b.behind) || (a.behind < b.behind ? -1 : a.behind > b.behind ? 1 : a.rank - b.rank))
    .map(({ name }) => name);
}

/** Jaccard index: how much is common of all there is. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((three) => b.has(three)).length;
  return common / (a.size + b.size - common);
}

function threes(name: string): ReadonlySet<string> {
  const padded = name.padEnd(3, "!");
  return new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)));
}
