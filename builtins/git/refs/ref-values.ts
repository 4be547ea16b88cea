/** Values of the atoms of git-for-each-ref(1): names, objects, people, dates and messages of one reference. */
import { textWidth } from "../../../src/display/character-width.ts";
import { toWord } from "../objects/byte-text.ts";
import type { CommandRun } from "../commands/command.ts";
import { readDateStyle } from "../dates/date-printer.ts";
import { GitError } from "../git-error.ts";
import { mailmapOf } from "../log/mailmap.ts";
import { parseCommit, parseTag, type Commit, type Signature, type Tag } from "../objects/objects.ts";
import type { Ref } from "./refs.ts";
import type { Repository } from "../repository.ts";
import { pushesUpstream, upstreamOf, warnsOfOthers } from "./revision.ts";
import { aheadBehind } from "../worktree/tracking.ts";
import { readTrailerRule, trailerText } from "../log/trailers.ts";
import type { Config } from "../config.ts";
import { branchPlaces } from "../worktree/worktrees.ts";

/** A reference with what is read of it when it is asked for. */
export interface RefSubject extends Ref {
  /** Text shown in place of the name: of a detached HEAD. */
  readonly title?: string;
}

/** An atom of a format: `%(*authordate:short)`. */
export interface Atom {
  readonly name: string;
  /** After the colon; undefined where there is none. */
  readonly modifier: string | undefined;
  /** True for the object that a tag points to (`*`). */
  readonly peels: boolean;
}

const NAMES = new Set([
  ...["refname", "objecttype", "objectsize", "objectname", "tree", "parent", "numparent", "object", "type", "tag"],
  ...["author", "authorname", "authoremail", "authordate", "committer", "committername", "committeremail", "committerdate"],
  ...["tagger", "taggername", "taggeremail", "taggerdate", "creator", "creatordate", "subject", "body", "contents", "trailers"],
  ...[
    "upstream",
    "push",
    "symref",
    "flag",
    "HEAD",
    "color",
    "align",
    "end",
    "if",
    "then",
    "else",
    "worktreepath",
    "deltabase",
    "raw",
    "rest",
    "signature",
  ],
]);

/** Throws GitError: `unknown field name`. */
export function readAtom(text: string): Atom {
  const peels = text.startsWith("*");
  const bare = peels ? text.slice(1) : text;
  const colon = bare.indexOf(":");
  const name = colon < 0 ? bare : bare.slice(0, colon);
  if (name === "") throw new GitError(`malformed field name: ${text}`);
  if (!NAMES.has(name)) throw new GitError(`unknown field name: ${bare}`);
  if (name === "deltabase" || name === "raw" || name === "signature") throw new GitError(`%(${name}) is not available here`);
  return { name, modifier: colon < 0 ? undefined : bare.slice(colon + 1), peels };
}

interface Loaded {
  readonly id: string;
  readonly type: string;
  readonly size: number;
  readonly commit: Commit | undefined;
  readonly tag: Tag | undefined;
}

export class RefValues {
  readonly #run: CommandRun;
  readonly #repository: Repository;
  readonly #loaded = new Map<string, Loaded | undefined>();
  readonly #head: string | undefined;
  #places: ReadonlyMap<string, string> | undefined;
  readonly #map: (who: Signature) => Signature;

  constructor(run: CommandRun) {
    this.#run = run;
    this.#repository = run.repository;
    this.#head = run.repository.refs.symbolic("HEAD");
    const mailmap = mailmapOf(run.repository);
    this.#map = (who) => mailmap.map(who);
  }

  /** Number of a numeric or date value, for sorting; undefined if the text decides. */
  numberOf(ref: RefSubject, atom: Atom): number | undefined {
    const object = this.#objectOf(ref, atom.peels);
    if (/date$/.test(atom.name)) return this.#person(object, atom.name.slice(0, -4))?.seconds ?? 0;
    if (atom.name === "objectsize") return object?.size ?? 0;
    return atom.name === "numparent" ? (object?.commit?.parents.length ?? 0) : undefined;
  }

  /** Throws GitError where a modifier is none. */
  textOf(ref: RefSubject, atom: Atom): string {
    const { name, modifier, peels } = atom;
    switch (name) {
      case "refname":
        return (ref.title ?? this.#refName(ref.name, modifier, name)) + (peels ? "^{}" : "");
      case "symref":
        return ref.target === undefined ? "" : this.#refName(ref.target, modifier, name);
      case "flag":
        return [
          ...(ref.target === undefined ? [] : ["symref"]),
          ...(this.#repository.refs.isPacked(ref.target ?? ref.name) ? ["packed"] : []),
        ].join(",");
      case "HEAD":
        return ref.name === this.#head || ref.title !== undefined ? "*" : " ";
      case "upstream":
      case "push":
        return this.#upstream(ref, modifier, name);
      case "color":
      case "rest":
        return "";
      case "worktreepath":
        this.#places ??= branchPlaces(this.#repository);
        return this.#places.get(ref.name) ?? "";
    }
    if (peels && this.#load(ref.id)?.type !== "tag") return "";
    return this.#objectText(this.#objectOf(ref, peels), name, modifier);
  }

  #objectText(object: Loaded | undefined, name: string, modifier: string | undefined): string {
    if (object === undefined) return "";
    const { commit, tag } = object;
    const id = (of: string): string => this.#shortened(of, modifier, name);
    switch (name) {
      case "objecttype":
        return object.type;
      case "objectsize":
        return String(modifier === "disk" ? (this.#repository.objects.storageOf(object.id)?.bytes ?? 0) : object.size);
      case "objectname":
        return id(object.id);
      case "tree":
        return commit === undefined ? "" : id(commit.tree);
      case "parent":
        return (commit?.parents ?? []).map(id).join(" ");
      case "numparent":
        return commit === undefined ? "" : String(commit.parents.length);
      case "object":
        return tag === undefined ? "" : tag.object;
      case "type":
        return tag?.type ?? "";
      case "tag":
        return tag?.name ?? "";
      case "subject":
      case "body":
      case "contents":
      case "trailers":
        return messageText(commit?.message ?? tag?.message, name, modifier, this.#repository.config);
    }
    const [, who = "", part = ""] = /^(author|committer|tagger|creator)(name|email|date)?$/.exec(name) ?? [];
    const person = this.#person(object, who);
    if (person === undefined) return "";
    const mapped = modifier === "mailmap" ? this.#map(person) : person;
    switch (part) {
      case "name":
        return mapped.name;
      case "email":
        return modifier === "trim" ? mapped.mail : modifier === "localpart" ? mapped.mail.replace(/@[^]*$/, "") : `<${mapped.mail}>`;
      case "date":
        return this.#run.dates.text(person, readDateStyle(modifier ?? "default"));
    }
    return `${person.name} <${person.mail}> ${person.seconds} ${person.zone}`;
  }

  #person(object: Loaded | undefined, who: string): Signature | undefined {
    if (who === "author") return object?.commit?.author;
    if (who === "committer") return object?.commit?.committer;
    if (who === "tagger") return object?.tag?.tagger;
    return object?.tag?.tagger ?? object?.commit?.committer;
  }

  #objectOf(ref: RefSubject, peels: boolean): Loaded | undefined {
    const object = this.#load(ref.id);
    return peels && object?.tag !== undefined ? this.#load(object.tag.object) : object;
  }

  #load(id: string): Loaded | undefined {
    if (!this.#loaded.has(id)) {
      const raw = this.#repository.objects.find(id);
      if (raw === undefined) throw new GitError(`missing object ${id}`);
      this.#loaded.set(id, {
        id,
        type: raw.type,
        size: raw.data.length,
        commit: raw.type === "commit" ? parseCommit(id, this.#repository.format, raw.data).asStored : undefined,
        tag: raw.type === "tag" ? parseTag(raw.data) : undefined,
      });
    }
    return this.#loaded.get(id);
  }

  #shortened(id: string, modifier: string | undefined, name: string): string {
    if (modifier === undefined) return id;
    if (modifier === "short") return this.#repository.short(id);
    const [, length] = /^short=([0-9]+)$/.exec(modifier) ?? [];
    if (length === undefined) throw new GitError(`unrecognized %(${name}) argument: ${modifier}`);
    return this.#repository.short(id, Math.max(4, Number(length)));
  }

  #refName(full: string, modifier: string | undefined, name: string): string {
    if (modifier === undefined || modifier === "") return full;
    if (modifier === "short") return shortestRefName(this.#repository, full);
    const [, side, count] = /^(l?strip|rstrip)=(-?[0-9]+)$/.exec(modifier) ?? [];
    if (count === undefined) throw new GitError(`unrecognized %(${name}:${modifier}) argument: ${modifier}`);
    const parts = full.split("/");
    const number = Number(count);
    const left = number < 0 ? Math.min(parts.length, -number) : Math.max(0, parts.length - number);
    return side === "rstrip" ? parts.slice(0, left).join("/") : parts.slice(parts.length - left).join("/");
  }

  #upstream(ref: RefSubject, modifier: string | undefined, name: string): string {
    if (!ref.name.startsWith("refs/heads/")) return "";
    const branch = ref.name.slice(11);
    const { config } = this.#repository;
    const words = (modifier ?? "").split(",");
    const isPush = name === "push";
    const pushes = isPush && pushesUpstream(this.#repository, branch);
    if (words.includes("remotename")) return config.get(`branch.${branch}.remote`) ?? "";
    // Of a push it is what remote.NAME.push says.
    if (words.includes("remoteref")) return isPush ? "" : (config.get(`branch.${branch}.merge`) ?? "");
    const upstream = upstreamOf(this.#repository, branch);
    if (upstream === undefined || (isPush && !pushes)) return "";
    const isBare = words.includes("nobracket");
    const bracketed = (text: string): string => (text === "" || isBare ? text : `[${text}]`);
    if (!words.includes("track") && !words.includes("trackshort")) return this.#refName(upstream, modifier, name);
    const counts = aheadBehind(this.#repository, ref.id, upstream);
    if (counts === undefined) return words.includes("trackshort") ? "" : bracketed("gone");
    const { ahead, behind } = counts;
    if (words.includes("trackshort")) return ahead > 0 ? (behind > 0 ? "<>" : ">") : behind > 0 ? "<" : "=";
    return bracketed([...(ahead > 0 ? [`ahead ${ahead}`] : []), ...(behind > 0 ? [`behind ${behind}`] : [])].join(", "));
  }
}

const SIGNATURE = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----/gm;

/** Throws GitError for an unknown option. */
function trailers(message: string, typed: string, config: Config): string {
  const rule = readTrailerRule(typed);
  if (!("unknown" in rule)) return trailerText(message, rule, config);
  throw new GitError(
    /^key(?:,|$)/.test(rule.unknown) ? "expected %(trailers:key=<value>)" : `unknown %(trailers) argument: ${rule.unknown}`,
  );
}

function messageText(message: string | undefined, name: string, modifier: string | undefined, config: Config): string {
  if (message === undefined) return "";
  const text = message.replace(/^\n+/, "");
  const signedAt = [...text.matchAll(SIGNATURE)].at(-1)?.index ?? text.length;
  const unsigned = text.slice(0, signedAt);
  const [gap] = /\n\n|\r\n\r\n/.exec(unsigned) ?? [];
  const cut = gap === undefined ? unsigned.length : unsigned.indexOf(gap);
  const subject = unsigned.slice(0, cut).replace(/[\r\n]+$/, "");
  const bodyAt = cut + (/^[\r\n]+/.exec(unsigned.slice(cut))?.[0].length ?? 0);
  const line = subject.replace(/\r?\n/g, " ");
  if (name === "trailers") return trailers(message, modifier ?? "", config);
  const [words, options] = /^trailers(?::([^]*))?$/.exec(modifier ?? "") ?? [];
  if (words !== undefined) return trailers(message, options ?? "", config);
  if (name === "subject") return modifier === "sanitize" ? sanitized(line) : line;
  if (name === "body") return text.slice(bodyAt);
  switch (modifier) {
    case undefined:
      return text;
    case "subject":
      return line;
    case "body":
      return unsigned.slice(bodyAt);
    case "signature":
      return text.slice(signedAt);
    case "size":
      return String(text.length);
  }
  const [, lines] = /^lines=([0-9]+)$/.exec(modifier) ?? [];
  if (lines === undefined) throw new GitError(`unrecognized %(contents) argument: ${modifier}`);
  const all = unsigned.replace(/\n$/, "");
  return Number(lines) === 0 ? "" : all.split("\n").slice(0, Number(lines)).join("\n    ");
}

/** A subject as part of a file's name (%f). */
export const sanitized = (subject: string): string =>
  subject
    .replace(/[^A-Za-z0-9._]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^-+|[-.]+$/g, "");

const SHORT_RULES = [/^refs\/remotes\/([^]+)$/, /^refs\/heads\/([^]+)$/, /^refs\/tags\/([^]+)$/, /^refs\/([^]+)$/];
const LONG_RULES = [
  (name: string) => `refs/remotes/${name}`,
  (name: string) => `refs/heads/${name}`,
  (name: string) => `refs/tags/${name}`,
  (name: string) => `refs/${name}`,
  (name: string) => name,
  (name: string) => `refs/remotes/${name}/HEAD`,
];

/** In LONG_RULES, the name as it is: those before it are looked for later, the last one after all. */
const OWN_NAME = 4;

/** The shortest name that means this reference and no other; without `isStrict`, one that another may be meant by as well, but not first. */
export function shortestRefName(repository: Repository, full: string, isStrict = warnsOfOthers(repository)): string {
  for (const [rule, pattern] of SHORT_RULES.entries()) {
    const short = pattern.exec(full)?.[1];
    if (short === undefined) continue;
    if (
      !LONG_RULES.some(
        (long, other) =>
          (isStrict ? other !== rule : other > rule && other <= OWN_NAME) &&
          (long(short).startsWith("refs/") || /^[A-Z_]+$/.test(short)) &&
          repository.refs.resolve(long(short)) !== undefined,
      )
    )
      return short;
  }
  return full;
}

/** Pads `text` to `width` columns. */
export function aligned(text: string, width: number, position: "left" | "right" | "middle"): string {
  const missing = Math.max(0, width - textWidth(toWord(text)));
  const before = position === "left" ? 0 : position === "right" ? missing : Math.trunc(missing / 2);
  return " ".repeat(before) + text + " ".repeat(missing - before);
}
