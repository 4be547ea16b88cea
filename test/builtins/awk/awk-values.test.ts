/** Values of fields, comparisons, sorts and times; cases found by comparison with the real tool (awk-differential.test.ts). */
import { awk } from "../../../builtins/awk/awk.ts";
import { cases } from "../../cases.ts";

const LETTERS = 'split("b B a A c C D d", x, " "); for (i in x) y[x[i]] = i';
const NUMBERS = 'n = split("5 3 9 1 7 2 8 6 4 0 11 3 5", x)';
const SORTED = 'n = asort(x, y, "by"); for (i = 1; i <= n; i++) printf "%s ", y[i]';

cases(awk, [
  {
    name: "a field that is not there is unassigned, and so is what it is copied to",
    command: "gawk '{ u = $5; print typeof($5), typeof(u), u == \"\", u == 0; $2 = u; print typeof($2); print }'",
    stdin: "a b\n",
    stdout: "unassigned unassigned 1 0\nunassigned\na \n",
  },
  {
    name: "before the first record $0 is unassigned until a field or NF is assigned",
    command: "gawk 'BEGIN { x = $0; print typeof(x), typeof($0); NF = 2; print typeof($0), typeof($1) }'",
    stdout: "unassigned unassigned\nstring unassigned\n",
  },
  {
    name: "a field, or $0, that was assigned what has no value is a number too",
    command:
      'gawk \'{ $1 = v; print $1 == 0, $1 == "", (w = $1) >= w--, $9 == 0, typeof($1); NF = 4; print $1 == 0, $4 == 0; $0 = x[1]; print $0 == 0, $1 == 0, typeof($0); $0 = $0 ""; print $0 == 0; asort(x); print typeof(x[1]) }\'',
    stdin: "a b\n",
    stdout: "1 1 1 0 unassigned\n1 0\n1 0 unassigned\n0\nunassigned\n",
  },
  {
    name: "a subscript that was a number before is text where the program gets it back",
    command:
      "gawk '{ a[$1]; b[$1] += $1; $1 > 5; c[$1]; x = $1; d[x]; d[$1] } END { for (k in a) print (k == 100); for (k in b) print (k == 100); for (k in c) print (k == 100); for (k in d) print (k == 100) }'",
    stdin: "1e2\n",
    stdout: "1\n1\n0\n0\n",
  },
  {
    name: "what is done to a copy of a field is nothing to the field",
    command:
      "gawk 'function f(v) { v + 0 } { x = 1 ? $1 : 2; x + 0; a[$1]; $2 = $1; $2 + 0; b[$1]; f($1); c[$1] } END { for (k in a) print (k == 100); for (k in b) print (k == 100); for (k in c) print (k == 100) }'",
    stdin: "1e2\n",
    stdout: "1\n1\n0\n",
  },
  {
    name: "where an array should stand, the expression is worked out first",
    command:
      'gawk \'function m(v) { print "m" } BEGIN { match("a", "b", m(1)) }\'; gawk \'{ v[1] } END { asorti(v !s, "by") }\'; gawk \'BEGIN { split("x", b, " ", m()) }\'',
    stdin: "x\n",
    stdout: "m\n",
    stderr:
      "gawk: cmd. line:1: fatal: match: third argument is not an array\ngawk: cmd. line:1: (FILENAME=- FNR=1) fatal: attempt to use array `v' in a scalar context\ngawk: cmd. line:1: fatal: function `m' not defined\n",
    exit: 2,
  },
  {
    name: "with a sign or a blank before it a number is decimal to strtonum, and as input",
    command: `gawk '{ print strtonum($1), strtonum($1 "") } END { print strtonum("-010"), strtonum(" 010"), strtonum("-0x10"), strtonum("0x1.8") }'`,
    stdin: "010\n+010\n0x11\n-0x11\n",
    stdout: "10 8\n10 10\n17 17\n0 0\n-10 10 0 1\n",
  },
  {
    name: "-n reads a hexadecimal number with a sign as C does, with a fraction and a power of two",
    command: "gawk -n '{ print $1 + 0, typeof($1), ($1 \"\") + 0 }'",
    stdin: "-010\n010\n-0x10\n0x10\n-0x1.8\n0x1.8\n+0x1p3\n0x1p3\n-0x.8\n-0xg\n+0x1.\n",
    stdout:
      "-10 strnum -10\n8 strnum 8\n-16 strnum -16\n16 strnum 16\n-1.5 strnum -1.5\n1 string 1\n8 strnum 8\n1 string 1\n-0.5 strnum -0.5\n0 string 0\n1 strnum 1\n",
  },
  {
    name: "strtonum: a decimal number may begin with 0",
    command: 'gawk \'BEGIN { print strtonum("014.5x"), strtonum("-014e"), strtonum("019"), strtonum("017"), strtonum("014 .5") }\'',
    stdout: "14.5 -14 19 15 12\n",
  },
  {
    name: "a match, and a function by its namespace",
    command: "gawk 'BEGIN { print (1 && x ~ \"[z-a]\") }'; gawk 'BEGIN { awk::f() }'",
    stderr:
      "gawk: cmd. line:1: fatal: invalid regexp: Invalid range end: /[z-a]/\ngawk: cmd. line:1: fatal: function `awk::f' not defined\n",
    exit: 2,
  },
  {
    name: "a file that a program includes is looked for before what is wrong behind it",
    command: "gawk '@ include \"nope\"\n f($1) }'; gawk '@\\\ninclude \"nope\"\n}'",
    stderr:
      "gawk: cmd. line:1: error: cannot open source file `nope' for reading: No such file or directory\ngawk: cmd. line:2: error: cannot open source file `nope' for reading: No such file or directory\n",
    exit: 1,
  },
  {
    name: "RT has no value where nothing ends the last record",
    command: "gawk '{ print RT == 0, RT == \"\", typeof(RT) } END { print RT >= 0 }'",
    stdin: "a\nb",
    stdout: "0 0 string\n1 1 unassigned\n1\n",
  },
  {
    name: "IGNORECASE is for the subscripts of equal values too",
    command:
      'gawk \'BEGIN { IGNORECASE = 1; a["bob"]; a["Carol"]; a["Bob"]; PROCINFO["sorted_in"] = "@val_type_desc"; for (k in a) printf "%s ", k; PROCINFO["sorted_in"] = "@val_num_asc"; for (k in a) printf "%s ", k }\'',
    stdout: "Carol bob Bob Bob bob Carol ",
  },
  {
    name: "a list before `in`",
    command: "gawk 'BEGIN { length(a); (1, 2) in a }'",
    stderr: "gawk: cmd. line:1: fatal: attempt to use scalar `a' as an array\n",
    exit: 2,
  },
  {
    name: "typeof of a value that is none, by what stands for it",
    command: "gawk 'function f() {} BEGIN { print typeof(f()), typeof((z)), typeof(x = y), typeof(1 ? a[1] : 0), typeof((a[2])) }'",
    stdout: "unassigned unassigned unassigned untyped untyped\n",
  },
  {
    name: "a field number past 64 bits",
    command: "gawk 'BEGIN { print $(2^1024) }'",
    stdout: "",
    stderr: "gawk: cmd. line:1: fatal: attempt to access field -9223372036854775808\n",
    exit: 2,
  },
  {
    name: "a field number below zero is printed whole",
    command: "gawk 'BEGIN { print $(-2^62) }'",
    stdout: "",
    stderr: "gawk: cmd. line:1: fatal: attempt to access field -4611686018427387904\n",
    exit: 2,
  },
  {
    name: "NF past 64 bits",
    command: "gawk 'BEGIN { NF = 1e30 }'",
    stdout: "",
    stderr: "gawk: cmd. line:1: fatal: NF set to negative value\n",
    exit: 2,
  },
  {
    name: "a comparison that is true or false alone sorts, as it does there",
    command: `gawk 'function by(i1, v1, i2, v2) { return v1 > v2 } BEGIN { ${NUMBERS}; ${SORTED} }'`,
    stdout: "0 1 2 3 3 4 5 5 6 7 8 9 11 ",
  },
  {
    name: "the same for sorted_in",
    command: `gawk 'function by(i1, v1, i2, v2) { return v1 < v2 } BEGIN { ${NUMBERS}; PROCINFO["sorted_in"] = "by"; for (k in x) printf "%s ", x[k] }'`,
    stdout: "11 9 8 7 6 5 5 4 3 3 2 1 0 ",
  },
  {
    name: "which two are compared",
    command:
      'gawk \'function by(i1, v1, i2, v2) { printf "%s,%s ", v1, v2; return v1 - v2 } BEGIN { split("5 3 9 1 7", x); asort(x, y, "by") }\'',
    stdout: "5,3 1,7 9,1 9,7 3,1 3,7 5,7 ",
  },
  {
    name: "with IGNORECASE what differs in case alone is in the order of its bytes",
    command: `gawk 'BEGIN { IGNORECASE = 1; ${LETTERS}; PROCINFO["sorted_in"] = "@ind_str_desc"; for (k in y) printf "%s ", k; n = asort(x); for (i = 1; i <= n; i++) printf "%s ", x[i] }'`,
    stdout: "d D c C b B a A A a B b C c D d ",
  },
  {
    name: "an element that is printed out of a conditional is a scalar from then on",
    command:
      'gawk \'BEGIN { PROCINFO["sorted_in"] = "@val_num_desc"; a["z"]; a["y"] = ""; printf "%s", (1 ? a["z"] : 2); for (k in a) printf k " " }\'',
    stdout: "z y ",
  },
  {
    name: "what separates an empty text need not be a regular expression",
    command: 'gawk \'BEGIN { print split("", x, "("), patsplit("", x, "("), split("", x, "\\\\c"), split("", x, v++), v }\'',
    stdout: "0 0 0 0 1\n",
  },
  {
    name: "a time before the epoch is cut, and one of no year is empty",
    command: 'gawk \'BEGIN { print strftime("%s", -1.5), strftime("%F %s", 1e16), strftime("%Y", -67768040609740800) }\'',
    stdout: "-1 316889355-01-25 10000000000000000 -2147481748\n",
  },
  {
    name: "a subscript that was read as a number is one where it is visited",
    command: "gawk '{ sum[$1] += $2 } END { for (k in sum) print k, typeof(k), (k > 5) }' | sort",
    stdin: "10.5 1\n2.5 1\n10 1\nx 1\n",
    stdout: "10 strnum 1\n10.5 strnum 1\n2.5 strnum 0\nx string 1\n",
  },
  {
    name: "but not an integer in an array that begins with one",
    command: "gawk '{ s[$1] } END { for (k in s) print k, typeof(k), (k > 5) }'",
    stdin: "10\n2.5\nx\n-3\n7\n9000\n",
    stdout: "x string 1\n-3 string 0\n2.5 strnum 0\n7 string 1\n10 string 0\n9000 string 1\n",
  },
  {
    name: "so is what asorti gives, and what a comparison gets",
    command:
      "gawk 'function by(i1, v1, i2, v2) { return i1 > i2 } { s[$1] } END { n = asorti(s, t, \"by\"); for (i = 1; i <= n; i++) print t[i], typeof(t[i]) }'",
    stdin: "10.5\n2.5\n1e1\n",
    stdout: "2.5 strnum\n1e1 strnum\n10.5 strnum\n",
  },
  {
    name: "getline goes on from a file into standard input",
    command: "gawk 'NR % 3 == 0 { held = $0; if ((getline) > 0) print held \" + \" $0 }' f -",
    files: { f: "a\nb\nc\n" },
    stdin: "1\n2\n3\n4\n",
    stdout: "c + 1\n3 + 4\n",
  },
  {
    name: "RS and FS that are assigned with --csv change nothing",
    command: 'gawk -k \'BEGIN { RS = ";"; FS = "b" } { print $1 "|" $2 }\'',
    stdin: "abc;d,e\n",
    stdout: "abc;d|e\n",
    differs: "gawk warns of both",
  },
  {
    name: "%c of a number takes its last 32 bits",
    command: "gawk 'BEGIN { printf \"%c%c%c\", -4294967231, -4294967063, -4294901760 - 2^31 }' | od -An -tx1",
    stdout: " 41 c3 a9 00\n",
  },
  {
    name: "bits of what 64 bits do not hold are none",
    command: "gawk 'BEGIN { print xor(1e100, 1), or(2^64, 2), rshift(2^64, 1), xor(2^63, 0) }'",
    stdout: "1 2 0 9223372036854775808\n",
  },
  {
    name: "a typed regex that sub breaks",
    command: "gawk '{ v = @/a+/; sub(/a/, \"[\", v) }'",
    stdin: "x\n",
    stdout: "",
    stderr:
      "gawk: cmd. line:1: (FILENAME=- FNR=1) error: Unmatched [, [^, [:, [., or [=: /[+/\ngawk: cmd. line:1: (FILENAME=- FNR=1) fatal: could not make typed regex\n",
    exit: 2,
  },
  {
    name: "getline from standard input by a name that is worked out",
    command:
      "gawk -v name=- 'function all(from,  line, text) { while ((getline line < from) > 0) text = text line; return text } BEGIN { print all(ARGV[1]) all(name), NR } { print } END { print NR }' /dev/stdin",
    stdin: "1\n2\n",
    stdout: "12 0\n0\n",
  },
  {
    name: "FILENAME is not set before getline reads",
    command: "gawk 'BEGIN { print FILENAME (getline v) FILENAME }'",
    stdin: "x\n",
    stdout: "1-\n",
  },
  {
    name: "a NaN is neither more nor less nor equal",
    command: "gawk '{ x = $1; print (x > 5), (x >= 5), (x < 5), (x <= 5), (x == 5), (x != 5), (x == x) }'",
    stdin: "+nan\n",
    stdout: "0 0 0 0 0 1 0\n",
  },
  {
    name: "what is infinite equals the empty text and no other, until it is text",
    command: 'gawk \'BEGIN { x = 2^1024; print (x == ""), (x == "+inf"), ((x "") == "+inf"), x }\'',
    stdout: "1 0 1 +inf\n",
  },
  {
    name: "what is infinite makes a record without fields",
    command: "gawk 'BEGIN { $0 = 2^1024; print NF, $0, length($0); print; $3 = 2; print }'",
    stdout: "0 +inf 4\n\n  2\n",
  },
  {
    name: "NR and NF print what was assigned, and count on from its number",
    command: 'gawk \'BEGIN { NF = u; print "<" NF ">" } { NR = u; print "<" NR ">", NR + 1 } END { print NR }\'',
    stdin: "a\nb\n",
    stdout: "<>\n<> 1\n<> 1\n\n",
  },
  {
    name: "FPAT keeps the case it was assigned in",
    command: "gawk 'BEGIN { FPAT = \"a|ab\"; IGNORECASE = 1 } { print NF, $1 }'",
    stdin: "ab AB a\n",
    stdout: "2 ab\n",
  },
  {
    name: "a pattern that is another number than the last is another pattern",
    command: "gawk '{ print $1 ~ $2 }'",
    stdin: "x 1\n1 1.0\n1 01\n",
    stdout: "0\n0\n0\n",
    differs: "gawk keeps the last pattern of a place while the new one is the same number (1 and 1.0, nothing and 0)",
  },
  {
    name: "an array for a scalar is noticed before the other operand is worked out",
    command: "gawk 'BEGIN { a[1][2]; x = a[1] f() }\nfunction f() { print \"f\" }'",
    stderr: 'gawk: cmd. line:1: fatal: attempt to use array `a["1"]\' in a scalar context\n',
    exit: 2,
    differs: "gawk calls f first, and names its line",
  },
  {
    name: "a number past Unicode is a character of four to six bytes",
    command: `gawk 'BEGIN { x = sprintf("%c%c%ca", 0x110000, 0x200000, 0x7fffffff); print length(x), toupper(x), index(x, "a"), length(substr(x, 2, 1)); print length("\\xf8\\x87\\x80\\x80\\x80") }'`,
    stdout: "4 \udcf4\udc90\udc80\udc80\udcf8\udc88\udc80\udc80\udc80\udcfd\udcbf\udcbf\udcbf\udcbf\udcbfA 4 1\n5\n",
    stderr: "gawk: cmd. line:1: warning: Invalid multibyte data detected. There may be a mismatch between your data and your locale\n",
  },
  {
    name: "a file that ends behind the slash of a typed expression",
    command: "gawk -f prog",
    files: { prog: "{ print @/" },
    stderr: "gawk: prog:1: { print @/\ngawk: prog:1:         ^ unterminated regexp at end of file\n",
    exit: 1,
  },
  {
    name: "an argument that is more than a name is a scalar, but for an element",
    command: `gawk 'function f(q) { print typeof(q) } function g(q) { q[1] } BEGIN { f((z)); f(1 ? y : 0); f((a[1])); f(x = w); print typeof(a[1]); g(1 ? (b[1]) : 2); print typeof(b[1]); g((u)) }'`,
    stdout: "unassigned\nunassigned\nuntyped\nunassigned\nuntyped\narray\n",
    stderr: "gawk: cmd. line:1: fatal: attempt to use scalar parameter `q' as an array\n",
    exit: 2,
  },
  {
    name: "gensub warns once it knows what to change",
    command: `gawk 'function f() { print "f"; return "x" } BEGIN { print gensub(/x/, "y", 0, f()); print gensub(/x/, "y", 0, a[1][2]) a[1] }'`,
    stdout: "f\ny\n",
    stderr:
      "gawk: cmd. line:1: warning: gensub: third argument `0' treated as 1\ngawk: cmd. line:1: warning: gensub: third argument `0' treated as 1\ngawk: cmd. line:1: fatal: attempt to use array `a[\"1\"]' in a scalar context\n",
    exit: 2,
  },
  {
    name: "many digits that make no number take no longer than they are long",
    command: "gawk '{ print ($1 == 1), typeof($1) }'",
    stdin: `${"1".repeat(400_000)}x\n`,
    stdout: "0 string\n",
  },
  {
    name: "functions and powers",
    command: `gawk 'BEGIN { printf "%.14g %.14g %.14g %.14g %.14g %.14g\\n", exp(0.37), log(3), sin(2.5), cos(0.1), atan2(-1, 7), sin(3.141592653589793); print exp(38.3), 7 ^ -3.3, 16 ^ 1.5; x = 10000; x ^= 2.5; print x; print sin(1e300), log(0), 0 ^ .5, 1 ^ .5, sin(0), atan2(0, -1) }'`,
    stdout:
      "1.4477346146633 1.0986122886681 0.59847214410396 0.99500416527803 -0.14189705460416 1.2246467991474e-16\n43001010055879984 0.00162621 64\n10000000000\n-0.817882 -inf 0 1 0 3.14159\n",
  },
  {
    name: "the last digits of functions and powers are V8's",
    command: "gawk 'BEGIN { printf \"%.17g\\n\", exp(0.37); print 609 ^ 15.4, int(log(243) / log(3)) }'",
    stdout: "1.4477346146633243\n7640227780858573376311001526599895604002816 5\n",
    differs: "glibc rounds nearly all of them to the nearest number: 1.4477346146633245, 764022778085857461…, 4",
  },
  {
    name: "NR and FNR are C's longs",
    command: "gawk '{ print NR, FNR; NR = 1e30; FNR = log(0); print NR, FNR; NR = -2.5 }'",
    stdin: "a\nb\n",
    stdout: "1 1\n-9223372036854775808 -9223372036854775808\n-1 -9223372036854775808\n-9223372036854775808 -9223372036854775808\n",
  },
  {
    name: "a number that looks like an integer is one as a subscript, but among integers",
    command:
      'gawk \'BEGIN { a[1e6 / 3] = 1; a[333333] = 2; a[5]; for (k in a) print k, a[k]; split("", a); a[1]; a[1e6 / 3] = 1; print (333333 in a); a[333333]++; for (k in a) print k, a[k]; split("", a); a[1]; a[333333]; a[1e6 / 3]; print length(a) } { c[$1 / 3600]++ } END { for (k in c) print k, c[k] }\'',
    stdin: "1713327307\n1713327000\n1713330000\n1713330001\n100\n1713326400\n",
    stdout: "5 \n333333 2\n1\n333333 2\n1 \n3\n475925 2\n0.0277778 1\n475924 3\n",
  },
  {
    name: "$0 that is counted up to infinity is text",
    command: "gawk '{ $0 += 2 ^ 1024; print $0, $1, $0 == 2 ^ 1024, $1 == 2 ^ 1024, typeof($0); $0 = -2 ^ 1024; print; $0++; print }'",
    stdin: "2\n",
    stdout: "+inf +inf 0 1 string\n\n-inf\n",
  },
  {
    name: "--csv counts an empty field behind an empty one",
    command: "gawk --csv '{ x = $1; print NF }'",
    stdin: ",\na,\n",
    stdout: "2\n2\n",
    differs: "gawk does not count it once the one before was asked for",
  },
  {
    name: "powers of 1 and by whole numbers of 64 bits",
    command:
      'gawk \'BEGIN { print 1 ^ "-inf", (-1) ^ "+inf", (-1) ^ 1e300, 2 ^ 0.5; printf "%.17g %.17g\\n", 0.9999999999999999 ^ 4294967296, 1.0000000000000002 ^ 1e16 }\'',
    stdout: "1 1 1 1.41421\n0.99999952316295193 9.2114385524240223\n",
  },
  {
    name: "what fails behind a getline fails in its line",
    command: "gawk '{ x = 1\nx = (getline) log(-1) rshift(3, -1e22 + (getline)) }' one OFS=: /dev/null",
    files: { one: "a\n" },
    stderr:
      "gawk: cmd. line:2: warning: log: received negative argument -1\ngawk: cmd. line:2: fatal: rshift(3.000000, -10000000000000000000000.000000): negative values are not allowed\n",
    exit: 2,
  },
  {
    name: "patsplit of a number",
    command: "gawk 'BEGIN { print patsplit(10, p, /[0-9]/), p[1] }'",
    stdout: "2 1\n",
    differs: "gawk finds nothing in it, but where the number was used as text before",
  },
  {
    name: "with --sandbox what is printed is worked out before it is refused",
    command: "gawk -S 'BEGIN { print log(-1) > \"/dev/stdout\" }'",
    stderr:
      "gawk: cmd. line:1: warning: log: received negative argument -1\ngawk: cmd. line:1: fatal: redirection not allowed in sandbox mode\n",
    exit: 2,
  },
  {
    name: "a file that is not there is told of in the line of the last pattern",
    command: "gawk -f prog one none; gawk -E prog one v=1",
    files: { prog: "NR == 1\n/q/\n", one: "a\n" },
    stdout: "a\na\n",
    stderr:
      "gawk: prog:2: fatal: cannot open file `none' for reading: No such file or directory\ngawk: prog:2: fatal: cannot open file `v=1' for reading: No such file or directory\n",
    exit: 2,
  },
  {
    name: "FNR goes on from what it was where no file is named",
    command: "gawk 'BEGIN { FNR = 5 } { print FNR }'; printf 'a\\n' | gawk 'BEGIN { FNR = 5 } { print FNR }' -",
    stdin: "a\nb\n",
    stdout: "6\n7\n1\n",
  },
  {
    name: "where characters are counted a text goes up to its first NUL, but for one at its start",
    command: 'gawk \'BEGIN { printf "%5s|%.9s|%s|%3s|%1s|%012.10o|%012o\\n", "0\\0a", "0\\0a", "0\\0a", "\\0", "\\0a", -1e300, 1e300 }\'',
    stdout: "    0|0|0\0a|  \0|\0a|     -1e+300|0000001e+300\n",
  },
  {
    name: "a function that orders elements and takes too few arguments",
    command: "gawk 'function by(a, b, c) { return a - c } { v[$1] } END { asorti(v, s, \"by\"); print s[1], s[2] }'",
    stdin: "2\n1\n",
    stdout: "1 2\n",
    stderr: "gawk: cmd. line:1: (FILENAME=- FNR=2) warning: function `by' called with more arguments than declared\n",
  },
  {
    name: "with -n a hexadecimal subscript sorts as its number",
    command: 'gawk -n \'{ a[$1] } END { PROCINFO["sorted_in"] = "@ind_num_desc"; for (k in a) print k }\'',
    stdin: "9\n0x1f\n10\n",
    stdout: "0x1f\n10\n9\n",
  },
  {
    name: "a regular expression in parentheses is matched with the record",
    command:
      'gawk \'{ print "x" ~ (/x/), "1" ~ (/9/), "x" !~ (/x/), match("xx9", (/9/)), gensub((/9/), "z", "g", "a9b1"), split("a9b", p, (/9/)); s = "a9b"; print gsub((/9/), "z", s), s }\'',
    stdin: "9\n",
    stdout: "0 1 1 0 a9bz 1\n0 a9b\n",
  },
  {
    name: "asort with two arguments that are no arrays",
    command: 'gawk \'BEGIN { asort("a", "b") }\'',
    stderr: "gawk: cmd. line:1: fatal: asort: second argument is not an array\n",
    exit: 2,
  },
]);
