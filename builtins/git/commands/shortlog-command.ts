/** git shortlog: commits gathered by who made them. */
import { textWidth } from "../../../src/display/character-width.ts";
import { fromWord, toWord, withoutOuterSpace, withoutTrailingSpace } from "../objects/byte-text.ts";
import { command } from "./command.ts";
import { noEffect, OPTIONAL, SWITCH, VALUE } from "./flags.ts";
import { chosenFormat } from "../log/chosen-format.ts";
import { prettyContext, type ContextFlag } from "../log/commit-printer.ts";
import { GitError } from "../git-error.ts";
import { chosenCommits, historyRequest, type HistoryFlag } from "../log/history-request.ts";
import { NO_LOG_FLAGS, WALK_FLAGS } from "../log/walk-flags.ts";
import type { Commit, Signature } from "../objects/objects.ts";
import { subjectOf } from "../log/message.ts";
import { expanded } from "../log/pretty.ts";
import { trailersOf } from "../log/trailers.ts";
import { mailmapOf } from "../log/mailmap.ts";
import { wholeInput } from "./standard-input.ts";

export const shortlog = command({
  flags: {
    "-s": SWITCH,
    "--summary": SWITCH,
    "-e": SWITCH,
    "--email": SWITCH,
    "--numbered": SWITCH,
    "-c": SWITCH,
    "--group": VALUE,
    "-w": OPTIONAL,
    "--format": VALUE,
    "--pretty": OPTIONAL,
    "--date": VALUE,
    ...WALK_FLAGS,
    ...NO_LOG_FLAGS,
    "--full-diff": noEffect("no differences are shown"),
    "--left-right": noEffect("the sides of a range are not told apart"),
    "-n": SWITCH,
    "--committer": SWITCH,
  },
  takesNumbers: true,
  shortened: ["--committer", "--numbered", "--summary", "--email", "--group"],
  numberFlag: "--max-count",
  *run(run) {
    const { options, repository, print } = run;
    const mailmap = mailmapOf(repository);
    const who = (signature: Pick<Signature, "name" | "mail">): string => {
      const { name, mail } = mailmap.map(signature);
      return options.has("-e", "--email") ? `${name} <${mail}>` : name;
    };
    // -n here is --numbered, and --committer is -c.
    const walk = { ...run, options: options.without("-n").without("--committer").among<HistoryFlag | ContextFlag>() };
    const chosen = chosenFormat(walk.options, repository, false);
    const context = prettyContext(walk, chosen);
    const groups = options.all("--group").map(fromWord);
    if (options.has("-c", "--committer")) groups.push("committer");
    const keysOf = (commit: Commit): Set<string> => {
      const keys = new Set<string>();
      for (const group of groups.length === 0 ? ["author"] : groups) {
        if (group === "author") keys.add(who(commit.author));
        else if (group === "committer") keys.add(who(commit.committer));
        else if (group.startsWith("trailer:")) {
          for (const { key, value } of trailersOf(commit.message, repository.config)) {
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
    const add = (key: string, text: string): void => {
      const list = found.get(key);
      if (list === undefined) found.set(key, [text]);
      else list.push(text);
    };
    // Standard input is no terminal here, and so it is read where no revision is given.
    const readsInput = options.operands.length === 0 && !options.has("--all", "--branches", "--tags", "--remotes", "--glob");
    if (readsInput) {
      const log = (yield* wholeInput(repository)).toString("latin1");
      for (const { ident, subject } of commitsIn(log, groups)) add(who(ident), withoutPatchMark(subject));
    }
    for (const { commit } of readsInput ? [] : chosenCommits(repository, historyRequest(walk))) {
      const text =
        chosen.format.kind === "user"
          ? expanded(commit, chosen.format.format, context)
          : withoutPatchMark(subjectOf(commit.message) || "<none>");
      for (const key of keysOf(commit)) add(key, text);
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
});

const withoutPatchMark = (subject: string): string => subject.replace(/^\[PATCH[^\]]*\] */, "");

/** Commits of the log on standard input: who made each, and the first line of its message. Throws GitError. */
function* commitsIn(
  log: string,
  groups: readonly string[],
): Generator<{ readonly ident: Pick<Signature, "name" | "mail">; readonly subject: string }, void> {
  const [group = "author"] = groups;
  if (new Set(groups).size > 1) throw new GitError("using multiple --group options with stdin is not supported");
  if (group !== "author" && group !== "committer")
    throw new GitError(`using --group=${group.startsWith("trailer:") ? "trailer" : "format"} with stdin is not supported`);
  const start = group === "author" ? /^(?:Author: |author )/ : /^(?:Commit: |committer )/;
  const lines = log.replace(/\n$/, "").split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (!start.test(line)) continue;
    const [, name = "", mail] = /^([^<]*)<([^>]*)>/.exec(line.replace(start, "")) ?? [];
    while (at + 1 < lines.length && lines[++at] !== "");
    while (at + 1 < lines.length && lines[++at] === "");
    if (mail === undefined) continue;
    yield { ident: { name: withoutTrailingSpace(name), mail }, subject: withoutOuterSpace(lines[at] ?? "") };
  }
}

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
