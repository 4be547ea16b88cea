/** Kinds of names in a shell, as bash's `type` and `command -v` report them. Here every command is a builtin. */
import type { Catalogue } from "../../src/builtin/catalogue.ts";
import type { ShellAccess } from "../../src/builtin/shell-access.ts";

export type NameKind = "keyword" | "function" | "builtin";

/** All that a name means, what runs first; nothing for what is no command here. */
export function kindsOfName(name: string, catalogue: Catalogue, shell: Pick<ShellAccess, "hasFunction"> | undefined): readonly NameKind[] {
  const kinds: NameKind[] = [];
  if (KEYWORDS.has(name)) kinds.push("keyword");
  if (shell?.hasFunction(name) === true) kinds.push("function");
  if (catalogue.has(name) || READ_BY_SHELL.has(name)) kinds.push("builtin");
  return kinds;
}

/** "ls is a shell builtin" */
export const describedName = (name: string, kind: Exclude<NameKind, "function">): string => `${name} is a shell ${kind}\n`;

/** Builtins of bash that are read with the line. */
const READ_BY_SHELL: ReadonlySet<string> = new Set(["builtin", "declare", "export", "local", "readonly", "trap", "typeset"]);

/** bash's reserved words (`compgen -k`). */
const KEYWORDS: ReadonlySet<string> = new Set(
  "if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split(" "),
);
