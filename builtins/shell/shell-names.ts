/** Kinds of names in a shell, as bash's `type` and `command -v` report them. Here every command is a builtin. */
import type { Catalogue } from "../../src/builtin/definition.ts";

export type NameKind = "keyword" | "builtin";

/** undefined for what is no command here. */
export function kindOfName(name: string, catalogue: Catalogue): NameKind | undefined {
  if (KEYWORDS.has(name)) return "keyword";
  return catalogue.has(name) ? "builtin" : undefined;
}

/** "ls is a shell builtin" */
export const describedName = (name: string, kind: NameKind): string => `${name} is a shell ${kind}\n`;

/** bash's reserved words (`compgen -k`). */
const KEYWORDS: ReadonlySet<string> = new Set(
  "if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split(" "),
);
