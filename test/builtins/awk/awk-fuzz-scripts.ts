/** Random awk programs of the kinds that people write whole: reports, joins, state machines, parsers of logs and tables. */
import type { Dice } from "../../fuzz/dice.ts";
import { looseExpression } from "./awk-fuzz-expressions.ts";

const ORDERS = [
  "@ind_str_asc",
  "@ind_str_desc",
  "@ind_num_asc",
  "@ind_num_desc",
  "@val_num_asc",
  "@val_num_desc",
  "@val_type_asc",
  "@val_type_desc",
  "@unsorted",
];
const COMPARERS = [
  "return v1 - v2",
  "return (v1 < v2) ? -1 : (v1 > v2)",
  "return i1 - i2",
  'return (i1 "" < i2 "") ? 1 : -1',
  "return length(i1) - length(i2)",
];

export interface Script {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly files: Readonly<Record<string, string>>;
}

export function script(dice: Dice, regex: () => string): Script {
  const files = { table: table(dice), log: log(dice), "ini.txt": settings(dice), csv: csv(dice) };
  const operands = dice.pick([
    ["table"],
    ["log"],
    ["csv"],
    ["table", "log"],
    ["table", "table"],
    ["ini.txt"],
    ["csv", "table"],
    [],
    ["log", "ini.txt", "csv"],
  ]);
  const field = (): string => dice.pick(["$1", "$2", "$3", "$NF", "$(NF-1)", "$4"]);
  const expression = (): string => looseExpression(dice, regex, 2);
  const format = (): string =>
    dice.pick([
      "%s\\n",
      "%-10s|%5d\\n",
      "%s %.2f\\n",
      "%5s:%-5s|\\n",
      "%d items (%.1f%%)\\n",
      "%'d %s\\n",
      "%08.3f %x\\n",
      "%c%c\\n",
      "%3d. %s\\n",
      "%*d|%s\\n",
    ]);
  const key = (): string => dice.pick([field(), "$1, $2", "$1 FS $2", "tolower($1)", "substr($1, 1, 2)", "NF", "length($0)", "$2 % 3"]);
  const order = (): string => (dice.chance(50) ? `PROCINFO["sorted_in"] = "${dice.pick([...ORDERS, "by"])}"; ` : "");
  const program = dice.pick<() => string>([
    () => `{ n[${key()}]++ } END { ${order()}for (k in n) print n[k], k }`,
    () =>
      `{ s[${key()}] += ${field()}; c[${field()}]++ } END { ${order()}for (k in s) printf "${format()}", k, s[k], s[k] / NR; print length(s), length(c) }`,
    () => `!seen[${key()}]++`,
    () => `FNR == NR { a[${field()}] = ${field()}; next } ${field()} in a { print $0, a[${field()}] }`,
    () => `FNR == NR { a[FNR] = $0; next } { print a[FNR] "|" $0 }`,
    () => `/${regex()}/ { p = 1 } p; /${regex()}/ { p = 0 }`,
    () => `/${regex()}/,/${regex()}/ { print NR ": " $0; next } { k++ } END { print k + 0 }`,
    () =>
      `/^\\[/ { gsub(/[][]/, ""); section = $0; next } NF && !/^[#;]/ { split($0, kv, /[ \\t]*=[ \\t]*/); conf[section, kv[1]] = kv[2] } END { ${order()}for (k in conf) { split(k, p, SUBSEP); print p[1] "." p[2] "=" conf[k] } }`,
    () =>
      `{ $${dice.pick(["1", "2", "NF"])} = ${dice.pick(['""', '"X"', field(), "NR", "toupper($1)"])}; print${dice.pick(["", " NF", " $0, NF"])} } `,
    () => `NF { ${dice.pick(["NF--", "NF -= 2", "NF = 2", "NF++", '$NF = ""'])}; print NF ":" $0 }`,
    () => `{ for (i = NF; i > 0; i--) printf "%s%s", $i, (i > 1 ? OFS : ORS) }`,
    () =>
      `{ for (i = 1; i <= NF; i++) if ($i ~ /${regex()}/) { print FILENAME ":" FNR ":" i ": " $i; ${dice.pick(["next", "break", "nextfile", "continue"])} } }`,
    () => `{ line[NR] = $0 } END { for (i = NR; i >= 1; i--) print line[i] }`,
    () => `{ w += NF; c += length + 1 } length > max { max = length; longest = $0 } END { print NR, w, c, max, longest }`,
    () =>
      `function by(i1, v1, i2, v2) { ${dice.pick(COMPARERS)} } { v[NR] = ${field()} } END { n = asort(v, s${dice.pick(["", ', "by"', `, "${dice.pick(ORDERS)}"`])}); for (i = 1; i <= n; i++) print i, s[i] }`,
    () =>
      `function by(i1, v1, i2, v2) { ${dice.pick(COMPARERS)} } { v[${key()}] = NR } END { n = asorti(v, s${dice.pick(["", ', "by"', `, "${dice.pick(ORDERS)}"`])}); for (i = 1; i <= n; i++) print i, s[i], v[s[i]] }`,
    () => `match($0, /${regex()}/) { print substr($0, RSTART, RLENGTH), RSTART, RLENGTH, substr($0, 1, RSTART - 1) }`,
    () =>
      `{ while (match($0, /[0-9]+/)) { t += substr($0, RSTART, RLENGTH); n++; $0 = substr($0, RSTART + RLENGTH) } } END { print n, t, t / (n ? n : 1) }`,
    () => `match($0, /([a-z]+)[=:]"?([^" ]*)/, m) { print m[1], m[2], m[1, "start"], m[2, "length"] }`,
    () =>
      `BEGIN { while ((getline line < "${dice.pick(["table", "log", "nothere"])}") > 0) { n++; if (line ~ /${regex()}/) print n ": " line } close("table"); print n + 0 } ${dice.pick(["", "END { print NR }"])}`,
    () =>
      `NR % ${dice.pick(["2", "3"])} == ${dice.pick(["0", "1"])} { held = $0; if ((getline) > 0) print held " + " $0; else print "odd: " held }`,
    () =>
      `function fact(n) { return n <= 1 ? 1 : n * fact(n - 1) } { print fact(${dice.pick(["NF", "20", "25", "170", "171", "$2 % 10"])}) }`,
    () =>
      `function fill(a, n,  i) { for (i = 1; i <= n; i++) a[i] = i * i; return n } function total(a,  k, t) { for (k in a) t += a[k]; return t } { fill(sq, NF); print total(sq), length(sq) } ${dice.pick(["", "{ delete sq }"])}`,
    () =>
      `{ switch (${field()}) { case /^[0-9]+$/: print "int", $1; break; case "alice": print "name"; ${dice.pick(["", "break;"])} case 3: print "three"; default: print "other: " ${field()} } }`,
    () =>
      `BEGINFILE { ${dice.pick(['print "<" FILENAME ">"', 'if (ERRNO) { print "skip", ERRNO; nextfile }', "FNR_was = FNR"])} } ENDFILE { print FILENAME, FNR } /${regex()}/ { hits++ } END { print hits + 0 }`,
    () =>
      `{ t[$1][$2] = t[$1][$2] " " NR } END { ${order()}for (i in t) { printf "%s:", i; for (j in t[i]) printf " %s=>%s", j, t[i][j]; print "" } }`,
    () =>
      `{ split($0, ch, ""); for (i in ch) freq[ch[i]]++ } END { PROCINFO["sorted_in"] = "@ind_str_asc"; for (c in freq) printf "%s=%d ", c, freq[c]; print "" }`,
    () =>
      `{ ${dice.pick(["sub", "gsub"])}(/${regex()}/, "${dice.pick(["<&>", "[\\\\&]", "", "-", "&&"])}"${dice.pick(["", ", $2", ", $1"])}) } 1`,
    () =>
      `{ print gensub(/(${regex()})(.?)/, "${dice.pick(["\\\\2\\\\1", "<\\\\0>", "[\\\\1|\\\\2]", "&&"])}", "${dice.pick(["g", "1", "2"])}") }`,
    () => `{ print strftime("%Y-%m-%d %H:%M", $2 * 86400, 1), mktime("2024 " NF " 1 0 0 0"), strftime("%j %U %a", 1e9) }`,
    () =>
      `NR == ${dice.pick(["1", "2"])} { for (i = 1; i <= NF; i++) col[$i] = i; next } { print $col["${dice.pick(["name", "size", "id"])}"], $(col["size"]) }`,
    () => `{ a = ${expression()}; b = ${expression()}; print (a), (b), (a < b), (a == b), (a b) }`,
    () =>
      `BEGIN { ${dice.pick(["OFS", "FS", "ORS", "RS", "SUBSEP", "CONVFMT", "OFMT"])} = ${dice.pick(['","', '"\\t"', '"-"', '" "', '"%.3g"', '""', '"%d"', '"[ ,]"'])} } { $1 = $1; print; print $2 / 3, $2 * 1.5 "", a[$2 / 3] = 1 } END { for (k in a) print k }`,
    () => `${expression()}`,
    () => `${expression()} { print (${expression()}), (${expression()}) } END { print (${expression()}) }`,
    () => `{ x = ${expression()}\nif (${expression()})\n  print "y", x\nelse\n  print "n", x\n}`,
    () =>
      `{ for (;;) { if (++k > ${dice.pick(["2", "NF"])}) break; if (k == 1) continue; print k, $k }; k = 0 } END { do print k--; while (k > -2); while (k < 1) k++; print k; exit ${dice.pick(["", "3", "k", "256 + 7", "-1", '"2x"'])} }`,
    () =>
      `BEGIN { ${dice.pick(["exit", "exit 4", 'getline; print "first: " $0', "getline v < ARGV[1]; print v, NR", 'ARGV[1] = ""', "delete ARGV[1]", "ARGC = 1", 'ARGV[ARGC++] = "csv"', "print ARGC, ARGV[1], ARGV[2]"])} } NR <= 2 { print FILENAME, $0 } END { print "end", NR; ${dice.pick(["exit", "", "exit 5", "getline; print $0"])} }`,
    () => `{ printf "${format()}", ${expression()}, ${expression()}; printf("${format()}", ${field()}, NR) }`,
    () =>
      `{ n = patsplit($0, p, /${dice.pick(["a", "[a-z]+", "[0-9]+", "[^,]+", "é|b", "."])}/, s); for (i = 0; i <= n; i++) printf "[%s]%s", p[i], s[i]; print "" }`.replace(
        "$0",
        dice.pick(["$0", '($0 "")']),
      ),
    () =>
      `NF > 1 { print > "/dev/stderr"; printf "%s\\n", $1 > "/dev/stdout"; print NR ${dice.pick(['> "/dev/null"', '>> "/dev/stdout"', "", '> "/dev/fd/1"'])}; fflush(${dice.pick(["", '"/dev/stdout"', '""'])}); close("/dev/stdout") }`,
    () =>
      `{ if (!($1 in first)) { order[++n] = $1; first[$1] = $0 } last[$1] = $0 } END { for (i = 1; i <= n; i++) { print first[order[i]] " .. " last[order[i]]; delete first[order[i]] } print length(first) }`,
    () =>
      `{ sum = 0; for (i = 2; i <= NF; i++) { sum += $i; if ($i > max || i == 2) max = $i; if (min == "" || $i < min) min = $i } print $1, sum, max, min; min = "" }`,
    () =>
      `function f(a) { a["x"] = 1; ${dice.pick(["delete a", "return length(a)", "a = 1", "f2(a)"])} } function f2(b) { b[1] = "y" } { print f(z) + 0, length(z); ${dice.pick(["z[2]", "delete z", "print z[1]"])} } END { print typeof(z), typeof(q), isarray(z) }`,
    () => `@include "lib.awk"\n{ print twice($1) }`,
    () => `BEGIN { f = "twice"; print @f(4), @f("x"); g = "length"; print @g("abc") } function twice(x) { return x x } { print @f($1) }`,
  ])();
  const options = dice.pick<readonly string[]>([
    [],
    [],
    [],
    ["-F,"],
    ["-F", "="],
    ["-F:"],
    ["-F", "\\t"],
    ["-F", "[ =]+"],
    ["-Ft"],
    ["-v", "OFS=|"],
    ["-k"],
    ["-F", ", *"],
    ["-v", "RS="],
    ["-vIGNORECASE=1"],
    ["-F", "."],
    ["-F", "  "],
    ["-F "],
    ["-F", "\\\\|"],
  ]);
  const assigned = dice.chance(15)
    ? [dice.pick(["v=7", "OFS=:", "FS=,", "RS=;", "v=a\\tb", "1x=2", "NR=10", "v=\\q", "i=@/b/", "=x", "a b=1", "NF=2", "ORS=--"])]
    : [];
  const missing = dice.chance(5) ? [dice.pick(["nothere", ".", "", "-", "/dev/stdin", "/dev/null", "./table"])] : [];
  const words = [...operands, ...missing];
  words.splice(dice.below(words.length + 1), 0, ...assigned);
  const { args, more } = spelled(dice, program);
  return {
    args: [...options, ...args, ...words],
    stdin: dice.pick([table, log, csv])(dice),
    files: { ...files, ...more, "lib.awk": "function twice(x) { return x x }\n" },
  };
}

/** The program as an operand, or from files and parts. */
function spelled(dice: Dice, program: string): { readonly args: readonly string[]; readonly more: Readonly<Record<string, string>> } {
  switch (dice.below(12)) {
    case 0:
      return { args: ["-f", "prog"], more: { prog: dice.chance(50) ? `#!/usr/bin/awk -f\n${program}\n` : program } };
    case 1:
      return { args: ["-f", "prog", "-f", "more"], more: { prog: `${program}\n`, more: 'END { print "more" }\n' } };
    case 2:
      return { args: ["-e", program, "-e", 'END { print "e" }'], more: {} };
    case 3:
      return { args: [`--source=${program}`], more: {} };
    case 4:
      return { args: ["-E", "prog"], more: { prog: `${program}\n` } };
    case 5:
      return { args: ["-i", "lib.awk", "-e", program], more: {} };
    default:
      return { args: program.startsWith("-") || dice.chance(30) ? ["--", program] : [program], more: {} };
  }
}

const some = (dice: Dice, most: number, make: () => string): string =>
  Array.from({ length: dice.below(most + 1) }, make)
    .map((line) => `${line}\n`)
    .join("");

function table(dice: Dice): string {
  const name = (): string => dice.pick(["alice", "bob", "Carol", "dave", "élan", "x", ""]);
  const number = (): string =>
    dice.pick(["1", "2", "10", "3.5", "-4", "0", "1e3", "0x1A", "007", "12abc", "+6", "1,234", "99999999999999999999", ".25", "-"]);
  const separator = dice.pick([" ", " ", "\t", "  ", ",", ":"]);
  const header = dice.chance(30) ? `${["id", "name", "size"].join(separator)}\n` : "";
  return header + some(dice, 7, () => [number(), name(), number(), dice.pick(["ok", "FAIL", "", "ok ok"])].join(separator));
}

function log(dice: Dice): string {
  const level = (): string => dice.pick(["INFO", "WARN", "ERROR", "[error]", "DEBUG:"]);
  return some(
    dice,
    7,
    () =>
      `2024-0${1 + dice.below(9)}-1${dice.below(10)}T0${dice.below(10)}:15:${dice.pick(["07", "59"])}Z ${level()} ${dice.pick(["user=alice", 'msg="a b"', "id: 7", "took 35ms", "GET /a/b?c=d 200 1234", ""])} ${dice.pick(["", "ok", "status=500", "a  b"])}`,
  );
}

function settings(dice: Dice): string {
  return some(dice, 8, () =>
    dice.pick([
      "[main]",
      "[ other ]",
      "a = 1",
      "b=two words",
      "# comment",
      "; c",
      "",
      "path = /usr/bin:/bin",
      "empty=",
      "x=y=z",
      "  lead = 1",
    ]),
  );
}

function csv(dice: Dice): string {
  const cell = (): string => dice.pick(["1", "a", '"x, y"', '"say ""hi"""', "", "é", '"two\nlines"', " s ", '"', 'a"b', "3.0", "-7"]);
  return some(dice, 5, () => Array.from({ length: 1 + dice.below(4) }, cell).join(","));
}
