/** What of awk differs from gawk 5.3.2 for a known reason. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toBytes, toText } from "../../src/io/text.ts";
import type { Answer, FuzzCase } from "./tool-fuzz.ts";

/**
 * Where an element that was passed to a function is used later, gawk may end with an internal error, or takes an address
 * for its number. And what its sandbox keeps from happening by accident is not what ours keeps from happening: we read
 * what lies under the root.
 */
const LEFT_OUT = /internal error: file awk\.h|sandbox mode/;
const REFUSED = /no external program is ever started here|files are written by tee alone|would load a library/;
const PASSES_ELEMENT = /\bf\(+\w+\[/;

export function isExplained(example: FuzzCase, told: Answer, ours: Answer): boolean {
  const { args } = example;
  const real = named(told, args);
  if (LEFT_OUT.test(real.stderr) || args.some((word) => PASSES_ELEMENT.test(word))) return true;
  // Deviations of awk's definition: what would start a command, write a file or load a library is refused, also beside a mistake.
  if (REFUSED.test(ours.stderr) || /cannot open shared library/.test(real.stderr)) return true;
  // Where a program includes a file, gawk goes on behind the end of its text into what else it has read: it may count a
  // newline there, or the rest of a number such as 0x or 1e+.
  const texts = [...args, ...Object.values(example.files ?? {})].filter((text) => text.includes("@include"));
  if (
    texts.some((text) => /(?:0x|\de[-+]?)$/i.test(text)) ||
    (texts.length > 0 && atEnd(real) !== undefined && atEnd(real) === atEnd(ours))
  )
    return true;
  // What a program may hold is limited: gawk prints on.
  if (ours.stderr.includes("LimitReached: held")) return true;
  // A deviation of awk's definition: the sign of a NaN is always minus.
  const [theirs, own] = [real, ours].map((answer) => JSON.stringify(answer).replaceAll("+nan", "-nan")) as [string, string];
  // Another: gawk loses the text of what is infinite or a NaN where it is a field.
  const infinite = /[-+](?:inf|nan)\b/.exec(own)?.index ?? Infinity;
  if (theirs === own || (infinite < own.length && theirs.startsWith(own.slice(0, infinite)))) return true;
  // An empty field is infinite once it is raised to a power below 0.
  if (args.some((word) => /\$\w*\s*(?:\*\*|\^)=\s*"?-/.test(word))) return true;
  if (real.stdout === ours.stdout && upToPattern(real) === upToPattern(ours)) return true;
  // Another: an element that is an array ends the program before the other operand is worked out.
  if (ARRAY_AS_SCALAR.test(real.stderr) && real.stdout.startsWith(ours.stdout) && withoutLines(real) === withoutLines(ours)) return true;
  // Another: a field behind an empty one at the end of a record of CSV.
  const isCsv = args.some((word) => /^-[a-zA-Z]*k|^--csv/.test(word));
  if (isCsv && [example.stdin, ...Object.values(example.files ?? {})].some((text) => /(?:^|,),\r?$/m.test(text))) return true;
  // Another: patsplit of what may be a number.
  if ([...args, ...Object.values(example.files ?? {})].some((text) => /\bpatsplit *\( *[^"$ ]/.test(text))) return true;
  // Another: fields of FIELDWIDTHS compared without regard to case.
  if (["FIELDWIDTHS", "IGNORECASE"].every((name) => args.some((word) => word.includes(name)))) return true;
  // Another: NF is whole once a record is read.
  const isCounted = args.some((word) => /\bNF\s*[-+*/%^]*=[^=~]/.test(word));
  if (isCounted && /\d\.\d/.test(real.stdout) && withoutFractions(real) === withoutFractions(ours)) return true;
  // Another: of an integer and a number that looks like it in CONVFMT, a subscript that was visited is the integer.
  if (args.some((word) => /CONVFMT *= *"?%[di]/.test(word)) && args.some((word) => /\[|\bin\b/.test(word))) return true;
  if (real.exit !== ours.exit || real.stderr !== ours.stderr) return keepsPattern(example, ours);
  if (substitutesBesideNul(example)) return true;
  return printsMemory(args, real, ours) || printsLater(args) || keepsPattern(example, ours);
}

/**
 * Deviations: once gawk has read what a program of the command line includes, it names all of the program's text where it
 * named the command line before; and a variable by its namespace too.
 */
function named(answer: Answer, args: readonly string[]): Answer {
  const includes = args.map((word) => word.replace(/^--source=/, "")).filter((word) => /@\s*include/.test(word));
  return {
    ...answer,
    stderr: includes
      .reduce((stderr, program) => stderr.replaceAll(`gawk: ${program}:`, "gawk: cmd. line:"), answer.stderr)
      .replace(/ to use (scalar|array) `awk::/g, " to use $1 `"),
  };
}

/** The message that a program is not complete, without its line and its place in that. */
function atEnd({ stderr }: Answer): string | undefined {
  const [, before, after] = /^(.*)gawk: \S+:\d+: \(END OF FILE\)\n\S+ \S+ *(\^ .*)$/s.exec(stderr) ?? [];
  return before === undefined ? undefined : before + after;
}

/** A deviation: gawk comes to no empty match behind a NUL, and may not come to an end. */
const substitutesBesideNul = ({ args, stdin }: FuzzCase): boolean =>
  args.some((word) => /\bg(?:en)?sub\s*\(/.test(word)) && (stdin.includes("\0") || args.some((word) => /\0|\\0/.test(word)));

/** A deviation: of a pattern out of a field gawk shows the rest of the record too. */
const upToPattern = ({ stderr }: Answer): string => stderr.replace(/(invalid regexp: [^/]*: \/).*/s, "$1");
const ARRAY_AS_SCALAR = /fatal: attempt to use array `[^']*\]' in a scalar context\n$/;
const withoutLines = ({ stderr }: Answer): string => stderr.replace(/^(gawk: \S+(?: line)?:)\d+:/gm, "$1");
const withoutFractions = ({ stdout }: Answer): string => stdout.replace(/(\d)\.\d+/g, "$1");

/** `%c` of an empty text prints the byte that stands there in gawk's memory. */
function printsMemory(args: readonly string[], real: Answer, ours: Answer): boolean {
  if (!args.some((word) => /%[-+ #0-9.*$']*c/.test(word)) || real.stdout.length !== ours.stdout.length) return false;
  return [...ours.stdout].every((character, at) => character === "\0" || character === real.stdout[at]);
}

/** A deviation: a field that the same print assigns, or $0 that it assigns while CONVFMT is another format. */
const ASSIGNS = String.raw`(?:\bgetline\b|\+\+|--)\s*\$|\$[\w()$ -]+(?:\+\+|--)|\$[\w()]+\s*(?:[-+*/%^]|\*\*)?=(?![=~])`;
const PRINTS_LATER = new RegExp(String.raw`\bprintf?\b[^;}\n]*\$[^;}\n]*(?:${ASSIGNS})|CONVFMT[^]*\bprintf?\b[^;}\n]*(?:${ASSIGNS})`);
const printsLater = (args: readonly string[]): boolean => args.some((word) => PRINTS_LATER.test(word));

const TAKES_PATTERN = /(~\s*|\bg?sub\(|\bgensub\(|\bmatch\([^,()]*,\s*)(\$?\b[a-zA-Z_]\w*\b(?:\[[^\]]*\])?|\$\d+|-?\d[\w.]*)(?![\w([])/g;

/**
 * Deviations: gawk keeps a dynamic pattern while the new one is the same number, and patsplit loses a number that is all
 * separator. Asked again with texts there.
 */
function keepsPattern({ args, stdin, files = {} }: FuzzCase, ours: Answer): boolean {
  const texts = args.map((word) => word.replace(TAKES_PATTERN, '$1($2 "")').replace(/\bpatsplit\(([^,]+),/g, 'patsplit(($1) "",'));
  if (texts.every((word, at) => word === args[at])) return false;
  const directory = mkdtempSync(join(tmpdir(), "gawk-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), toBytes(text));
    const asked = spawnSync(
      "gawk",
      texts.map((word) => Buffer.from(toBytes(word)).toString()),
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
