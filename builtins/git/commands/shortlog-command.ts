/** git shortlog: commits gathered by who made them. */
import { textWidth } from "../../../src/display/character-width.ts";
import { fromWord, toWord, withoutOuterSpace } from "../objects/byte-text.ts";
import type { Command } from "./command.ts";
import { chosenFormat, prettyContext } from "../log/commit-printer.ts";
import { GitError } from "../git-error.ts";
import { chosenCommits, historyRequest, WALK_FLAGS } from "../log/history-request.ts";
import type { Commit, Signature } from "../objects/objects.ts";
import { Options } from "./options.ts";
import { expanded, subjectOf } from "../log/pretty.ts";
import { trailersOf } from "../log/trailers.ts";
import { mailmapOf } from "../log/mailmap.ts";

export const shortlog: Command = {
  flags: `-s --summary -e --email --numbered -c --group: -w? --format: --pretty? --date: ${WALK_FLAGS.replace("-n: ", "-n ")}`,
  takesNumbers: true,
  numberFlag: "--max-count",
  *run(run) {
    const { options, repository, print } = run;
    // git reads a log from standard input where no revision is given and it is no terminal.
    if (options.operands.length === 0 && !options.has("--all", "--branches", "--tags", "--remotes", "--glob")) return 0;
    const mailmap = mailmapOf(repository);
    const who = (signature: Signature): string => {
      const { name, mail } = mailmap.map(signature);
      return options.has("-e", "--email") ? `${name} <${mail}>` : name;
    };
    const walk = { ...run, options: withoutCount(options) };
    const chosen = chosenFormat(options, repository);
    const context = prettyContext(run, chosen);
    const groups = options.all("--group").map(fromWord);
    if (options.has("-c")) groups.push("committer");
    const keysOf = (commit: Commit): Set<string> => {
      const keys = new Set<string>();
      for (const group of groups.length === 0 ? ["author"] : groups) {
        if (group === "author") keys.add(who(commit.author));
        else if (group === "committer") keys.add(who(commit.committer));
        else if (group.startsWith("trailer:")) {
          for (const { key, value } of trailersOf(commit.message)) {
            if (key.toLowerCase() !== group.slice(8).toLowerCase()) continue;
            const [, name, mail] = /^([^<]*)<([^>]*)>/.exec(value) ?? [];
            keys.add(mail === undefined ? value : who({ ...commit.author, name: withoutOuterSpace(name ?? ""), mail }));
          }
        } else if (group.startsWith("format:") || group.includes("%")) keys.add(expanded(commit, group.replace(/^format:/, ""), context));
        else throw new GitError(`unknown group type: ${group}`, { prefix: "error: ", exit: 129 });
      }
      return keys;
    };
    const found = new Map<string, string[]>();
    for (const { commit } of chosenCommits(repository, historyRequest(walk))) {
      const text =
        chosen.format.kind === "user"
          ? expanded(commit, chosen.format.format, context)
          : subjectOf(commit.message).replace(/^\[PATCH[^\]]*\] */, "");
      for (const key of keysOf(commit)) {
        const list = found.get(key);
        if (list === undefined) found.set(key, [text]);
        else list.push(text);
      }
      yield;
    }
    const list = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
    if (options.has("-n", "--numbered")) list.sort(([, a], [, b]) => b.length - a.length);
    const wrap = options.has("-w") ? wrapOf(options.last("-w") ?? "") : undefined;
    for (const [key, texts] of list) {
      if (options.has("-s", "--summary")) {
        print(`${String(texts.length).padStart(6)}\t${key}\n`);
        continue;
      }
      const lines = texts.reverse().map((text) => (wrap === undefined ? `      ${text}\n` : wrapped(text, wrap)));
      print(`${key} (${texts.length}):\n${lines.join("")}\n`);
      yield;
    }
    return 0;
  },
};

/** -n here is --numbered. */
const withoutCount = (options: Options): Options =>
  new Options(
    options.list.filter(({ name }) => name !== "-n"),
    options.operands,
    options.paths,
    options.sequence,
  );

interface Wrap {
  readonly width: number;
  readonly first: number;
  readonly rest: number;
}

function wrapOf(text: string): Wrap {
  const [, width = "76", first = "6", rest = "9"] = /^([0-9]+)?(?:,([0-9]+))?(?:,([0-9]+))?$/.exec(text) ?? [];
  return { width: Number(width), first: Number(first), rest: Number(rest) };
}

function wrapped(text: string, { width, first, rest }: Wrap): string {
  let out = " ".repeat(first);
  let column = first;
  let isStart = true;
  for (const word of text.split(/[ \t\n]+/).filter((part) => part !== "")) {
    const wide = textWidth(toWord(word));
    if (!isStart && width > 0 && column + 1 + wide > width) {
      out += `\n${" ".repeat(rest)}`;
      column = rest;
      isStart = true;
    }
    out += `${isStart ? "" : " "}${word}`;
    column += wide + (isStart ? 0 : 1);
    isStart = false;
  }
  return `${out}\n`;
}
