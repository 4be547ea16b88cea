/** Differences from gawk 5.3.2 that have a known reason. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toBytes, toText } from "../../../src/io/text.ts";
import type { Answer, FuzzCase } from "../tool-fuzz.ts";

/**
 * Errors of gawk's own: it may end with an internal error, or take an address for a number, where an element that was passed
 * to a function is used later. And its sandbox forbids other things than ours, which reads all that lies under the root.
 */
const LEFT_OUT = /internal error: file awk\.h|sandbox mode/;
const REFUSED = /no external program is ever started here|a script writes no files here|would load a library/;
const PASSES_ELEMENT = /\bf\([^;}\n]*\w\[/;

export function isExplained(example: FuzzCase, told: Answer, ours: Answer): boolean {
  const { args } = example;
  const real = named(told, args);
  const texts = textsOf(example);
  if (LEFT_OUT.test(real.stderr) || texts.some((text) => PASSES_ELEMENT.test(text))) return true;
  // Deviations of awk's definition: what would start a command, write a file or load a library is refused, also beside a mistake.
  if (REFUSED.test(ours.stderr) || /cannot open shared library/.test(real.stderr)) return true;
  // A deviation: gawk goes on behind the end of a program's text into what else stands in memory. It may count a newline
  // there, or read the rest of a number such as 0x or 1e+.
  if (texts.some((text) => /(?:0x|\de[-+]?)$/i.test(text))) return true;
  if (atEnd(real) !== undefined && atEnd(real) === atEnd(ours) && texts.some((text) => /[^\n]$/.test(text))) return true;
  // What a program may hold is limited: gawk prints on.
  if (ours.stderr.includes("LimitReached: held")) return true;
  // A deviation of awk's definition: the sign of a NaN is always minus.
  const [theirs, own] = [real, ours].map((answer) => JSON.stringify(answer).replaceAll("+nan", "-nan")) as [string, string];
  // Another: gawk loses the text of what is infinite or a NaN where it is a field.
  const infinite = /[-+](?:inf|nan)\b/.exec(own)?.index ?? Infinity;
  if (theirs === own || (infinite < own.length && theirs.startsWith(own.slice(0, infinite)))) return true;
  // An empty field is infinite once it is raised to a power below 0.
  if (texts.some((text) => /\$\w*\s*(?:\*\*|\^)=\s*"?-/.test(text))) return true;
  if (real.stdout === ours.stdout && upToPattern(real) === upToPattern(ours)) return true;
  // Another: an element that is an array ends the program before the other operand is worked out.
  if (ARRAY_AS_SCALAR.test(real.stderr) && real.stdout.startsWith(ours.stdout) && withoutLines(real) === withoutLines(ours)) return true;
  // Another: a field behind an empty one at the end of a record of CSV.
  const isCsv = args.some((word) => /^-[a-zA-Z]*k|^--csv/.test(word));
  if (isCsv && [example.stdin, ...texts].some((text) => /(?:^|,),\r?$/m.test(text))) return true;
  // Another: patsplit of what may be a number.
  if (texts.some((text) => /\bpatsplit *\( *[^"$ ]/.test(text))) return true;
  // Another: NR past 2^53.
  if (texts.some((text) => /\bF?NR *(?:[-+*/%^]|\*\*)?=(?!=)/.test(text)) && /\d{16}/.test(real.stdout)) return true;
  // Another: the last digits of functions and powers.
  const isReckoned = texts.some((text) => /\b(?:exp|log|sin|cos|atan2)\b|\^|\*\*/.test(text));
  if (isReckoned && real.stderr === ours.stderr && withoutNumbers(real) === withoutNumbers(ours)) return true;
  // Another: of what line a message is, within a statement that goes over several.
  const goesOn = texts.some((text) => text.includes("\n"));
  if (goesOn && real.stdout === ours.stdout && real.exit === ours.exit && withoutLines(real) === withoutLines(ours)) return true;
  // Another: an operator behind an anchor.
  if (texts.some((text) => /[$^][*+?{]/.test(text))) return true;
  // Another: fields of FIELDWIDTHS compared without regard to case.
  if (["FIELDWIDTHS", "IGNORECASE"].every((name) => texts.some((text) => text.includes(name)))) return true;
  // Another: NF is whole once a record is read.
  const isCounted = texts.some((text) => /\bNF\s*[-+*/%^]*=[^=~]/.test(text));
  if (isCounted && /\d\.\d/.test(real.stdout) && withoutNumbers(real) === withoutNumbers(ours)) return true;
  // Another: of an integer and a number that looks like it in CONVFMT, a subscript that was visited is the integer.
  if (texts.some((text) => /CONVFMT *= *"?%[di]/.test(text)) && texts.some((text) => /\[|\bin\b/.test(text))) return true;
  if (real.exit !== ours.exit || real.stderr !== ours.stderr) return keepsPattern(example, ours);
  if (substitutesBesideNul(example)) return true;
  return printsMemory(example, real, ours) || texts.some((text) => CHANGES_LATER.test(text)) || keepsPattern(example, ours);
}

/** Texts in which a program may stand: the arguments, and the files. */
const textsOf = ({ args, files = {} }: FuzzCase): readonly string[] => [...args, ...Object.values(files)];

/**
 * Deviations: once gawk has read what a program of the command line includes, it names all of the program's text where it
 * named the command line before; and a variable by its namespace too. And it warns of separators
 * that --csv overrides.
 */
function named(answer: Answer, args: readonly string[]): Answer {
  const includes = args.map((word) => word.replace(/^--source=/, "")).filter((word) => /@\s*include/.test(word));
  return {
    ...answer,
    stderr: includes
      .reduce((stderr, program) => stderr.replaceAll(`gawk: ${program}:`, "gawk: cmd. line:"), answer.stderr)
      .replace(/^gawk: [^\n]*: warning: assignment to [A-Z/]+ has no effect when using --csv\n/gm, "")
      .replace(/ to use (scalar|array) `awk::/g, " to use $1 `"),
  };
}

/** The message that a program is not complete, without its line and its place in that. */
function atEnd({ stderr }: Answer): string | undefined {
  const [, before, after] = /^(.*)gawk: \S+:\d+: \(END OF FILE\)\n\S+ \S+ *(\^ .*)$/s.exec(stderr) ?? [];
  return before === undefined ? undefined : before + after;
}

/** A deviation: gawk comes to no empty match behind a NUL, and may not come to an end. */
const substitutesBesideNul = (example: FuzzCase): boolean =>
  textsOf(example).some((text) => /\bg(?:en)?sub\s*\(/.test(text)) &&
  [example.stdin, ...textsOf(example)].some((text) => /\0|\\0/.test(text));

/** A deviation: of a pattern out of a field gawk shows the rest of the record too. */
const upToPattern = ({ stderr }: Answer): string => stderr.replace(/(invalid regexp: [^/]*: \/).*/s, "$1");
const ARRAY_AS_SCALAR = /fatal: attempt to use array `[^']*\]' in a scalar context\n$/;
const withoutLines = ({ stderr }: Answer): string => stderr.replace(/^(gawk: \S+(?: line)?:)\d+:/gm, "$1");
const withoutNumbers = ({ stdout }: Answer): string => stdout.replace(/\d+(?:\.\d+)?/g, "0");

/** `%c` of an empty text prints the byte that stands there in gawk's memory. */
function printsMemory(example: FuzzCase, real: Answer, ours: Answer): boolean {
  if (!textsOf(example).some((text) => /%[-+ #0-9.*$']*c/.test(text)) || real.stdout.length !== ours.stdout.length) return false;
  return [...ours.stdout].every((character, at) => character === "\0" || character === real.stdout[at]);
}

/** A deviation: a field that the same print assigns, or $0 that it assigns while CONVFMT is another format, or that getline reads. */
const ASSIGNS = String.raw`(?:\bgetline\b|\+\+|--)\s*\$|\$[\w()$ -]+(?:\+\+|--)|\$[\w()]+\s*(?:[-+*/%^]|\*\*)?=(?![=~])`;
const CHANGES_LATER = new RegExp(
  String.raw`\bprintf?\b[^;}\n]*\$[^;}\n]*(?:${ASSIGNS})|CONVFMT[^]*\bprintf?\b[^;}\n]*(?:${ASSIGNS})|\$[^;}\n]*\bgetline\b(?!\s*[\w$])`,
);

const TAKES_PATTERN = /(~\s*|\bg?sub\(|\bgensub\(|\bmatch\([^,()]*,\s*)(\$?\b[a-zA-Z_]\w*\b(?:\[[^\]]*\])?|\$\d+|-?\d[\w.]*)(?![\w([])/g;

/**
 * Deviations: gawk keeps a dynamic pattern while the new one is the same number, and patsplit loses a number that is all
 * separator. Asked again with texts there.
 */
function keepsPattern(example: FuzzCase, ours: Answer): boolean {
  const { args, stdin, files = {} } = example;
  const before = textsOf(example);
  const texts = before.map((text) => text.replace(TAKES_PATTERN, '$1($2 "")').replace(/\bpatsplit\(([^,]+),/g, 'patsplit(($1) "",'));
  if (texts.every((text, at) => text === before[at])) return false;
  const directory = mkdtempSync(join(tmpdir(), "gawk-"));
  try {
    for (const [at, name] of Object.keys(files).entries()) writeFileSync(join(directory, name), toBytes(texts[args.length + at] as string));
    const asked = spawnSync(
      "gawk",
      texts.slice(0, args.length).map((word) => Buffer.from(toBytes(word)).toString()),
      {
        cwd: directory,
        input: toBytes(stdin),
        env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TZ: "UTC" },
      },
    );
    return asked.status === ours.exit && toText(asked.stdout) === ours.stdout && toText(asked.stderr) === ours.stderr;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
