/**
 * The same lines through bash and through our parser: we give the same words, streams and exit status, or reject.
 * Seeded. SHELPA_FUZZ_RUNS=20000 runs more of them, SHELPA_FUZZ_SEED another lot.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { toBytes } from "../../src/io/text.ts";
import { parseLine } from "../../src/shell/parse.ts";
import { askBash, type BashAnswer } from "./bash-lines.ts";
import { runTree, UnknownCommand, type TreeAnswer } from "./tree-run.ts";

const RUNS = Number(process.env["SHELPA_FUZZ_RUNS"] ?? 250);
const SEED = Number(process.env["SHELPA_FUZZ_SEED"] ?? 20_260_225);

const pieces = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const joined = (piece: fc.Arbitrary<string>, most: number, between = ""): fc.Arbitrary<string> =>
  fc.array(piece, { minLength: 1, maxLength: most, size: "max" }).map((all) => all.join(between));

const plain = pieces(
  "a",
  "b",
  "ab",
  "1",
  "2",
  "-x",
  "é",
  "😀",
  ".",
  ",",
  "..",
  "=",
  ":",
  "/",
  "~",
  "~/",
  "%",
  "+",
  "@",
  "^",
  "#",
  "!",
  "a=",
  "a=~",
  "]",
  "*",
  "?",
  "[",
  "[!",
  "[:alpha:]",
  "$",
  "}",
  "{",
);
const quoted = pieces(
  "''",
  '""',
  "'a b'",
  '"a b"',
  "'*'",
  '"\\$x"',
  '"\\a\\"\\\\"',
  "'\\'",
  '"it\'s"',
  "\\*",
  "\\ ",
  "\\\\",
  "\\'",
  '\\"',
  "\\$a",
  "\\~",
  "\\{",
  "\\,",
  "\\}",
  "','",
  '"{"',
  '"\n"',
  "\\\n",
  '"a\\\nb"',
  '"$"',
  '"$ a"',
  "$'a\\tb'",
  "$'\\x41\\101\\u00e9\\U1F600'",
  "$'\\xff\\377'",
  "$'it\\'s'",
  "$'\\cA\\c?\\e\\q\\\"\\?'",
  "$'a\\0b'",
  "$'\\x{41}\\xz'",
  "$'\\c\\\\'",
  "$'\\ud800\\U110000'",
  '$"a b"',
  '["]"a]',
  "[a'-'z]",
  "\\😀",
);
const brace = pieces(
  "{a,b}",
  "{a,b,}",
  "{,}",
  "{a}",
  "{}",
  "{1..3}",
  "{3..1}",
  "{01..3}",
  "{-2..2..2}",
  "{a..e..2}",
  "{e..a}",
  "{1..a}",
  "{1..2..x}",
  "{a,{b,c}d}",
  "{a,b",
  "a,b}",
  "{'a,b',c}",
  "{a..b,c}",
  "{..}",
  "{+1..3}",
  "{1..-10..-5}",
  "{0..-0}",
  "{a,\\}}",
  '"{a,b}"',
  "{a','b}",
  "{A..C}",
  "{-01..1}",
  "{1..3..0}",
);
const word = joined(fc.oneof({ weight: 4, arbitrary: plain }, { weight: 4, arbitrary: quoted }, { weight: 2, arbitrary: brace }), 5);
const words = joined(word, 4, " ").map((text) => `t ${text}`);

const redirect = pieces(
  "2>&1",
  ">/dev/null",
  "2>/dev/null",
  "&>/dev/null",
  ">&2",
  "1>&2",
  "</dev/null",
  "2>>/dev/null",
  ">|/dev/null",
  "&>>/dev/null",
  ">&/dev/null",
  "<<<x",
  "<<<'a b'",
  '<<< "q"',
  "<<<{a,b}",
  "<<<*",
  "2>&2",
  "> /dev/null",
  ">'/dev/null'",
  "<<<a=~",
);
const simple = fc
  .tuple(pieces("t", "f", "e"), fc.array(fc.oneof(pieces("a", "'b c'", "1", "2", "é", "{x,y}", "''"), redirect), { maxLength: 4 }))
  .map(([name, rest]) => [name, ...rest].join(" "));
const { list } = fc.letrec<{ list: string; command: string }>((tie) => ({
  command: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 5, arbitrary: simple },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie("list"), fc.option(redirect, { nil: "" }))
        .map(([body, after]) => `{ ${body}; }${after === "" ? "" : ` ${after}`}`),
    },
    { weight: 1, arbitrary: fc.tuple(tie("list"), fc.option(redirect, { nil: "" })).map(([body, after]) => `(${body})${after}`) },
  ),
  list: fc
    .tuple(
      tie("command"),
      fc.array(
        fc.tuple(
          pieces(
            " | ",
            "|",
            " |& ",
            " && ",
            "&&",
            " || ",
            "; ",
            "\n",
            " | \n # c\n",
            " &&\n",
            " ; ",
            " # c\n",
            " \\\n | ",
            ";\n\n",
            " && ! ",
            "; ! ",
          ),
          tie("command"),
        ),
        { maxLength: 4 },
      ),
    )
    .map(([first, rest]) => first + rest.flat().join("")),
}));

const hereLine = pieces(
  "a",
  "\tb",
  "E",
  "\tE",
  " E",
  "E ",
  "a\\",
  "\\$x",
  "\\\\",
  "\\`",
  '\\"',
  "'q'",
  '"q"',
  "$",
  "é",
  "",
  "\t",
  "a\\b",
  "EE",
  "\\E",
  "\\\\\\",
);
const hereDocument = fc
  .tuple(
    pieces("<<E", "<<'E'", "<<-E", "<<-'E'", '<<"E"', "<<\\E", "<< E", "<<''E"),
    fc.array(hereLine, { maxLength: 6 }),
    pieces("t a", "t a | t b", "t a &&\nt b", "t a; e b"),
    pieces("", "\nt z", "\n", "\n\nf", "\n# c"),
    pieces("E", "\tE"),
  )
  .map(
    ([operator, body, command, after, end]) =>
      `${command.replace("t a", `t a ${operator}`)}\n${body.map((line) => `${line}\n`).join("")}${end}${after}`,
  );
const twoDocuments = fc
  .tuple(fc.array(hereLine, { maxLength: 3 }), fc.array(hereLine, { maxLength: 3 }))
  .map(([one, two]) => `t a <<A | t b <<'E'\n${one.join("\n")}\nA\n${two.join("\n")}\nE\n(t c <<-E; t d)\n\tx\n\tE\nt e`);

/** Text that grammar has no part in: what must be rejected more often than not. */
const soup = joined(
  fc.oneof(
    plain,
    quoted,
    brace,
    redirect,
    pieces(
      "t",
      "f",
      "e",
      " ",
      " ",
      " ",
      "\n",
      ";",
      "|",
      "&",
      "&&",
      "||",
      "|&",
      "(",
      ")",
      "{ ",
      "; }",
      "! ",
      "<",
      ">",
      "<<E",
      "\nE\n",
      "#",
      "\\\n",
      "\\",
      "'",
      '"',
      "\t",
      "2",
      "\r",
      "<<<",
      ">&",
      "`",
      "$(",
      "t()",
      "time ",
    ),
  ),
  9,
).map((text) => `t ${text}`);

const KINDS: readonly { readonly name: string; readonly lines: fc.Arbitrary<string>; readonly leastAccepted: number }[] = [
  { name: "words", lines: words, leastAccepted: 0.6 },
  { name: "lists and redirections", lines: list, leastAccepted: 0.85 },
  { name: "here-documents", lines: hereDocument, leastAccepted: 0.5 },
  { name: "two here-documents", lines: twoDocuments, leastAccepted: 0.3 },
  { name: "soup", lines: soup, leastAccepted: 0.02 },
];

test.each(KINDS)(
  "$name: as bash, or rejected",
  ({ lines, leastAccepted }) => {
    const sample = [...new Set(fc.sample(lines, { numRuns: RUNS, seed: SEED }))].filter((line) => !line.includes("\0"));
    const bash = askBash(sample);
    const differences: string[] = [];
    let accepted = 0;
    let needlesslyRejected = 0;
    sample.forEach((line, index) => {
      const answer = bash[index] as BashAnswer;
      const parsed = parseLine(line);
      if (parsed.kind === "rejected") {
        if (answer.exit !== 2 && parsed.problems[0].reason === "PARSE") needlesslyRejected++;
        if (process.env["SHELPA_FUZZ_SHOW"] !== undefined && answer.exit !== 2 && parsed.problems[0].reason === "PARSE")
          console.log(JSON.stringify(line), parsed.problems[0].detail);
        return;
      }
      accepted++;
      let ours: TreeAnswer;
      try {
        ours = runTree(parsed.list);
      } catch (thrown) {
        if (!(thrown instanceof UnknownCommand)) throw thrown;
        if (answer.exit === 2 && answer.stderr.includes("syntax error"))
          differences.push(`${JSON.stringify(line)}: bash does not parse it`);
        return;
      }
      const theirs = { stdout: merges(line) ? settled(answer.stdout) : answer.stdout, stderr: settled(answer.stderr), exit: answer.exit };
      const stdout = merges(line) ? settled(toBytes(ours.stdout)) : toBytes(ours.stdout);
      if (!theirs.stdout.equals(stdout) || !theirs.stderr.equals(settled(toBytes(ours.stderr))) || theirs.exit !== ours.exit) {
        differences.push(
          `${JSON.stringify(line)}\n  bash ${theirs.exit} ${JSON.stringify(theirs.stdout.toString("latin1"))} ${JSON.stringify(theirs.stderr.toString("latin1"))}\n  ours ${ours.exit} ${JSON.stringify(toBytes(ours.stdout).toString("latin1"))} ${JSON.stringify(ours.stderr)}`,
        );
      }
    });
    if (process.env["SHELPA_FUZZ_RUNS"] !== undefined)
      console.log(`${sample.length} lines, ${accepted} accepted, ${needlesslyRejected} that bash takes rejected as PARSE`);
    expect(differences.slice(0, 10)).toEqual([]);
    expect(accepted / sample.length).toBeGreaterThan(leastAccepted);
  },
  150_000,
);

/** Whether stages that run at once write to the same pipe: then bash's own order changes from run to run. */
const merges = (line: string): boolean => line.includes("|") && /2>&1|\|&/.test(line);

/** Stages of a pipeline write to standard error in any order; a stage whose reader has left complains. */
function settled(stderr: Buffer): Buffer {
  const lines = stderr
    .toString("latin1")
    .split("\n")
    .filter((line) => !line.includes("write error"));
  return Buffer.from(lines.sort().join("\n"), "latin1");
}
