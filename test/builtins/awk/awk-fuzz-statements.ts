/** Statements of awk that are about one function or variable each, with odd arguments: what random expressions seldom reach. */
import { toText } from "../../../src/io/text.ts";
import type { Dice } from "../../fuzz/dice.ts";

interface Parts {
  readonly dice: Dice;
  expression(): string;
  condition(): string;
  regex(): string;
}

const STRAY = toText(Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xe2, 0x82]));

export const ODD_TEXTS = [
  "é€x",
  "日本語",
  STRAY,
  "a\\tb",
  "\\\\",
  "&",
  "a.b*c",
  "\\x41\\101",
  "İi",
  "ß",
  "\\0a",
  "😀z",
  "[a",
  "a,b;c",
  "%d",
  "a\\034b",
];

const NUMBERS = [
  "2^31",
  "2^53",
  "2^53 + 1",
  "-2^63",
  "2^63",
  "2^64",
  "1e300",
  "-1e300",
  "0.1 + 0.2",
  "1e-7",
  "123456789.125",
  "1e15",
  "1e16",
  "1e17",
  "100000",
  "1e6 / 3",
  "-0",
  "0x1F",
  "011",
  "1e",
  "3.",
  ".5",
  "1/3",
  '"0x1A"',
  '"1e3x"',
  '"-inf"',
  '" 12 "',
  '"."',
  '"-"',
  '"1e5"',
];

/** For printf alone: compared to a text, gawk 5.3.2 takes what is infinite for an empty one, and in a field for memory of others. */
const INFINITE = ["-1e300 * 1e10", "log(0)"];

const CONVERSIONS = "csdiouxXeEfFgGaA".split("");

function format(dice: Dice): string {
  const flags = Array.from({ length: dice.below(4) }, () => dice.pick(["-", "+", " ", "#", "0", "'"])).join("");
  const width = dice.pick(["", "", "1", "5", "12", "2$"]);
  const precision = dice.pick(["", "", ".", ".0", ".1", ".3", ".10", ".-2"]);
  const length = dice.pick(["", "", "", "l", "h", "ll"]);
  return `%${flags}${width}${precision}${length}${dice.pick([...CONVERSIONS, ...CONVERSIONS, "%", "k"])}`;
}

/** One statement, which ends without a semicolon. */
export function libraryStatement(parts: Parts): string {
  const { dice } = parts;
  const odd = (): string => (dice.chance(40) ? parts.expression() : dice.chance(50) ? `"${dice.pick(ODD_TEXTS)}"` : dice.pick(NUMBERS));
  const printed = (): string => (dice.chance(5) ? dice.pick(INFINITE) : odd());
  const scalar = (): string => dice.pick(["u", "v", "w", "$1", "$0", "arr[1]", "mm[1][2]"]);
  const pattern = (): string =>
    dice.chance(60)
      ? `/${parts.regex()}/`
      : dice.chance(60)
        ? `"${parts.regex().replaceAll("\\", "\\\\")}"`
        : dice.pick(["v", "$1", '"."', '""', '"+"', '"^"', '"(a"', '"[[:digit:]]"', "//"]);
  // No @/a+/ here, nor as a pattern: as an operand gawk 5.3.2 itself gets it wrong.
  // gawk 5.3.2 loses text where an empty match stands between fields, and finds no fields in a number.
  const separator = (): string =>
    dice.pick(["/a/", "/[ab]+/", '","', '" "', "/ /", '"|"', "/é|;/", '""', "/[[:space:]]+/", "/a|ab/", "v", '"."', "/./"]);
  return dice.pick<() => string>([
    () => `printf "${format(dice)}|${format(dice)}|\\n", ${printed()}, ${odd()}, ${printed()}`,
    () => `printf("${format(dice)}\\n", ${printed()}, ${odd()})`,
    () =>
      `printf "%*d|%-*s|%.*f|%*.*e\\n", ${dice.below(9)}, ${odd()}, -${dice.below(9)}, ${odd()}, ${dice.below(5)}, ${odd()}, ${dice.below(20)}, ${dice.below(5)} - 1, ${odd()}`,
    () => `print substr(${odd()}, ${odd()}, ${odd()}) "|" substr(${odd()}, ${odd()})`,
    () => `print index(${odd()}, ${odd()}), length(${odd()})`,
    () => `print match(${odd()}, ${pattern()}, arr), RSTART, RLENGTH, arr[0], arr[1], arr[1, "start"], arr[0, "length"]`,
    () => `print match(${odd()}, ${pattern()}), RSTART, RLENGTH`,
    () => `n = split(${odd()}, arr, ${separator()}, seps); for (i = 0; i <= n; i++) printf "%s<%s>", arr[i], seps[i]; print n`,
    () =>
      `n = patsplit(${odd()} "", arr, ${dice.pick(["/a/", "/[a-z]+/", "/./", "/[0-9]+/", '"[^,]+"', "/é|b/", "/a*/"])}, seps); for (i = 0; i <= n; i++) printf "%s<%s>", arr[i], seps[i]; print n`,
    () => `n = split($0, arr); print n, arr[1]; n = split("", arr); print n, length(arr)`,
    () =>
      `print gensub(${pattern()}, ${dice.pick(['"<\\\\0>"', '"\\\\1-\\\\2"', '"&&"', '"\\\\&"', '"\\\\\\\\&"', odd()])}, ${dice.pick(['"g"', "1", "2", '"G"', "0", '"x"'])}, ${odd()})`,
    () =>
      `n = ${dice.pick(["sub", "gsub"])}(${pattern()}, ${dice.pick(['"<&>"', '"\\\\&"', '"\\\\\\\\&"', '"\\\\\\\\\\\\&"', '"\\\\1"', odd()])}, ${scalar()}); print n, $0, NF, v`,
    () => `print toupper(${odd()}), tolower(${odd()})`,
    () => `print strtonum(${odd()}), int(${odd()}), ${odd()} + 0, -${odd()}, ${odd()} ""`,
    () =>
      `print ${dice.pick(["and", "or", "xor"])}(${dice.pick(["5", "2^40 + 3", "$1 + 9", "255"])}, ${dice.pick(["3", "2^33", "NR", "1.9"])}), ${dice.pick(["lshift", "rshift"])}(${dice.pick(["1", "2^45 + 1", "NR"])}, ${dice.pick(["1", "3", "20", "0"])}), compl(${dice.pick(["0", "5", "2^50"])})`,
    () =>
      `print asort(arr${dice.pick(["", ", sorted", `, sorted, "${order(dice)}"`])}); for (k in arr) print k, arr[k]; print sorted[1], sorted[2]`,
    () => `print asorti(arr${dice.pick([", sorted", `, sorted, "${order(dice)}"`])}); print sorted[1], sorted[2], sorted[3]`,
    () => `PROCINFO["sorted_in"] = "${order(dice)}"; for (k in arr) print k, arr[k]`,
    () => `srand(${dice.pick(["1", "42", "0", "-3", "2.7", '"x"'])}); print rand(), rand(), int(rand() * 100), srand()`,
    () =>
      `print strftime("${dice.pick(["%Y-%m-%d %H:%M:%S", "%c", "%j %U %W %V %G %g %u %w", "%a %A %b %B %e %k %l %I %p %P", "%D %T %R %F %s %n%t%%", "%x %X %r %C %y %h %Z %z", "%Ey %Od %q"])}", ${dice.pick(["0", "86400 * 365", "1e9", "-1", "1700000000", "2^31"])}${dice.pick(["", ", 1"])})`,
    () =>
      `print mktime("${dice.pick(["2024 02 29 12 00 00", "1970 1 1 0 0 0", "2023 13 45 25 61 61", "1969 12 31 23 59 59", "x", "2024 1 1", "2024 07 01 00 00 00 1", "1900 1 1 0 0 0"])}")`,
    () => `print ((getline line < "aux") > 0), line, NR; ${dice.pick(["", 'close("aux")'])}`,
    () => `while ((getline line < "aux") > 0) n++; print n, line, close("aux"), close("aux")`,
    () => `if ((getline < "aux") > 0) print $1, NF, NR, FNR`,
    () => `r = getline v; print r, v, NR, $0`,
    () => `r = getline arr[1]; print r, arr[1]; r = (getline $2); print r, $0, NF`,
    () => `print (getline line < "nothere"), ERRNO`,
    () =>
      `arr[${odd()}, ${odd()}] = ${odd()}; for (k in arr) { split(k, part, SUBSEP); print part[1], part[2] }; print ((${odd()}, ${odd()}) in arr)`,
    () => `mm[${odd()}][${odd()}] = ${odd()}; for (k in mm) if (isarray(mm[k])) for (l in mm[k]) print k, l, mm[k][l]`,
    () => `delete arr[${odd()}]; delete arr[1, 2]; print length(arr)`,
    () =>
      `${dice.pick(["RS", "FS", "OFS", "ORS", "SUBSEP"])} = ${dice.pick(['";"', '"[,;]+"', '""', '"a"', '"\\t"', '"|"', '"aa*"', '"\\\\|"', '"\\n\\n+"', '" +"', '"^a"', '"[ ]"', '"é"'])}`,
    () => `FPAT = "${dice.pick(["[a-z]+", "[^,]*", '([^,]*)|(\\"[^\\"]+\\")', "[0-9]*", "a|ab"])}"; $0 = $0; print NF, $1, $2`,
    () => `FIELDWIDTHS = "${dice.pick(["1 2 3", "2:3 1", "1 *", "3 1:2 *", "5", "0"])}"; $0 = $0; print NF, $1, $2`,
    () => `IGNORECASE = ${dice.pick(["0", "1"])}; print ("A" == "a"), ("aB" ~ /Ab/), ("É" ~ /é/), index("xAb", "ab")`,
    () =>
      `CONVFMT = "${dice.pick(["%d", "%.2f", "%.10g", "%g", "%e", "%i", "%5.1f"])}"; x = 3.14159; conv[x] = 1; print (x ""), (12 ""), (1e20 ""), (0.1 in conv), (3.14159 in conv)`,
    () => `OFMT = "${dice.pick(["%d", "%.2f", "%.10g", "%e", "%.0f"])}"; print 3.14159, 1e20, 17, 0.1 + 0.2, -0.5`,
    () => `print ${odd()} < ${odd()} ? "lt" : "ge", (${odd()} == ${odd()}), (${odd()} > ${odd()}), ($1 < $2), ($1 == ${odd()})`,
    () =>
      `print typeof(${dice.pick(["u", "v", "arr", "$1", "$9", "arr[1]", "arr[99]", "mm", "1", '"x"', "@/x/", "u + 0", "nosuch", "NR", "$0"])}), typeof(zz), isarray(arr)`,
    () => `print length(${dice.pick(["arr", "u", "$0", "nosuch", "12345", "$1"])}), length, length $1`,
    () =>
      `switch (${odd()}) { case ${dice.pick(["1", '"a"', "/a/", "-1", "0"])}: print "first"; ${dice.pick(["break;", ""])} default: print "other"; case "b": print "b" }`,
    () => `NF = ${dice.pick(["0", "1", "3", "7", "NF - 1", "NF"])}; print NF, $0; $(NF + 2) = "z"; print; $NF = ""; print NF "|" $0 "|"`,
    () => `$${dice.pick(["0", "1", "3", "NF"])} = ${odd()}; print NF, $0; $1 = $1; print`,
    () => `print $(1), $NF, $(NF - 1), $(1 + 1), -$1, !$1, $1 ^ 2, $1 $2, $1++ + ++$2, $1--, $0`,
    () =>
      `v = ${odd()}; v ${dice.pick(["+=", "-=", "*=", "/=", "%=", "^=", "**="])} ${dice.pick(["2", "3", "0.5", "1e3", "-2"])}; print v, v++, --v, v % 3, -v ^ 2, 2 ** 3 ** 2, 7 % -3, -7 % 3`,
    () => `h(arr, ${odd()}); for (k in arr) print k, arr[k]`,
    () => `h(newarr, ${odd()}); print length(newarr), newarr["h"]`,
    () => `print g(${dice.pick(["3", "5", "NR"])}), g(-1)`,
    () => `for (i = 0; i < 5; i++) { if (i == ${dice.pick(["1", "3"])}) ${dice.pick(["continue", "break"])}; print i }`,
    () => `do { v = v "x"; if (length(v) > 4) break } while (${dice.pick(["1", "length(v) < 3", "0"])}); print v`,
    () => `print(${odd()}, ${odd()})`,
    () => `print (${odd()})(${odd()}) > "/dev/stdout"`,
    () => `print ${odd()}, ${odd()} > "/dev/stderr"`,
    () => `print ${odd()} ~ ${pattern()}, ${odd()} !~ ${pattern()}, ${pattern()} ? "y" : "n", ${pattern()} + 1`,
    () => `print ${odd()} " " -1, 1 " " 2 + 3 "x", 1 - -1, 2 - 1 " ", "a" > "/dev/stdout"`,
    () =>
      `print exp(${dice.pick(["0", "1", "-1", "710", "$1"])}), log(${dice.pick(["1", "10", "0", "2.5"])}), sqrt(${dice.pick(["2", "16", "0.5"])}), sin(${dice.pick(["0", "1", "3.5"])}), cos(1), atan2(${dice.pick(["0", "1", "-1"])}, ${dice.pick(["-1", "0", "2"])}), int(${odd()})`,
  ])();
}

function order(dice: Dice): string {
  return `@${dice.pick(["ind", "val"])}_${dice.pick(["str", "num", "type"])}_${dice.pick(["asc", "desc"])}`.replace("ind_type", "ind_num");
}
