/**
 * The same lines through bash and through our parser: we give the same words, streams and exit status, or reject.
 * Seeded. SHELPA_FUZZ_RUNS=20000 runs more of them, SHELPA_FUZZ_SEED another lot, SHELPA_FUZZ_SHOW=1 shows every difference.
 */
import fc from "fast-check";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toBytes, toText } from "../../src/io/text.ts";
import { corpus, fuzzRuns } from "../fuzz/dice.ts";
import { arrayAssignments, arrayExpansions, declarations } from "./array-lines.ts";
import { askBash, type BashAnswer, wasEnded } from "./bash-lines.ts";
import { functionLines, inputLines, outputLines, patternLines, stackLines } from "./function-lines.ts";
import { type LineAnswer, runLine } from "./line-run.ts";

const RUNS = fuzzRuns(100, 250);
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

/** Values that show what splitting does, each set before the line. */
const SETTINGS = "x=a; y='b c'; z=' d  e '; n=; p='/u/v.w.x'; q='*'; k=3; c=a:b::c";
const name = pieces("x", "y", "z", "n", "p", "q", "k", "c", "unset");
const innerWord = pieces(
  "",
  "a",
  "b*",
  "'q r'",
  '"q r"',
  "$y",
  '"$y"',
  "*",
  "?",
  "[ab]",
  "\\*",
  "${x}",
  "$(t s)",
  "a b",
  "~",
  "'*'",
  "é",
  "{a,b}",
  "$k",
);
const operator = pieces(":-", "-", ":=", "=", ":+", "+", "#", "##", "%", "%%", "^", "^^", ",", ",,");
const expansion: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: name.map((it) => `$${it}`) },
  { weight: 2, arbitrary: name.map((it) => `\${${it}}`) },
  { weight: 1, arbitrary: name.map((it) => `\${#${it}}`) },
  { weight: 4, arbitrary: fc.tuple(name, operator, innerWord).map(([it, how, inner]) => `\${${it}${how}${inner}}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        name,
        pieces("/", "//", "/#", "/%"),
        pieces("a", "b", "*", "?", "[a-c]", " ", "$x", "/", "."),
        pieces("", "/", "/X", "/<&>", "/'&'", "/\\&", "/$y", '/"$q"'),
      )
      .map(([it, how, from, to]) => `\${${it}${how}${how === "/" && from === "/" ? "a" : from}${to}}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(name, pieces("1", "0", " -2", "k", "1+1", "9"), pieces("", ":1", ":k", ":-1", ":0", ":$k"))
      .map(([it, from, length]) => `\${${it}:${from}${length}}`),
  },
  { weight: 1, arbitrary: pieces("$?", "$#", "$@", "$*", "$1", "$0") },
  {
    weight: 2,
    arbitrary: pieces(
      "$(t a)",
      "$(echo ' b  c ')",
      "$(echo '*')",
      "`echo d`",
      "$(f)",
      "$(x=9; echo $x)",
      "$(cd / 2>/dev/null; echo)",
      "$(echo a; echo)",
    ),
  },
  { weight: 1, arbitrary: pieces("$((k+1))", "$((k*(2+x)))", "$((k++))", "$((y=5, y))", "$((unset))", "$(($k<<2|1))") },
);
const dynamicPiece = fc.oneof(
  { weight: 5, arbitrary: expansion },
  { weight: 2, arbitrary: expansion.map((it) => `"${it}"`) },
  { weight: 2, arbitrary: pieces("a", "'s t'", '""', "''", ":", "é", "{1,2}", "*", "~", "-", "\\ ", '"d $x"') },
);
const dynamicWord = joined(dynamicPiece, 3);
const expansions = fc
  .tuple(pieces("", "IFS=; ", "IFS=:; ", "IFS=': '; ", "IFS=b; ", "unset IFS; "), fc.array(dynamicWord, { minLength: 1, maxLength: 3 }))
  .map(([ifs, all]) => `${SETTINGS}; ${ifs}t ${all.join(" ")}; t "$y" "$k" "$unset"`);

const assignment = fc
  .tuple(pieces("x", "y", "r", "s"), pieces("=", "=", "+="), dynamicWord)
  .map(([it, how, value]) => `${it}${how}${value.replace(/^~|[:=]~/g, "")}`);
const assignments = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: assignment },
      { weight: 1, arbitrary: fc.tuple(assignment, pieces("t", "f", "e")).map(([set, run]) => `${set} ${run} "$x" "$r"`) },
      { weight: 1, arbitrary: assignment.map((set) => `(${set}; t "$x")`) },
      { weight: 1, arbitrary: assignment.map((set) => `${set} | t "$x"`) },
      { weight: 1, arbitrary: assignment.filter((set) => !set.includes("+=")).map((set) => `export ${set}`) },
      { weight: 1, arbitrary: pieces("unset x", "unset r s", "f", "t $?", "printf -v r '%03d' $k", "false") },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => `${SETTINGS}; ${all.join("; ")}; t $? "$x" "$y" "$r" "$s"`);

const loopWords = pieces("1 2 3", "a 'b c'", "$y", '"$y"', "{1..3}", "$(echo p q)", "", "$n", "$z x");
const test2 = pieces(
  '[ "$i" = 2 ]',
  "[[ $i == [12] ]]",
  "[[ $i = $x ]]",
  "((k > 2))",
  "((--k))",
  "f",
  "t",
  "! f",
  '[ -n "$n" ]',
  "[[ -z $n && $k -ge 3 ]]",
  "[[ ! ( -n $x || -v unset ) ]]",
  "[[ $p =~ ^/u/(v|w)\\.w ]]",
  '[[ $y =~ "b c" ]]',
  "[[ $y < c ]]",
  "[[ $q == '*' ]]",
  '[[ $q == "$q" ]]',
  "[[ x != $q ]]",
  "[[ a ]]",
);
const step = pieces(
  "t $i",
  "t $x",
  "e $i",
  "k=$((k-1))",
  "x=$i$x",
  "break",
  "continue",
  "break 2",
  "continue 2",
  "f",
  "echo $k",
  "(exit 3)",
  "read -r v <<< 'l m'; t $v",
  't "$?"',
  ":",
);
/** Counters of inner loops are others than those of outer ones, so that every loop ends. */
const deeper = (inner: string): string => inner.replace(/\bj(\d+)\b/g, (_, depth: string) => `j${Number(depth) + 1}`);
const { body } = fc.letrec<{ body: string; compound: string }>((tie) => ({
  compound: fc.oneof(
    { depthSize: "small" },
    { weight: 4, arbitrary: step },
    { weight: 2, arbitrary: fc.tuple(loopWords, tie("body")).map(([all, inner]) => `for i in ${all}; do ${inner}; done`) },
    {
      weight: 2,
      arbitrary: fc.tuple(test2, tie("body"), tie("body")).map(([when, one, other]) => `if ${when}; then ${one}; else ${other}; fi`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(test2, tie("body"), test2, tie("body"))
        .map(([when, one, or, other]) => `if ${when}; then ${one}; elif ${or}; then ${other}; fi`),
    },
    { weight: 1, arbitrary: tie("body").map((inner) => `j0=0; while ((j0++ < 3)); do ${deeper(inner)}; done`) },
    { weight: 1, arbitrary: tie("body").map((inner) => `j0=0; until [ $j0 -ge 2 ]; do j0=$((j0+1)); ${deeper(inner)}; done`) },
    { weight: 1, arbitrary: tie("body").map((inner) => `for ((j0=0; j0<2; j0++)); do ${deeper(inner)}; done`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          pieces("$x", '"$y"', "$i", "b", "$q", "$p"),
          pieces("a", "b*", '"$y"', "[!a]", "a|b", "$x", "'*'"),
          tie("body"),
          pieces(";;", ";&", ";;&"),
          tie("body"),
        )
        .map(([text, pattern, one, end, other]) => `case ${text} in ${pattern}) ${one} ${end} (*) ${other};; esac`),
    },
    { weight: 1, arbitrary: fc.tuple(test2, tie("body")).map(([when, one]) => `${when} && { ${one}; }`) },
    { weight: 1, arbitrary: tie("body").map((inner) => `( ${inner} )`) },
    {
      weight: 1,
      arbitrary: tie("body").map((inner) => `printf '%s\\n' 'g h' i | while read -r i k2; do ${inner.replaceAll("t ", "e ")}; done`),
    },
    { weight: 1, arbitrary: tie("body").map((inner) => `t "$( ${inner} )"`) },
  ),
  body: fc
    .tuple(tie("compound"), fc.array(fc.tuple(pieces("; ", "\n", " && ", " || ", "; "), tie("compound")), { maxLength: 2 }))
    .map(([first, rest]) => first + rest.flat().join("")),
}));
const compounds = fc
  .tuple(pieces("", "", "", "set -e; ", "set -o pipefail; "), body)
  .map(([options, inner]) => `${SETTINGS}; i=0; ${options}${inner}; t $? "$x" "$k" "$i"`);

const number = pieces(
  "0",
  "1",
  "7",
  "k",
  "x1",
  "$k",
  "010",
  "0x1F",
  "2#101",
  "unset",
  "9223372036854775807",
  "-3",
  "(k)",
  "k++",
  "--k",
  "$(echo 4)",
);
const operation = pieces(
  "+",
  "-",
  "*",
  "/",
  "%",
  "**",
  "<<",
  ">>",
  "<",
  ">",
  "<=",
  ">=",
  "==",
  "!=",
  "&",
  "|",
  "^",
  "&&",
  "||",
  ",",
  "? 1 :",
  "=",
  "+=",
  " ",
);
const arithmetic = fc
  .tuple(
    number,
    fc.array(fc.tuple(operation, pieces("", " ", "!", "~", "-"), number), { maxLength: 3 }),
    pieces("$(( @ ))", '"$((@))"', "$((@)) 2>/dev/null"),
  )
  .map(([first, rest, around]) => `k=3; x1='k+1'; t ${around.replace("@", () => first + rest.flat().join(""))}; t $? $k`);

/** Tokens in any order: what is wrong there, and which of them bash names. Parentheses in pairs: without, the line itself is no line. */
const brokenArithmetic = fc
  .array(
    fc.oneof(
      number,
      operation,
      pieces(
        "(",
        "(k ",
        "(1 + 2",
        "()",
        "(@)",
        "!",
        "~",
        ":",
        "08",
        "1 + 2#7",
        "0xg",
        "9#",
        "65#1",
        "bad",
        "x1 = 3",
        ". ",
        "@",
        "1.5",
        "!=",
        "'1'",
      ),
    ),
    { minLength: 1, maxLength: 5, size: "max" },
  )
  .map((tokens) => {
    const text = tokens.join(" ");
    return `k=3; x1='k+1'; bad='1 +'; t $(( ${text} ${")".repeat(text.split("(").length - text.split(")").length)} )); t $? $k`;
  });

const inputs = pieces("a b c", "  a  b  ", "a:b::c", ":a", "a\\ b c", "a\\\\b", "", "é x", "a\tb");
const reads = fc
  .tuple(
    inputs,
    inputs,
    pieces("", "IFS= ", "IFS=: ", "IFS=': ' ", "IFS=b "),
    pieces("", "-r", "-d b", "-d ''", "-n 2", "-rn 3", "-N 4", "-r -d :"),
    pieces("", "x", "x y", "x y z"),
  )
  .map(
    ([one, two, ifs, flags, names]) => `printf '%s\\n' '${one}' '${two}' | { ${ifs}read ${flags} ${names}; t $? "$x" "$y" "$z" "$REPLY"; }`,
  );

/**
 * Lines of the other kinds with characters put in, left out or doubled. bash runs them too, as whoever runs the tests:
 * nothing that could name a file outside, start something in the background or write is put in, and /dev/null is not bent.
 */
const mark = pieces(
  "'",
  '"',
  "\\",
  "$",
  "{",
  "}",
  "(",
  ")",
  ";",
  "|",
  " ",
  "\n",
  "#",
  "`",
  "*",
  "?",
  "[",
  "]",
  "!",
  "~",
  "<",
  ",",
  "=",
  "$(",
  "${",
  "$'",
  "\\\n",
  "\t",
  "é",
  "1",
  "-",
  "",
);
const mutations = fc
  .tuple(
    fc.oneof(words, list, hereDocument, expansions, assignments, compounds, arithmetic, reads),
    fc.array(fc.tuple(fc.nat(10_000), mark, fc.constantFrom(0, 0, 1, 2)), { minLength: 1, maxLength: 3 }),
  )
  // Arithmetic has kinds of its own; bent, it may hold comments, in which bash says other things than we do.
  .filter(([line]) => !line.includes("/dev") && !line.includes("(("))
  .map(([line, changes]) =>
    changes.reduce((text, [at, put, without]) => {
      const from = at % (text.length + 1);
      return text.slice(0, from) + put + text.slice(from + without);
    }, line),
  )
  .filter((line) => line.isWellFormed());

const traced = fc
  .oneof(assignments, compounds, arithmetic, expansions, functionLines, arrayAssignments, declarations, outputLines, inputLines, stackLines)
  // There the trace itself is data, of the harness too.
  .filter((line) => !/\n.*<<|2>&1|2>&4 4>|\$\(t s\)|t "\$[(x]/.test(line))
  .map((line) => `set -x; ${line}`);

const KINDS: readonly { readonly name: string; readonly lines: fc.Arbitrary<string>; readonly leastAccepted: number }[] = [
  { name: "words", lines: words, leastAccepted: 0.6 },
  { name: "lists and redirections", lines: list, leastAccepted: 0.85 },
  { name: "here-documents", lines: hereDocument, leastAccepted: 0.5 },
  { name: "two here-documents", lines: twoDocuments, leastAccepted: 0.3 },
  { name: "expansions", lines: expansions, leastAccepted: 0.9 },
  { name: "assignments", lines: assignments, leastAccepted: 0.9 },
  { name: "compound commands", lines: compounds, leastAccepted: 0.9 },
  { name: "arithmetic", lines: arithmetic, leastAccepted: 0.5 },
  { name: "broken arithmetic", lines: brokenArithmetic, leastAccepted: 0.5 },
  { name: "expansions of arrays", lines: arrayExpansions, leastAccepted: 0.8 },
  { name: "assignments to arrays", lines: arrayAssignments, leastAccepted: 0.8 },
  { name: "declarations", lines: declarations, leastAccepted: 0.6 },
  { name: "functions", lines: functionLines, leastAccepted: 0.9 },
  { name: "input", lines: inputLines, leastAccepted: 0.8 },
  { name: "output", lines: outputLines, leastAccepted: 0.8 },
  { name: "directory stack", lines: stackLines, leastAccepted: 0.8 },
  { name: "trace", lines: traced, leastAccepted: 0.6 },
  { name: "extended patterns", lines: patternLines, leastAccepted: 0.8 },
  { name: "read", lines: reads, leastAccepted: 0.9 },
  { name: "mutations", lines: mutations, leastAccepted: 0.2 },
  { name: "soup", lines: soup, leastAccepted: 0.02 },
];

test("what once was read otherwise than by bash", async () => {
  const lines = corpus<{ line: string }>("shell").map(({ line }) => line);
  expect((await compared(lines)).differences).toEqual([]);
});

test.each(KINDS)(
  "$name: as bash, or rejected",
  async ({ lines, leastAccepted }) => {
    const sample = [...new Set(fc.sample(lines, { numRuns: RUNS, seed: SEED }))].filter((line) => !line.includes("\0"));
    const { accepted, needlesslyRejected, differences } = await compared(sample);
    if (process.env["SHELPA_FUZZ_RUNS"] !== undefined)
      console.log(
        `${sample.length} lines, ${accepted} accepted, ${differences.length} differ, ${needlesslyRejected} that bash takes rejected as PARSE`,
      );
    if (process.env["SHELPA_FUZZ_SHOW"] !== undefined) console.log(differences.join("\n"));
    expect(differences.slice(0, 10)).toEqual([]);
    expect(accepted / sample.length).toBeGreaterThan(leastAccepted);
  },
  600_000,
);

/** Runs `lines` through both. */
async function compared(
  lines: readonly string[],
): Promise<{ accepted: number; needlesslyRejected: number; differences: readonly string[] }> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-lines-")));
  const differences: string[] = [];
  const pending: Pending[] = [];
  let accepted = 0;
  let needlesslyRejected = 0;
  try {
    const bash = askBash(lines, { directory, home: directory });
    // A bent line may have made files there, by a redirection that we refuse.
    for (const name of readdirSync(directory, { encoding: "buffer" }))
      rmSync(Buffer.concat([Buffer.from(`${directory}/`), name]), { recursive: true });
    for (const [index, line] of lines.entries()) {
      const answer = bash[index] as BashAnswer;
      // `$-` tells that the setting has turned globs off, `$$` is a number by chance, and functions of the setting can be unset.
      if (wasEnded(answer) || /\$\{?[$-]/.test(line) || /: [tfe]: command not found/.test(answer.stderr.toString("latin1"))) continue;
      const ours = await runLine(line, directory).catch(endless);
      if (ours === undefined) continue;
      if (ours.kind === "refused") {
        const { reason, detail } = ours.violation;
        if (reason === "DISALLOWED_CMD") {
          accepted++;
          if (answer.exit === 2 && answer.stderr.includes("syntax error"))
            differences.push(`${JSON.stringify(line)}: bash does not parse it`);
        } else if (answer.exit !== 2 && reason === "PARSE") {
          needlesslyRejected++;
          if (process.env["SHELPA_FUZZ_SHOW"] !== undefined) console.log(JSON.stringify(line), detail);
        }
        continue;
      }
      // bash opens what lies there, and prints names with newlines in them as they are. Its t reads a directory as nothing.
      if (/Path is outside the workspace|\\[ntx].*: No such file|\b[tf]: Is a directory/.test(ours.stderr)) continue;
      accepted++;
      const difference = differenceOf(line, answer, ours);
      if (difference !== undefined) pending.push({ line, ours, difference });
    }
    differences.push(...stillDifferent(pending, directory));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return { accepted, needlesslyRejected, differences };
}

/** A line with which the first answer of bash disagrees. */
interface Pending {
  readonly line: string;
  readonly ours: Extract<LineAnswer, { kind: "ran" }>;
  readonly difference: string;
}

/**
 * The differences that remain. Which stage of a pipeline reads or writes first is chance, and so is whether a writer is ended because
 * its reader has left; a bent line before may have made a file that it reads. bash is asked again, in a directory that is empty, and a
 * line to which it gives our answer then is left out.
 */
function stillDifferent(pending: readonly Pending[], directory: string): readonly string[] {
  let left = pending.filter(({ line }) => !leavesInputToChance(line));
  for (const brokenPipesEnd of [true, false, true]) {
    if (left.length === 0) break;
    const lines = left.map(({ line }) => line);
    const answers = new Map(askBash(lines, { directory, home: directory, brokenPipesEnd }).map((answer, at) => [lines[at], answer]));
    left = left.filter(({ line, ours }) => {
      const answer = answers.get(line);
      return answer === undefined || differenceOf(line, answer, ours) !== undefined;
    });
  }
  return left.map(({ difference }) => difference);
}

/**
 * `( (f; t) | e; f ) <<< x`: `e` does not read, so that f may be ended as it writes, before t has read the input that the last f shares
 * with it. Here it always is; bash's is nearly always quicker than the reader.
 */
const leavesInputToChance = (line: string): boolean =>
  /\|&?(?:\s|\\\n|#.*\n)*e\b/.test(line) && /[)}](?:\s*\d?&?[<>]+&?[^\s<>;|]*)*\s*<<</.test(line);

/** A bent line may loop for ever. bash ends such a one by its CPU limit, and says so only where that was not in a subshell. */
function endless(thrown: unknown): undefined {
  if (!(thrown instanceof Error) || !thrown.message.startsWith("stopped: time")) throw thrown;
}

function differenceOf(line: string, bash: BashAnswer, own: Extract<LineAnswer, { kind: "ran" }>): string | undefined {
  const isTraced = line.startsWith("set -x; ");
  const tidied = (bytes: Buffer, isBash: boolean): Buffer => (isTraced ? withoutHarness(bytes, isBash) : bytes);
  const theirs = { ...bash, stdout: tidied(bash.stdout, true), stderr: tidied(bash.stderr, true) };
  const ours = {
    ...own,
    stdout: toText(tidied(Buffer.from(toBytes(own.stdout)), false)),
    stderr: toText(tidied(Buffer.from(toBytes(own.stderr)), false)),
  };
  const merged = merges(line);
  const stdout = [theirs.stdout, toBytes(ours.stdout)].map((bytes) => (merged ? inAnyOrder(bytes) : unnumbered(bytes))) as [Buffer, Buffer];
  const atOnce = line.includes("|") && line.includes(">&2");
  const stderr = [theirs.stderr, toBytes(ours.stderr)].map(atOnce ? inAnyOrder : settled) as [Buffer, Buffer];
  const isSame = stdout[0].equals(stdout[1]) && theirs.exit === ours.exit;
  if (isSame && (stderr[0].equals(stderr[1]) || (line.includes("|") && isPartOf(stderr[1], stderr[0])))) return undefined;
  const shown = (out: Buffer, err: Buffer): string => `${JSON.stringify(out.toString("latin1"))} ${JSON.stringify(err.toString("latin1"))}`;
  return `${JSON.stringify(line)}\n  bash ${theirs.exit} ${shown(stdout[0], stderr[0])}\n  ours ${ours.exit} ${shown(stdout[1], stderr[1])}`;
}

/** A trace without the lines of what bash's `t`, `f` and `e` do, and without the level of the `eval` by which it runs the line. */
function withoutHarness(bytes: Buffer, isBash: boolean): Buffer {
  const text = bytes.toString("latin1").replace(/^\++ (show( .*)?|return [01]|printf (-v words|'%s\\n') .*)\n/gm, "");
  return Buffer.from(isBash ? text.replace(/^\+(\++ )/gm, "$1") : text, "latin1");
}

/**
 * True if `part` has no line that `whole` has not. A command that writes when its reader has left is ended, here as by SIGPIPE;
 * the bash of these tests ignores that signal and goes on to the next command of a group.
 */
function isPartOf(part: Buffer, whole: Buffer): boolean {
  const left = whole.toString("latin1").split("\n");
  return part
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "")
    .every((line) => {
      const at = left.indexOf(line);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
}

/** True if stages that run at once write to the same pipe: then bash's own order changes from run to run. */
const merges = (line: string): boolean => line.includes("|") && /2>&1|\|&/.test(line);

/** Output that several stages of bash wrote at once, also into the middle of each other's lines. */
function inAnyOrder(bytes: Buffer): Buffer {
  const words = settled(bytes)
    .toString("latin1")
    .match(/<[^<>]*>|[^<>\n]+/g);
  return Buffer.from((words ?? []).sort().join("\n"), "latin1");
}

/** Stages of a pipeline write to standard error in any order; a stage whose reader has left complains. */
function settled(stderr: Buffer): Buffer {
  const lines = unnumbered(stderr)
    .toString("latin1")
    .split("\n")
    .filter((line) => !line.includes("write error"));
  return Buffer.from(lines.sort().join("\n"), "latin1");
}

/** bash numbers the lines of what it evaluates from where that stands in its own script, and tells of a reader that has left. */
function unnumbered(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1");
  if (!/: line |<line>/.test(text)) return bytes;
  const told = text
    .replace(/(<bash: line |<line><)\d+/g, "$1N")
    .split("\n")
    .filter((line) => !/: (write error: Broken pipe|pop_var_context: .*)$/.test(line));
  return Buffer.from(told.join("\n").replace(/^(bash|environment): (eval: )?line \d+: /gm, "bash: line N: "), "latin1");
}
