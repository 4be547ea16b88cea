import { expect, test } from "vitest";
import { awk } from "../../../builtins/awk/awk.ts";
import { LocalRunner } from "../../../src/exec/local-runner.ts";
import { DEFAULT_POLICY } from "../../../src/config/policy.ts";
import { cases, runOurs } from "../../cases.ts";
import { tree } from "../../tree.ts";

cases(awk, [
  { name: "split at // splits into characters", command: "awk 'BEGIN{n = split(\"aéc\", a, //); print n, a[2]}'", stdout: "3 é\n" },
  {
    name: "-f of a directory",
    command: "awk -f d",
    tree: ["d/"],
    stderr: "awk: d:1: error: cannot read source file `d': Is a directory\n",
    exit: 1,
    differs: "the real tool calls itself gawk",
  },
  {
    name: "-i of gawk's own library",
    command: "awk -i ord 'BEGIN{print ord(\"a\")}'",
    stderr: "awk: fatal: `ord' is of gawk's own library, which is not here; define its functions in the program\n",
    exit: 2,
    differs: "gawk's library is not here",
  },
  {
    name: "integers among text subscripts keep their values when they are sorted",
    command: "awk 'BEGIN { a[\"z\"] = 5; a[1] = 7; n = asort(a); print n, a[1], a[2] }'",
    stdout: "2 5 7\n",
  },
  { name: "a division after ++ in print( )", command: "awk 'BEGIN { print(1, (v++ / 3)) }'", stdout: "1 0\n" },
  { name: "each $ takes a ++", command: "awk '{ a = 3; print $$a++++; print }'", stdin: "3 4 5 6 7 8 9\n", stdout: "7\n3 4 6 6 8 8 9\n" },
  { name: "bits past 2^53", command: "awk 'BEGIN { print lshift(1, 63), compl(5) }'", stdout: "9223372036854775808 18014398509481978\n" },
  {
    name: "printf flags and lengths in any order",
    command: "awk 'BEGIN { printf \"%l5d|%5-d|%5 3d\\n\", 1, 2, 3 }'",
    stdout: "    1|2    |  3\n",
  },
  {
    name: "count$ with others",
    command: "gawk 'BEGIN { printf \"%1$s %s\", 1, 2 }'",
    stderr: "gawk: cmd. line:1: fatal: must use `count$' on all formats or none\n",
    exit: 2,
  },
  {
    name: "a byte by number means what it is",
    command: 'awk \'BEGIN { s = "a*b aab"; gsub(/a\\52b/, "X", s); print s }\'',
    stdout: "a*X X\n",
  },
  {
    name: "a literal that is no expression",
    command: "gawk 'BEGIN { print 1 ~ /(/ }'",
    refused: "BAD_VALUE",
  },
  {
    name: "after -E everything is an operand",
    command: "awk -E p -n -- x=1 --version",
    files: { p: 'BEGIN { for (i = 1; i < ARGC; i++) printf "%s ", ARGV[i] }' },
    stdout: "-n -- x=1 --version ",
  },
  {
    name: "what gsub leaves of $0 is text, and no number",
    command: "awk '{ gsub(/1/, \"2\"); print ($0 < 9), ($1 < 9), NF, $NF }'",
    stdin: "11\n1 5\n",
    stdout: "1 0 1 22\n1 1 2 5\n",
  },
  {
    name: "gsub makes a record longer than the room it had",
    command: 'awk \'{ n = gsub(/[a-c]/, "<&&&&&&&&&&>"); n += gsub(/<a+>/, ""); print n, $0 }\'',
    stdin: "abc-cba\n",
    stdout: "8 <bbbbbbbbbb><cccccccccc>-<cccccccccc><bbbbbbbbbb>\n",
  },
  {
    name: "after -f an unknown flag is an operand, and what follows it",
    command: "awk -f p -b -xy -v z",
    files: { p: 'BEGIN { for (i = 1; i < ARGC; i++) printf "%s ", ARGV[i] }' },
    stdout: "-xy -v z ",
  },
  {
    name: "-n counts hexadecimal and octal numbers in all text",
    command: 'awk -n \'BEGIN { x = "0x1f"; x++; y = "010"; y *= 2; printf "%d %d %d %s", x, y, "0x10", substr("a0x9", 2) + 0 }\'',
    stdout: "32 16 16 9",
  },
  {
    name: "SYMTAB and FUNCTAB by values are in the order of types",
    command:
      'awk \'function f() {} BEGIN { PROCINFO["sorted_in"] = "@val_num_asc"; for (k in SYMTAB) if (k ~ /^[NRP]/) printf "%s ", k; for (k in FUNCTAB) if (k ~ /^[efg]/) printf "%s ", k }\'',
    stdout: "NF NR RLENGTH RSTART PREC RT RS ROUNDMODE PROCINFO exp fflush gensub gsub f ",
  },
  {
    name: "what is deleted is not held",
    command: "awk '{ a[NR] = $0 $0 $0 $0; delete a[NR - 1] } END { print length(a) }'",
    stdin: `${"x".repeat(1000)}\n`.repeat(150_000),
    stdout: "1\n",
  },
  {
    name: "an element that was only read may still become an array, one that was printed not",
    command: "gawk 'BEGIN { x = a[1] \"\"; a[1][2]; print typeof(a[1]), typeof(a[2]); print a[2]; a[2][1] }'",
    stdout: "array untyped\n\n",
    stderr: 'gawk: cmd. line:1: fatal: attempt to use scalar `a["2"]\' as an array\n',
    exit: 2,
  },
  {
    name: "an element that was only read sorts before all others",
    command:
      'awk \'BEGIN { a[1] = -1; x = a[2]; print asort(a, b, "@val_num_asc"), b[1] "|" b[2]; c[1] = 0; print c[2]; print asort(c), c[1] "|" c[2] }\'',
    stdout: "2 |-1\n\n2 0|\n",
  },
  {
    name: "NR and FNR are whole, NF is as it was assigned",
    command: 'awk \'BEGIN { NR = "3.1x"; FNR = "7y"; NF = 2.7; print NR, FNR, NF }\'',
    stdout: "3 7y 2.7\n",
  },
  {
    name: "a field's ++ is not followed by another",
    command: "gawk '{ x = $1++++$2 }'",
    refused: "BAD_VALUE",
  },
  {
    name: "a field without a value has none after $0 was made of the fields",
    command: "awk '{ $4 = 1; x = $0 \"\"; print typeof($2), typeof($3), typeof($4), typeof($5) }'",
    stdin: "a b\n",
    stdout: "string unassigned number unassigned\n",
  },
  {
    name: "what is no array is said with the function's name",
    command: "gawk 'BEGIN { split(\"x\", 4) }'",
    stderr: "gawk: cmd. line:1: fatal: split: second argument is not an array\n",
    exit: 2,
  },
  {
    name: "int of a negative zero, infinity in capitals, count$ with a percent sign",
    command: 'gawk \'BEGIN { printf "%g %X\\n", int(-z), log(0); printf "%2$%%s", 1, 2 }\'',
    stdout: "-0 -INF\n",
    stderr: "gawk: cmd. line:1: fatal: must use `count$' on all formats or none\n",
    exit: 2,
  },
  {
    name: "equal values sort by their subscripts where gawk keeps these as texts",
    command:
      'awk \'BEGIN { PROCINFO["sorted_in"] = "@val_num_desc"; a["x"]; a[1]; a[2]; for (k in a) printf "%s ", k; b[1]; b[2]; b["x"]; for (k in b) printf "%s ", k; PROCINFO["sorted_in"] = "@val_num_asc"; b[-3]; b[-20]; for (k in b) printf "%s ", k }\'',
    stdout: "x 2 1 x 1 2 1 2 -20 -3 x ",
  },
  { name: "getline makes its target", command: "gawk 'BEGIN { getline $3 < \"nothing\"; print NF }'", stdout: "3\n" },
  {
    name: "next in a function of END",
    command: "gawk 'function f() { next } END { f() }'",
    stderr: "gawk: cmd. line:1: fatal: `next' cannot be called from a `END' rule\n",
    exit: 2,
  },
  {
    name: "-b is bytes for expressions too",
    command: 'awk -b \'BEGIN { s = "\\xc3\\xa9"; print gsub(/./, "x", s), s }\'',
    stdout: "2 xx\n",
  },
  {
    name: "a newline in parentheses is a mistake, told of the line after it",
    command: "gawk -f p",
    files: { p: "BEGIN { x = (\n1) }\n" },
    stderr: "gawk: p:2: BEGIN { x = (\ngawk: p:2:              ^ unexpected newline or end of string\n",
    exit: 1,
  },
]);

cases(awk, [
  { name: "fields are split at blanks", command: "awk '{ print $2 \"|\" $NF }'", stdin: "  a  b\tc \n", stdout: "b|c\n" },
  { name: "-F with one character", command: "awk -F, '{ print $2 }'", stdin: "a,,c\n", stdout: "\n" },
  { name: "-Ft is the letter", command: "awk -Ft '{ print $2 }'", stdin: "atb\n", stdout: "b\n" },
  { name: "-F with an expression", command: "awk -F'[:,]' '{ print $3 }'", stdin: "a:b,c\n", stdout: "c\n" },
  {
    name: "an assigned field makes $0 anew",
    command: 'awk \'{ $2 = "x"; $5 = "y"; print; print NF }\' OFS=-',
    stdin: "a b c\n",
    stdout: "a-x-c--y\n5\n",
  },
  { name: "NF cuts the record", command: "awk '{ NF = 2; print }'", stdin: "a b c\n", stdout: "a b\n" },
  {
    name: "text from outside is compared as a number where it looks like one",
    command: "awk '{ print ($1 < $2), ($1 < \"9\") }'",
    stdin: "10 9\n",
    stdout: "0 1\n",
  },
  {
    name: "numbers print as integers or by OFMT",
    command: "awk 'BEGIN { print 1e6, 0.1 + 0.2, 1e20, 2 ^ 53 + 1, 1 / 3, int(-3.7) }'",
    stdout: "1000000 0.3 100000000000000000000 9007199254740992 0.333333 -3\n",
  },
  { name: "CONVFMT makes subscripts", command: "awk 'BEGIN { CONVFMT = \"%d\"; a[12.7]; for (k in a) print k }'", stdout: "12\n" },
  {
    name: "rand is gawk's",
    command: "awk 'BEGIN { print rand(), rand(); srand(42); print rand(), srand() }'",
    stdout: "0.924046 0.593909\n0.24632 42\n",
  },
  {
    name: "arrays are visited in gawk's order",
    command: 'awk \'BEGIN { for (i = 0; i < 12; i++) a["k" i]; for (k in a) printf "%s ", k }\'',
    stdout: "k1 k2 k3 k4 k5 k6 k7 k8 k10 k9 k11 k0 ",
  },
  {
    name: "hostile subscripts and names",
    command:
      'awk \'BEGIN { a["__proto__"] = 1; a["constructor"]++; constructor = 2; print a["__proto__"], a["constructor"], constructor, ("toString" in a) }\'',
    stdout: "1 1 2 0\n",
  },
  {
    name: "arrays of arrays",
    command: "awk 'BEGIN { a[1][2] = 3; print isarray(a[1]), a[1][2], typeof(a), typeof(b), length(a) }'",
    stdout: "1 3 array untyped 1\n",
  },
  {
    name: "equal values: subscripts that are texts are in order, integers stay as they were",
    command:
      'awk \'BEGIN { for (i = 0; i < 12; i++) a[i] = 0; a["x"] = a["b"] = a["1e2"] = a[""] = 0; PROCINFO["sorted_in"] = "@val_num_asc"; for (k in a) printf "%s ", k; PROCINFO["sorted_in"] = "@val_str_desc"; for (k in a) printf "%s ", k }\'',
    stdout: " 0 1 2 3 4 5 6 7 8 9 10 11 1e2 b x x b 1e2  0 1 2 3 4 5 6 7 8 9 10 11 ",
  },
  {
    name: "IGNORECASE compares as far as the shorter text has bytes, where a character that is cut is less than any",
    command: 'awk \'BEGIN { IGNORECASE = 1; print ("é" < "a"), ("ß" < "1000"), ("É" == "é"), ("日" < "月") }\'',
    stdout: "1 0 1 1\n",
  },
  {
    name: "only a zero has no digits with the precision 0, and # says nothing to a %u that is too large for one",
    command: "awk 'BEGIN { printf \"%.0d|%.0d|%.0x|%#u|\\n\", 0, -0.5, 0.2, 1e300 }'",
    stdout: "|0|0|1e+300|\n",
  },
  {
    name: 'PROCINFO["sorted_in"]',
    command: 'awk \'BEGIN { a["x"] = 3; a["y"] = 1; PROCINFO["sorted_in"] = "@val_num_asc"; for (k in a) print k }\'',
    stdout: "y\nx\n",
  },
  {
    name: "asort and asorti",
    command: 'awk \'BEGIN { a["x"] = 3; a["y"] = 1; n = asorti(a, b); asort(a); print n, b[1], a[1] }\'',
    stdout: "2 x 1\n",
  },
  { name: "getline from a file outside the root", command: "awk 'BEGIN { getline x < \"/etc/passwd\" }'", refused: "PATH_ESCAPE" },
  {
    name: "getline from a computed name outside the root is an error, and not a missing file",
    command: "awk 'BEGIN { f = \"../x\"; getline y < f; print y }'",
    stderr: 'awk: cmd. line:1: fatal: getline < "../x": Path is outside the workspace\n',
    exit: 2,
    differs: "gawk's -1 says that there is no such file, and outside the root there may be",
  },
  {
    name: "gsub with an ampersand and an escaped one",
    command: "awk '{ n = gsub(/o/, \"[&\\\\&]\"); print n, $0 }'",
    stdin: "foo\n",
    stdout: "2 f[o&][o&]\n",
  },
  { name: "gensub takes groups", command: 'awk \'{ print gensub(/(a)(b)/, "\\\\2\\\\1", "g") }\'', stdin: "abab\n", stdout: "baba\n" },
  {
    name: "match fills an array",
    command: "awk '{ match($0, /(o+)(b)?/, m); print RSTART, RLENGTH, m[1], m[2, \"start\"] }'",
    stdin: "foobar\n",
    stdout: "2 3 oo 4\n",
  },
  {
    name: "length, substr and index count characters",
    command: "awk '{ print length($0), substr($0, 2, 1), index($0, \"z\"), toupper($0) }'",
    stdin: "éüz\n",
    stdout: "3 ü 3 ÉÜZ\n",
  },
  { name: "-b: they count bytes", command: "awk -b '{ print length($0) }'", stdin: "é\n", stdout: "2\n" },
  {
    name: "bytes that are no text stay as they are",
    command: "gawk '{ print $2, length($0) }'",
    stdin: "\udcff \udcfea\n",
    stdout: "\udcfea 4\n",
    stderr:
      "gawk: cmd. line:1: (FILENAME=- FNR=1) warning: Invalid multibyte data detected. There may be a mismatch between your data and your locale\n",
  },
  {
    name: "%c pads the character of a number to bytes, the one of a text to columns",
    command: "awk '{ printf \"%5c|%5c|%-4c|\\n\", $1, $2, 8364 }'",
    stdin: "233 é\n",
    stdout: "   é|    é|€ |\n",
  },
  {
    name: "a specification that is none passes as it stands",
    command: "awk 'BEGIN { printf \"%2$lls|%1$s\\n\", 1, 2 }'",
    stdout: "%2$lls|1\n",
  },
  {
    name: "printf",
    command: 'awk \'BEGIN { printf "%5.2f|%-4d|%04d|%x|%c%c|%s|%*d|%i\\n", 3.14159, 42, 7, 255, 233, "xyz", 1e6, 4, 2, "3x" }\'',
    stdout: " 3.14|42  |0007|ff|éx|1000000|   2|3\n",
  },
  {
    name: "a format with too few values",
    command: "gawk 'BEGIN { printf \"%s %s\", 1 }'",
    stderr: "gawk: cmd. line:1: fatal: not enough arguments to satisfy format string\n\t`%s %s'\n\t    ^ ran out for this one\n",
    exit: 2,
  },
  { name: "RS as an expression, and RT", command: "awk -v RS='[,;]' '{ print $0 \"|\" RT }'", stdin: "a,b;c", stdout: "a|,\nb|;\nc|\n" },
  { name: "paragraphs", command: 'awk -v RS= \'{ print NR ": " $1 "-" $NF }\'', stdin: "\na b\nc\n\n\nd\n", stdout: "1: a-c\n2: d-d\n" },
  { name: "FPAT", command: "awk -v FPAT='[a-z]+' '{ print NF, $2 }'", stdin: "ab12cd3\n", stdout: "2 cd\n" },
  {
    name: "FIELDWIDTHS",
    command: 'awk \'BEGIN { FIELDWIDTHS = "2 1:3 *" } { print $1 "|" $2 "|" $3 }\'',
    stdin: "abcdefgh\n",
    stdout: "ab|def|gh\n",
  },
  { name: "--csv", command: "awk --csv '{ print $2 }'", stdin: 'a,"b,""c""",d\n', stdout: 'b,"c"\n' },
  { name: "IGNORECASE", command: "awk -v IGNORECASE=1 '/foo/'", stdin: "FOO\nbar\n", stdout: "FOO\n" },
  {
    name: "getline in its forms",
    command:
      'awk \'NR == 1 { getline; print $0; getline x; print x, NR; while ((getline line < "f") > 0) print line; print getline y < "none" }\'',
    stdin: "a\nb\nc\n",
    files: { f: "1\n2\n" },
    stdout: "b\nc 3\n1\n2\n-1\n",
  },
  {
    name: "getline in BEGIN comes to an operand that says what a record is",
    command: "gawk 'BEGIN { getline; print; getline x; print x }' 'RS=;'",
    stdin: "1\n2;3",
    stdout: "1\n2\n3\n",
  },
  {
    name: "getline reads standard input in BEGIN",
    command: "awk 'BEGIN { while ((getline line) > 0) n++; print n }'",
    stdin: "a\nb\n",
    stdout: "2\n",
  },
  {
    name: "BEGINFILE and ENDFILE",
    command: "awk 'BEGINFILE { print FILENAME } ENDFILE { print FNR }' f g",
    files: { f: "1\n2\n", g: "1\n" },
    stdout: "f\n2\ng\n1\n",
  },
  { name: "assignments among the operands", command: "awk '{ print v, $0 }' v=1 f v=2 f", files: { f: "x\n" }, stdout: "1 x\n2 x\n" },
  {
    name: "a missing file",
    command: "gawk 1 nope",
    stderr: "gawk: fatal: cannot open file `nope' for reading: No such file or directory\n",
    exit: 2,
  },
  {
    name: "a directory is passed over",
    command: "gawk 1 d f",
    tree: ["d/"],
    files: { f: "x\n" },
    stdout: "x\n",
    stderr: "gawk: warning: command line argument `d' is a directory: skipped\n",
  },
  {
    name: "-f, twice",
    command: "awk -f a.awk -f b.awk",
    files: { "a.awk": "function f(x) { return x x }\n", "b.awk": "{ print f($0) }\n" },
    stdin: "x\n",
    stdout: "xx\n",
  },
  {
    name: "@include",
    command: "awk '@include \"lib\"; BEGIN { print twice(4) }'",
    files: { "lib.awk": "function twice(x) { return 2 * x }\n" },
    stdout: "8\n",
  },
  {
    name: "exit runs END, and its status counts",
    command: "awk '{ exit 3 } END { print \"end\" }'",
    stdin: "x\n",
    stdout: "end\n",
    exit: 3,
  },
  {
    name: "standard error is no file",
    command: 'awk \'BEGIN { print "e" > "/dev/stderr"; print "o" > "/dev/stdout"; print "c" | "cat 1>&2" }\'',
    stdout: "o\n",
    stderr: "e\nc\n",
  },
  {
    name: "division by zero",
    command: "gawk '{ print 1 / $1 }'",
    stdin: "0\n",
    stderr: "gawk: cmd. line:1: (FILENAME=- FNR=1) fatal: division by zero attempted\n",
    exit: 2,
  },
  {
    name: "time is that of the call's zone",
    command: 'awk \'BEGIN { print strftime("%F %T %Z", 0), mktime("2024 02 29 12 00 00") }\'',
    stdout: "1970-01-01 00:00:00 UTC 1709208000\n",
  },
  {
    name: "bits",
    command: "awk 'BEGIN { print and(12, 10), or(12, 10), xor(12, 10), lshift(1, 4), rshift(256, 4), strtonum(\"0x1F\") }'",
    stdout: "8 14 6 16 16 31\n",
  },
  {
    name: "functions, by name too",
    command: "awk 'function f(n) { return n < 2 ? 1 : n * f(n - 1) } BEGIN { g = \"f\"; print f(5), @g(4) }'",
    stdout: "120 24\n",
  },
  {
    name: "an unmatched parenthesis in an expression that is made",
    command: 'gawk \'BEGIN { print "a" ~ "(" }\'',
    stderr: "gawk: cmd. line:1: fatal: invalid regexp: Unmatched ( or \\(: /(/\n",
    exit: 2,
  },
  { name: "a mistake is refused before anything runs", command: "awk '{ print $1'", refused: "BAD_VALUE" },
  { name: "no file is written", command: "awk '{ print > \"out\" }'", refused: "DISALLOWED_FLAG" },
  { name: "no library is loaded", command: "awk '@load \"filefuncs\"; BEGIN { }'", refused: "DISALLOWED_FLAG" },
]);

test("a refusal says what does the same", async () => {
  const place = tree([]);
  const runner = new LocalRunner({
    root: place.path,
    aliases: [],
    policy: DEFAULT_POLICY,
    timeZone: "UTC",
  });
  try {
    const suggestionFor = async (line: string): Promise<string | undefined> => {
      const result = await runner.run(
        { line, currentDirectory: "", previousDirectory: undefined, session: "test", client: "test" },
        { stdin: undefined as never, stdout: () => {}, stderr: () => {} },
        new AbortController().signal,
      );
      return result.kind === "refused" ? result.violations[0].suggestion : undefined;
    };
    expect(await suggestionFor("awk '{ print $1 > \"out\" }' f")).toBe("awk '{ print $1 }' f | tee out >/dev/null");
    expect(await suggestionFor('awk \'{ print $1 > "out"; system("ls") }\' f')).toBeUndefined();
    expect(await suggestionFor("awk 'BEGIN { \"date\" |& getline now; print now }'")).toBe(
      "awk 'BEGIN { \"date\" | getline now; print now }'",
    );
    expect(await suggestionFor("awk 'BEGIN { print 1 |& \"sort\" }'")).toBe(undefined);
  } finally {
    await runner.close();
    place.remove();
  }
});

test("what grows without end meets a limit", async () => {
  const place = tree([]);
  try {
    const run = (program: string) => runOurs({ command: `gawk '${program}'` }, place.path, { heldBytes: 1 << 22 });
    await expect(run('BEGIN { s = "x"; while (1) s = s s }')).rejects.toThrow("held");
    await expect(run("BEGIN { while (1) a[i++] }")).rejects.toThrow("held");
    await expect(run('BEGIN { printf "%1000000000d", 1 }')).rejects.toThrow("held");
    expect((await run("function f(x) { return f(x + 1) } BEGIN { f(1) }")).stderr).toContain("too deep");
  } finally {
    place.remove();
  }
});
