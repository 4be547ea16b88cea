/** The flags as ripgrep is given them: those that were typed, in their order, without what its build cannot do (PCRE2, threads). */
import type { GivenKey, Occurrence } from "../../src/builtin/definition.ts";
import { flags } from "./flags.ts";
import { ENGINE_FLAGS, usesPerl } from "./perl-patterns.ts";

export function ripgrepArguments(occurrences: readonly Occurrence<typeof flags>[]): readonly string[] {
  // The guard let -P through because the default engine does the same with these patterns.
  const dropped: ReadonlySet<GivenKey<typeof flags>> = new Set(usesPerl(occurrences) ? ENGINE_FLAGS : []);
  const types = occurrences.some(({ key }) => TYPE_FLAGS.includes(key)) ? NEWER_TYPES.map((type) => `--type-add=${type}`) : [];
  const typed = occurrences
    .filter(({ key, value }) => !dropped.has(key) && !(key === "threads" && /^\d+$/.test(value ?? "")))
    .flatMap(({ value = "", spelling }) =>
      value === true ? [spelling] : spelling.startsWith("--") ? [`${spelling}=${value}`] : [spelling, value],
    );
  return [...types, ...typed];
}

/** Types that ripgrep 15.2 has and the module, built from 15.1, has not. */
const NEWER_TYPES = ["hurl:*.hurl", "mojo:*.mojo", "pkgbuild:PKGBUILD", "proto:*.proto", "rocq:*.v"];
const TYPE_FLAGS: readonly GivenKey<typeof flags>[] = ["type", "typeNot", "typeAdd", "typeClear", "typeList"];

/** ripgrep reads `-A=3` as `-A 3`, unlike getopt. */
export function joinedShortValue(argument: string): readonly string[] | undefined {
  const [, letters, value] = /^-([^-=][^=]*)=(.*)$/s.exec(argument) ?? [];
  if (letters === undefined || value === undefined) return undefined;
  const kinds = [...letters].map((letter) => Object.values(flags).find((flag) => "short" in flag && flag.short === letter)?.kind);
  const last = kinds.pop();
  if (kinds.some((kind) => kind !== "switch") || (last !== "value" && last !== "path")) return undefined;
  return [`-${letters}`, value];
}
