/** --color-moved and --color-moved-ws: output has no colours, so they change nothing, but git rejects unknown modes. */
import type { Options } from "../commands/options.ts";
import type { DiffFlag } from "./diff-flags.ts";
import { GitError } from "../git-error.ts";
import { fromWord, withoutOuterSpace } from "../objects/byte-text.ts";

const MODES: ReadonlySet<string> = new Set(["no", "plain", "blocks", "zebra", "default", "dimmed-zebra", "dimmed_zebra"]);

const INDENTATION = "allow-indentation-change";
const WHITE_SPACE_MODES: readonly string[] = ["ignore-space-change", "ignore-space-at-eol", "ignore-all-space", INDENTATION];

/** Throws GitError for a mode that git does not know. */
export function checkMovedLines(options: Options<DiffFlag>): void {
  for (const { name, value } of options.each("--color-moved", "--color-moved-ws")) {
    const text = fromWord(value ?? "");
    const wrong = name === "--color-moved" ? wrongMode(text) : wrongWhiteSpaceMode(text);
    if (wrong.length > 0) throw new GitError(wrong.join("\nerror: "), { prefix: "error: ", exit: 129 });
  }
}

function wrongMode(text: string): readonly string[] {
  if (MODES.has(text) || isBoolean(text)) return [];
  return [
    "color moved setting must be one of 'no', 'default', 'blocks', 'zebra', 'dimmed-zebra', 'plain'",
    `bad --color-moved argument: ${text}`,
  ];
}

/** A number counts as one, as in the configuration. */
function isBoolean(text: string): boolean {
  if (/^(|true|yes|on|false|no|off)$/i.test(text)) return true;
  const [, number, unit = ""] = /^([+-]?[0-9]+)([kmg]?)$/i.exec(text) ?? [];
  return number !== undefined && Math.abs(Number(number)) * 1024 ** (unit === "" ? 0 : 1 + "kmg".indexOf(unit.toLowerCase())) < 2 ** 31;
}

function wrongWhiteSpaceMode(text: string): readonly string[] {
  const modes = text.split(",").map(withoutOuterSpace);
  const wrong = modes
    .filter((mode) => mode !== "no" && !WHITE_SPACE_MODES.includes(mode))
    .map(
      (mode) => `unknown color-moved-ws mode '${mode}', possible values are ${WHITE_SPACE_MODES.map((known) => `'${known}'`).join(", ")}`,
    );
  // "no" takes back what was said before it.
  const asked = modes.slice(modes.lastIndexOf("no") + 1);
  if (asked.includes(INDENTATION) && asked.some((mode) => mode !== INDENTATION && WHITE_SPACE_MODES.includes(mode)))
    wrong.push(`color-moved-ws: ${INDENTATION} cannot be combined with other whitespace modes`);
  return wrong.length === 0 ? [] : [...wrong, `invalid mode '${text}' in --color-moved-ws`];
}
