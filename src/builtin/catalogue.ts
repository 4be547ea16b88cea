/** The builtins there are, by name or alias, and the parts of `help` that they are listed in. */
import type { BuiltinDefinition } from "./definition.ts";

/** What one does with builtins, in the order of `help`. None has the name of a builtin, but for one that holds that builtin alone. */
export const TOPICS = [
  "reading",
  "searching",
  "files",
  "text",
  "comparing",
  "writing",
  "git",
  "numbers",
  "shell",
  "system",
  "ours",
] as const;

export type BuiltinTopic = (typeof TOPICS)[number];

export interface Catalogue {
  has(name: string): boolean;
  load(name: string): Promise<BuiltinDefinition | undefined>;
  /** Names in byte order, without aliases. */
  names(): readonly string[];
  /** Undefined for one that is listed in none. */
  topic(name: string): BuiltinTopic | undefined;
}
