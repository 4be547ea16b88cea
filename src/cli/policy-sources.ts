/** Sources of a command's policy: its flags, the environment, and the files both lead to. */
import { resolve } from "node:path";
import type { PolicySources } from "../config/load.ts";
import { alsoRead, mountOf } from "../config/mounts.ts";
import { rootOrHere } from "./root-or-here.ts";

/** The values given for the flags of the same names. */
export interface PolicyFlags {
  /** The path as given: relative to the directory in which the command was started. */
  readonly root: string | undefined;
  readonly config?: string | undefined;
  readonly profile?: string | undefined;
  readonly "read-only"?: boolean;
  readonly strict?: boolean;
  readonly redirects?: string | undefined;
  readonly structured?: boolean | undefined;
  readonly split?: boolean | undefined;
  /** `/NAME=DIR[:rw]`, and directories to be read at their own paths; relative ones as the root. */
  readonly mount?: readonly string[] | undefined;
  readonly "also-read"?: readonly string[] | undefined;
  /** See PolicySources. */
  readonly secretFiles?: readonly string[] | undefined;
}

/** The same for the server and for every subcommand that does as it would. Throws ConfigurationError for a mount that is none. */
export function policySources({
  root,
  config,
  profile,
  "read-only": readOnly,
  strict,
  redirects,
  structured,
  split,
  mount = [],
  "also-read": read = [],
  secretFiles,
}: PolicyFlags): PolicySources {
  const here = resolve(".");
  const mounts = [...mount.map((text) => mountOf(text, here)), ...read.map((directory) => alsoRead(directory, here))];
  return {
    root: resolve(rootOrHere(root)),
    file: config,
    environment: process.env,
    flags: { profile, readOnly, strict, redirects, structured, split, mounts },
    secretFiles,
  };
}
