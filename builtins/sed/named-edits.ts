/** -i before it runs: the files that it would write, and the form of it that is BSD's. */
import type { StaticInvocation } from "../../src/builtin/definition.ts";
import type { Effect } from "../../src/builtin/effect.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { scriptIsOperand } from "./script-source.ts";
import type { FLAGS } from "./sed.ts";

type Given = Pick<StaticInvocation<typeof FLAGS>, "flags" | "occurrences" | "operands">;

/** The name under which -i keeps `path`: as GNU sed has it, each `*` of the suffix is the whole path. */
export function backupPath(path: string, suffix: string): string {
  return (suffix.includes("*") ? suffix : `*${suffix}`).replaceAll("*", () => path);
}

/** The writes of -i: each file, and its backup. */
export function editedPaths(given: Given): readonly Effect[] {
  const { inPlace } = given.flags;
  if (inPlace === undefined) return [];
  const from = scriptIsOperand(given) ? 1 : 0;
  return given.operands
    .slice(from)
    .flatMap((path, at): Effect[] => [
      { kind: "write", path, operand: from + at },
      ...(isKept(inPlace) ? [{ kind: "write", path: backupPath(path, inPlace), operand: from + at } as const] : []),
    ]);
}

/** True if the suffix makes a backup. */
export const isKept = (suffix: string): boolean => suffix !== "" && suffix !== "*";

/** Throws UsageError for `sed -i '' SCRIPT FILE`: BSD's sed takes the empty word for a suffix, GNU's for a script or a file. */
export function checkSuffix(given: Given): void {
  const { flags, operands, occurrences } = given;
  if (flags.inPlace !== "" || operands[0] !== "" || operands.length < 2) return;
  const at = occurrences.findIndex(({ key }) => key === "inPlace");
  const values = occurrences.map(({ spelling, value }) =>
    typeof value === "string" && value !== "" ? `${spelling} ${quoteWord(value)}` : spelling,
  );
  throw new UsageError(
    "refused-flag",
    "-i '': the suffix of GNU sed is joined to the flag (-i.bak), and this empty word would be the script or a file",
    {
      subject: "''",
      argument: at,
      suggestion: ["sed", ...values, ...operands.slice(1).map(quoteWord)].join(" "),
    },
  );
}
