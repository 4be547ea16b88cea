/**
 * Lines that make a small text tool compute, print or allocate without end: every line is answered, refused, or stopped
 * within its limits, and the next call is served. Through an executor process, as the MCP server runs lines.
 */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toText } from "../../src/io/text.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";
import { expectAnswer, GRACE_MS, LIMIT_MS } from "./answered.ts";

const RESIDENT_BYTES = 512 << 20;

let place: Tree;
let shell: Shell;

beforeAll(async () => {
  const names = ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf"];
  const bomb = gzipSync(Buffer.alloc(64 << 20));
  place = tree([
    `keys: ${names.map((name) => `${name} 1\n`).join("")}`,
    `others: ${names.map((name) => `${name} 2\n`).join("")}`,
    `wide: ${"x ".repeat(1_000_000)}\n`,
    `tall: ${"x\n".repeat(300_000)}`,
    `line: ${"a".repeat(900_000)}`,
    `cycle: ${Array.from({ length: 20_000 }, (_, at) => `n${at} n${(at + 1) % 20_000}\n`).join("")}`,
    `cycles: ${Array.from({ length: 3000 }, (_, at) => `a${at} b${at}\nb${at} a${at}\n`).join("")}`,
    `bomb.gz: ${toText(Buffer.concat([bomb, bomb, bomb, bomb]))}`,
  ]);
  shell = await Shell.open({ root: place.path, isolation: "process", limits: { timeMs: LIMIT_MS, residentBytes: RESIDENT_BYTES } });
});
afterAll(async () => {
  await shell.close();
  place.remove();
});

/** Lines with a small output, and that output. */
const HARMLESS: readonly (readonly [line: string, stdout: string])[] = [
  ["join keys others | sort", "__proto__ 1 2\nconstructor 1 2\nhasOwnProperty 1 2\ntoString 1 2\nvalueOf 1 2\n"],
  ["cut -d ' ' -f 1 keys | uniq -c | head -n 1", "      1 __proto__\n"],
  ["cut -d ' ' -f 1 keys | tsort 2>&1 | tail -n 1", "tsort: -: input contains an odd number of tokens\n"],
  ["echo '__proto__ constructor' | tsort", "__proto__\nconstructor\n"],
  ["column -t -N __proto__ -J keys 2>&1 | head -n 1", "column: line 2: for JSON the name of the column 2 is required\n"],
  ["printf '__proto__\\n' | column -J -N constructor | grep proto", '         "constructor": "__proto__"\n'],
  ["seq 1e18 | head -n 1", "1\n"],
  ["seq 1 1e18 | tail -n +2 | head -n 1", "2\n"],
  ["shuf -i 1-1000000000000000 -n 1 | wc -l", "1\n"],
  ["yes | head -n 3 | tr -d '\\n'", "yyy"],
  ["zcat bomb.gz | head -c 3 | od -An -tx1", " 00 00 00\n"],
  ["numfmt --to=iec 9999999999999999999999999999999999 2>&1 | head -c 8", "numfmt: "],
  ["expr 99999999999999999999999 '*' 99999999999999999999999", "9999999999999999999999800000000000000000000001\n"],
  ["wc -L line", "900000 line\n"],
];

describe("harmless", () => {
  test.each(HARMLESS)("%s", { timeout: 2 * (LIMIT_MS + GRACE_MS) }, async (line, stdout) => {
    const ran = await shell.defaultSession.run(line);
    expect(ran.stdout.toString()).toBe(stdout);
  });
});

const LINES: readonly string[] = [
  "sed ':a;s/./&&/g;ta' keys",
  "sed ':a;s/a/aa/;ta' keys",
  "sed ':a;ba' keys",
  "sed ':a;G;h;ba' keys",
  "sed ':a;p;ba' keys",
  "sed 's/^/\\n/;D' keys",
  "sed ':a;N;$!ba;s/\\n/,/g;:b;s/,/,,/;tb' tall",
  "sed -n 'l 2' line",
  "sed 'y/a/\\n/;s/\\n/&&&&&&&&&&&&&&&&/g;s/\\n/&&&&&&&&&&&&&&&&/g;s/\\n/&&&&&&&&&&&&&&&&/g' line",
  `sed '${"s/a*/&&/g;".repeat(40)}' line`,
  `sed -e '${"{".repeat(20_000)}' keys`,
  "sed 's/a/b/99999999999999999999' line",
  "sed '99999999999999999999q' keys",
  "seq 1e18",
  "seq 1 0.0000000001 1e18",
  "seq -f %1000000000f 2",
  "seq -f %.1000000000f 2",
  "seq -w 1 1e300",
  "seq -s \"$(printf 'x%.0s' 1 2 3)\" 1e18 | tail -c 1",
  "yes | tr -d '\\n' | fold",
  "yes | tr -d '\\n' | fold -w 1000000000 | tail -n 1",
  "yes | tr -d '\\n' | rev",
  "yes | tr -d '\\n' | tac",
  "yes | tr -d '\\n' | cut -c 1",
  "yes | tr -d '\\n' | sort",
  "yes | tr -d '\\n' | uniq",
  "yes | tr -d '\\n' | wc -L",
  "yes | tr -d '\\n' | expand",
  "yes | tr '\\n' ' ' | column -t",
  "yes | tac",
  "yes | sort",
  "yes | shuf",
  "yes | tsort",
  "yes | column",
  "yes | tail -n 1000000000000",
  "yes | head -n -1000000000000",
  "yes | tail -c 1000000000000",
  "yes | head -c -1000000000000",
  "yes | paste -s",
  "yes | join - keys",
  "yes | od -w1000000000",
  "yes | xxd -c 256 -g 1000",
  "yes | xxd -r -p",
  "yes | hexdump -e '1000000000/1 \"%02x\"'",
  "yes | base64 -w 0",
  "yes | base64 -d",
  "yes | strings -n 1000000000",
  "yes | nl -w 1000000000",
  "yes | numfmt --to=iec",
  "yes | sha512sum",
  "printf %1000000000s",
  "printf %.1000000000f 1",
  "printf %1000000000d 1 2 3",
  "printf '%*s' 2147483647 x",
  "printf '%.*d' 2147483647 1",
  "expr 9999999999 : '\\(9*\\)*9*9*9*9*x'",
  `expr ${"9".repeat(20_000)} '*' ${"9".repeat(20_000)}`,
  `expr ${"\\( ".repeat(20_000)}1`,
  `expr ${"1 + ".repeat(20_000)}1`,
  "factor 170141183460469231731687303715884105729",
  "factor 115792089237316195423570985008687907853269984665640564039457584007913129639937",
  `factor ${"9".repeat(5000)}`,
  "shuf -i 1-1000000000000000",
  "shuf -r -i 1-1000000000000000",
  "shuf -i 1-1000000000000000 -n 1000000000",
  "shuf -r -e a b",
  "numfmt --format %1000000000f 1",
  "numfmt --format %.1000000000f 1",
  "numfmt --padding 1000000000 1",
  "numfmt --padding -1000000000 1",
  'numfmt --suffix "$(yes | head -c 100000)" 1',
  "column -t wide",
  "column wide",
  "column -c 4294967295 tall",
  "column -t -o \"$(yes | head -c 100000 | tr -d '\\n')\" tall",
  "column -t -l 1000000 wide",
  "tsort cycle",
  "tsort cycles",
  "od -w1000000000 keys",
  "od -j 1000000000000000 keys",
  "od -S 1000000000 line",
  "od -t x1000000000 keys",
  "xxd -s 1000000000000000 keys",
  "xxd -o 1000000000000000 -c 1000000000 keys",
  "echo 'ffffffffffff: 00' | xxd -r",
  "hexdump -s 1000000000000000 keys",
  "fold -w 18446744073709551615 line",
  "expand -t 1000000000 wide",
  "printf '\\t%.0s' 1 2 3 | expand -t 1000000000",
  "unexpand -t 1 wide",
  "nl -w 1000000000 keys",
  "nl -i 9223372036854775807 keys",
  "cut -c 1-1000000000000 line",
  "cut -c 18446744073709551614- line",
  `cut -f ${Array.from({ length: 20_000 }, (_, at) => 2 * at + 1).join(",")} line`,
  "tr '[a*1000000000]' '[b*1000000000]' < keys",
  "cat keys | tr '[a*1000000000]' b",
  "uniq -f 18446744073709551615 wide",
  "sort -k 1000000000 wide",
  "sort -S 1000000000000 tall",
  "sort -n line",
  "sort -V line",
  "sort -h wide",
  `date -d '${"1 day ".repeat(20_000)}'`,
  "date -d '@999999999999999999999999'",
  "date +%1000000000Y",
  "date +%999999999N",
  `basename ${"/".repeat(100_000)}a`,
  "paste -d '' line line line",
  `paste ${"wide ".repeat(200)}`,
  "join -t '' wide wide",
  'join -o "$(seq -s , -f 1.%g 20000)" keys others',
  "comm wide line",
  "zcat bomb.gz",
  "zcat bomb.gz | tr '\\0' a | rev",
  "zcat -f wide | tail -c 1",
  "yes | zcat -f | tail -n 1",
];

describe("stopped or answered", () => {
  test.each(LINES.map((line) => [line.length > 80 ? `${line.slice(0, 80)}…` : line, line]))(
    "%s",
    { timeout: 2 * (LIMIT_MS + GRACE_MS) },
    (_, line) => expectAnswer(shell, line),
  );
});
