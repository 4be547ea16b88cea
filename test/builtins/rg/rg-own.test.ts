/**
 * Our own search of lines against the module: the same bytes and the same status for the same command. A flag without
 * effect sends a command to the module. Seeded. SHELPA_FUZZ_RUNS=2000 runs more of them, SHELPA_FUZZ_SEED another lot.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rg } from "../../../builtins/rg/rg.ts";
import { ownPlan } from "../../../builtins/rg/own-plan.ts";
import { parseArguments } from "../../../src/builtin/arguments.ts";
import { quoteWord } from "../../../src/display/quote.ts";
import { toBytes } from "../../../src/io/text.ts";
import { runOurs } from "../../cases.ts";
import { fuzzRuns } from "../../fuzz/dice.ts";
import { tree } from "../../tree.ts";

const RUNS = fuzzRuns(20, 60);
const SEED = Number(process.env["SHELPA_FUZZ_SEED"] ?? 20_260_225);
/** The module's: nothing else of a command changes. */
const TO_MODULE = "--no-auto-hybrid-regex";

const ATOMS = [
  ...["foo", "error", "a", "k", "S", "ſ", "é", "0", "_", "-", " ", "\\.", "\\w", "\\d", "\\s", "\\W", "\\S", ".", "[a-f]", "[^a]"],
  ...["[A-Z_]", "[\\w-]", '[^\\s"]', "[[:alpha:]]", "\\b", "^", "$", "(foo|bar)", "(?:a|b)", "\\(", "'", "[0-9]{2}", "[^\\n]", "\\t"],
  ...["\\$", "[é-ö]", "[a\\]]", "#", "\\/", "@", ":", "=", ",", "</", "x{2,3}"],
  ...["(?i)", "(?i:K)", "(?-i:Error)", "(?s:.)", "(?x: a b # c)", "(?U)", "(?m)^", "(?-m:$)", "(?R)", "(?P<n>b)", "\\B", "\\<", "\\>"],
  ...["\\b{start}", "\\b{end}", "\\b{start-half}", "\\b{end-half}", "\\A", "\\z", "\\x61", "\\x{e9}", "\\u00e9", "\\p{Lu}", "\\n"],
  ...["[[a-f]&&[^b]]", "[\\w--[a-c]]", "[a-c~~b-d]", "[[:^alpha:]]", "[-a]", "[a-]", "[]a]", "[^]a]", "[\\d-]", "[\\x41-F]", "b{0}"],
];
const WORDS = [
  ...["foo", "error", "ERROR", "Error:", "bar", "a", "b", "aa", "é", "ſ", "K", "k", "x1", "0", "12", "_id", "foo-bar", "(x)", '"q"'],
  ...["\t", "  ", "€uro", "日本", "a/b.c", "user@example.com", "$x", "#", ":", "=", "</a>", "xxx", "\r"],
];
const FLAGS = [
  ...["-n", "-i", "-S", "-w", "-x", "-l", "-c", "-v", "-o", "-on", "-m1", "-m2", "-A1", "-B1", "-C1", "-nC2", "-H", "-I", "-q"],
  ...["--heading", "-0", "-a", "--files-without-match", "-F", "--no-heading", "--color=never", "-N"],
];

const pattern = fc
  .array(fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,3}", "+?", "|")), {
    minLength: 1,
    maxLength: 4,
  })
  .map((pieces) => pieces.flat().join(""));
const line = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom("", " ")), { maxLength: 5 })
  .map((words) => words.flat().join(""));
const content = fc
  .tuple(fc.array(line, { maxLength: 9 }), fc.boolean(), fc.constantFrom("", "", "\ufeff", "\u{dcff}", "a\u{dce2}\u{dc82}b\n"))
  .map(([lines, ends, start]) => start + lines.join("\n") + (ends && lines.length > 0 ? "\n" : ""));
const command = fc.record({
  flags: fc.array(fc.constantFrom(...FLAGS), { maxLength: 3 }),
  pattern,
  paths: fc.constantFrom([], ["f"], ["f", "g"], ["d"], ["d", "f"]),
  content,
  other: content,
});

describe("our own search", () => {
  test(`${RUNS} random commands as the module has them`, { timeout: 60_000 + RUNS * 100 }, async () => {
    const place = tree(["d/"]);
    try {
      const run = fc.asyncProperty(command, async ({ flags, pattern: text, paths, content: first, other }) => {
        for (const [path, value] of [
          ["f", first],
          ["g", other],
          ["d/e", first],
        ] as const)
          writeFileSync(join(place.path, path), toBytes(value));
        const rest = [...flags, "-e", text, ...paths].map(quoteWord).join(" ");
        const stdin = paths.length === 0 ? { stdin: first === "" ? "\n" : first } : {};
        const own = await runOurs({ command: `rg ${rest}`, ...stdin }, place.path);
        const module = await runOurs({ command: `rg ${TO_MODULE} ${rest}`, ...stdin }, place.path);
        expect(own, rest).toEqual(module);
      });
      await fc.assert(run, { numRuns: RUNS, seed: SEED });
    } finally {
      place.remove();
    }
  });

  test.each([
    ["rg foo", true],
    ["rg -n 'a.*b'", true],
    ["rg -i 'foo|bar'", true],
    ["rg -w -o '[a-z]+'", true],
    ["rg '(?i)foo'", true],
    ["rg 'foo\\('", true],
    ["rg -i é", false],
    ["rg 'a(?P<x'", false],
    ["rg 'a{'", false],
    ["rg '(a+)+$' -o", false],
    ["rg 'a*' -o", false],
    ["rg -U foo", false],
    ["rg --json foo", false],
    ["rg -r x foo", false],
    ["rg '\\pL'", false],
    ["rg '[a&&b]'", false],
  ])("%s: %s", (text, isOwn) => {
    const words = [...text.matchAll(/'([^']*)'|(\S+)/g)].map((found) => found[1] ?? found[2] ?? "").slice(1);
    const { occurrences, operands } = parseArguments(
      rg,
      "rg",
      words.map((word) => ({ text: word })),
    );
    expect(ownPlan(occurrences, operands.slice(0, 1)) !== undefined).toBe(isOwn);
  });
});
