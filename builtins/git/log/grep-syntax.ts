/** The kind of patterns that flags and the configuration ask for: in git grep, and in the filters of git log. */
import type { Config } from "../config.ts";

export type Syntax = "basic" | "extended" | "fixed" | "perl";

/** By the name of a flag, or as the configuration says it. */
export const SYNTAXES: ReadonlyMap<string, Syntax> = new Map([
  ["-E", "extended"],
  ["--extended-regexp", "extended"],
  ["extended", "extended"],
  ["-G", "basic"],
  ["--basic-regexp", "basic"],
  ["basic", "basic"],
  ["-F", "fixed"],
  ["--fixed-strings", "fixed"],
  ["fixed", "fixed"],
  ["-P", "perl"],
  ["--perl-regexp", "perl"],
  ["perl", "perl"],
]);

export const configuredSyntax = (config: Config): Syntax =>
  SYNTAXES.get(config.get("grep.patterntype")?.toLowerCase() ?? "") ??
  (config.boolean("grep.extendedregexp", false) ? "extended" : "basic");
