/** git cat-file --batch, --batch-check and --batch-command: objects that standard input names, one a line. */
import { endOfLine } from "../../../src/io/lines.ts";
import type { CommandRun, Running } from "./command.ts";
import { GitError } from "../git-error.ts";
import type { ObjectSummary } from "../objects/pack.ts";
import type { Repository } from "../repository.ts";
import { placeNamed, resolveRevision } from "../refs/revision.ts";
import { fromWord } from "../objects/byte-text.ts";

export const BATCHES = ["--batch", "--batch-check", "--batch-command"] as const;

const NEWLINE = 10;

type BatchFlag = (typeof BATCHES)[number] | "-p" | "-t" | "-s" | "-e" | "--batch-all-objects" | "--buffer" | "-z";

/** Throws GitError. */
export function* batch(run: CommandRun<BatchFlag>): Running {
  const { options, repository, print, complain } = run;
  const given = options.each(...BATCHES);
  if (given.length > 1) throw new GitError("only one batch option may be specified", { prefix: "error: ", exit: 129 });
  const single = options.lastOf("-p", "-t", "-s", "-e");
  if (single !== undefined) throw new GitError(`'${single}' is incompatible with batch mode`, { exit: 129 });
  if (options.operands.length + (options.paths?.length ?? 0) > 0) throw new GitError("batch modes take no arguments", { exit: 129 });
  const [{ name, value } = { name: "--batch", value: undefined }] = given;
  const format = new BatchFormat(value === undefined ? USUAL : fromWord(value));
  const packed = options.has("--batch-all-objects") && name !== "--batch" ? repository.objects.packedSummaries() : undefined;
  const show = (id: string, typed: string, rest: string, withContent: boolean): void => {
    const object = withContent ? repository.objects.find(id) : undefined;
    const summary = object === undefined ? (packed?.get(id) ?? repository.objects.summaryOf(id)) : { ...object, size: object.data.length };
    if (summary === undefined) print(`${typed} missing\n`);
    else {
      if (object?.type === "blob") repository.denied.checkNamed(placeNamed(repository, typed), typed);
      print(`${format.text(repository, id, summary, rest)}\n${object === undefined ? "" : `${object.data.toString("latin1")}\n`}`);
    }
  };
  if (options.has("--batch-all-objects")) {
    const isPartial = repository.config.settings.some(
      ({ name: key, value: of }) => key === "extensions.partialclone" || (/^remote\..*\.promisor$/.test(key) && of === "true"),
    );
    if (isPartial) complain("warning: This repository uses promisor remotes. Some objects may not be loaded.\n");
    for (const id of repository.objects.all()) {
      show(id, id, "", name === "--batch");
      yield;
    }
    return 0;
  }
  const answer = (typed: string, withContent: boolean): void => {
    const [, word = "", rest = ""] = format.splits ? (/^([^ \t]*)[ \t]*([^]*)$/.exec(typed) ?? []) : [typed, typed, ""];
    const found = named(repository, word);
    if (found.id === undefined) print(`${word} ${found.why}\n`);
    else show(found.id, word, rest, withContent);
  };
  const separator = options.has("-z") ? 0 : NEWLINE;
  for (let block = yield { separator }; block !== undefined; block = yield { separator }) {
    for (let at = 0; at < block.length; ) {
      const end = endOfLine(block, at, separator);
      const line = block.toString("latin1", at, end);
      at = end + 1;
      if (name !== "--batch-command") answer(line, name === "--batch");
      else {
        const { command, argument } = commandOf(line, options.has("--buffer"));
        if (command !== "flush") answer(argument, command === "contents");
      }
      yield;
    }
  }
  return 0;
}

function named(repository: Repository, word: string): { readonly id?: string; readonly why: "missing" | "ambiguous" } {
  try {
    const id = resolveRevision(repository, word);
    return id === undefined ? { why: "missing" } : { id, why: "missing" };
  } catch (thrown) {
    if (thrown instanceof GitError && thrown.message.startsWith("ambiguous argument")) return { why: "ambiguous" };
    throw thrown;
  }
}

function commandOf(line: string, isBuffered: boolean): { readonly command: "contents" | "info" | "flush"; readonly argument: string } {
  if (line === "") throw new GitError("empty command in input");
  if (/^\s/.test(line)) throw new GitError(`whitespace before command: '${line}'`);
  const [, command, argument] = /^(contents|info|flush)([^]*)$/.exec(line) ?? [];
  if (command === "flush") {
    if (argument !== "") throw new GitError("flush takes no arguments");
    if (!isBuffered) throw new GitError("flush is only for --buffer mode");
    return { command, argument: "" };
  }
  if (command !== "contents" && command !== "info") throw new GitError(`unknown command: '${line}'`);
  if (argument?.startsWith(" ") !== true) throw new GitError(`${command} requires arguments`);
  return { command, argument: argument.slice(1) };
}

const USUAL = "%(objectname) %(objecttype) %(objectsize)";
const ATOMS = ["objectname", "objecttype", "objectsize", "objectsize:disk", "deltabase", "rest"] as const;
type Atom = (typeof ATOMS)[number];

class BatchFormat {
  readonly #parts: readonly ({ readonly text: string } | { readonly atom: Atom })[];

  /** Throws GitError for an unknown atom. */
  constructor(format: string) {
    const parts: ({ readonly text: string } | { readonly atom: Atom })[] = [];
    for (let at = 0; at < format.length; ) {
      const percent = format.indexOf("%", at);
      if (percent < 0) {
        parts.push({ text: format.slice(at) });
        break;
      }
      parts.push({ text: format.slice(at, percent) });
      if (format[percent + 1] === "(") {
        const end = format.indexOf(")", percent);
        if (end < 0) throw new GitError(`format element '${format.slice(percent + 1)}' does not end in ')'`);
        const name = format.slice(percent + 2, end);
        const atom = ATOMS.find((known) => known === name);
        if (atom === undefined) throw new GitError(`unknown format element: ${name}`);
        parts.push({ atom });
        at = end + 1;
      } else {
        parts.push({ text: "%" });
        at = percent + (format[percent + 1] === "%" ? 2 : 1);
      }
    }
    this.#parts = parts;
  }

  get #asksStorage(): boolean {
    return this.#parts.some((part) => "atom" in part && (part.atom === "objectsize:disk" || part.atom === "deltabase"));
  }

  /** Lines have more in them than names. */
  get splits(): boolean {
    return this.#parts.some((part) => "atom" in part && part.atom === "rest");
  }

  text(repository: Repository, id: string, { type, size }: ObjectSummary, rest: string): string {
    // git knows the empty tree without looking for it.
    const stored = !this.#asksStorage || id === repository.format.emptyTree ? undefined : repository.objects.storageOf(id);
    const value = (atom: Atom): string => {
      switch (atom) {
        case "objectname":
          return id;
        case "objecttype":
          return type;
        case "objectsize":
          return String(size);
        case "objectsize:disk":
          return String(stored?.bytes ?? 0);
        case "deltabase":
          return stored?.base ?? repository.format.noId;
        case "rest":
          return rest;
      }
    };
    return this.#parts.map((part) => ("text" in part ? part.text : value(part.atom))).join("");
  }
}
