/** Names of members: those that are asked for or left out, and what tar takes off their front. */
import { compileFnmatch } from "../../src/glob/fnmatch.ts";
import type { Glob } from "../../src/glob/glob-match.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";

/** The way of matching that was in force where a name or a pattern stood. */
export interface Matching {
  readonly wildcards: boolean;
  /** From its first component on; else from any. */
  readonly anchored: boolean;
  readonly ignoreCase: boolean;
  /** A wildcard stands for a slash as well. */
  readonly wildcardsMatchSlash: boolean;
  /** What lies below a directory that matches, matches. */
  readonly recursion: boolean;
}

export interface NamePattern {
  readonly text: string;
  readonly matches: (name: string) => boolean;
}

export function namePattern(text: string, matching: Matching): NamePattern {
  const matchesFrom = matching.wildcards ? globMatcher(text, matching) : literalMatcher(text, matching);
  if (matching.anchored) return { text, matches: (name) => matchesFrom(name, 0) };
  const matches = (name: string): boolean => {
    if (matchesFrom(name, 0)) return true;
    for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1))
      if (name[at + 1] !== "/" && matchesFrom(name, at + 1)) return true;
    return false;
  };
  return { text, matches };
}

/** Tells whether a name matches from a place on: as a whole, or as a directory that it lies in. */
type Matcher = (name: string, from: number) => boolean;

function globMatcher(text: string, { ignoreCase, wildcardsMatchSlash, recursion }: Matching): Matcher {
  const glob: Glob = compileFnmatch(text, { caseFold: ignoreCase, pathname: !wildcardsMatchSlash });
  return (name, from) => {
    if (glob.matches(name.slice(from))) return true;
    if (recursion)
      for (let at = name.indexOf("/", from); at >= 0; at = name.indexOf("/", at + 1)) if (glob.matches(name.slice(from, at))) return true;
    return false;
  };
}

function literalMatcher(text: string, { ignoreCase, recursion }: Matching): Matcher {
  const sought = ignoreCase ? text.toLowerCase() : text;
  return (name, from) => {
    const found = ignoreCase ? name.slice(from).toLowerCase().startsWith(sought) : name.startsWith(sought, from);
    const after = name[from + sought.length];
    return found && (after === undefined || (recursion && after === "/"));
  };
}

/** What tar takes off names and the targets of hard links, told once for each prefix. */
export class SaferNames {
  readonly #told = { member: new Set<string>(), link: new Set<string>() };
  readonly #keepsAbsolute: boolean;
  readonly #warn: (message: string) => void;
  readonly #heldBytes: number;
  #held = 0;

  constructor(keepsAbsolute: boolean, heldBytes: number, warn: (message: string) => void) {
    this.#keepsAbsolute = keepsAbsolute;
    this.#heldBytes = heldBytes;
    this.#warn = warn;
  }

  /** `name` behind its last `..` and the slashes there. */
  safer(name: string, of: "member" | "link"): string {
    const prefix = this.#keepsAbsolute ? "" : name.slice(0, prefixEnd(name));
    if (prefix !== "" && !this.#told[of].has(prefix)) {
      this.#held += prefix.length;
      if (this.#held > this.#heldBytes) throw new LimitReached("held", this.#heldBytes, "bytes");
      this.#told[of].add(prefix);
      this.#warn(`Removing leading \`${prefix}' from ${of === "member" ? "member names" : "hard link targets"}`);
    }
    if (name === "") this.#warn(`Substituting \`.' for empty ${of === "member" ? "member name" : "hard link target"}`);
    const rest = name.slice(prefix.length);
    return rest === "" ? "." : rest;
  }
}

function prefixEnd(name: string): number {
  let end = 0;
  for (let at = 0; at < name.length; ) {
    const slash = name.indexOf("/", at);
    const next = slash < 0 ? name.length : slash;
    if (next === at + 2 && name.startsWith("..", at)) end = next;
    at = next + 1;
  }
  while (name[end] === "/") end++;
  return end;
}

/** True where a component of `name` is `..`. */
export const climbs = (name: string): boolean => /(?:^|\/)\.\.(?:\/|$)/.test(name);

/** `name` without its first `count` components; empty where it has no more. */
export function withoutComponents(name: string, count: number): string {
  let at = 0;
  while (name[at] === "/") at++;
  for (let left = count; left > 0; left--) {
    at = name.indexOf("/", at);
    if (at < 0) return "";
    while (name[at] === "/") at++;
  }
  return name.slice(at);
}
