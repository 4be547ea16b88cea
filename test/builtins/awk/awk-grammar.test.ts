/** Grammar of gawk and its messages about programs; cases found by comparison with the real tool (awk-differential.test.ts). */
import { awk } from "../../../builtins/awk/awk.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(awk, [
  {
    name: "a match binds less than a comparison, and `in` less than both: `in` again goes on",
    command: "gawk 'BEGIN { print (1 in a ~ 2 ~ 3), (1 in a == 2), (x ~ y = \"a\"), y }'",
    stdout: "0 0 0 a\n",
  },
  {
    name: "do while needs no end of its own",
    command: "gawk 'BEGIN { do print 1; while (0) print 2 }'",
    stdout: "1\n2\n",
  },
  {
    name: "return takes a regex with @",
    command: "gawk 'function f() { return @/x/ } BEGIN { print f() }'",
    stdout: "x\n",
  },
  {
    name: "a regex on the left of ~ is warned of",
    command: "gawk 'BEGIN { print /a/ ~ 0 }'",
    stdout: "1\n",
    stderr: "gawk: cmd. line:1: warning: regular expression on left of `~' or `!~' operator\n",
  },
  {
    name: "a function that is not there fails when it is called",
    command: "gawk 'BEGIN { print 1; nosuch(2) }'",
    stdout: "1\n",
    stderr: "gawk: cmd. line:1: fatal: function `nosuch' not defined\n",
    exit: 2,
  },
  {
    name: "a backslash at the end of the program",
    command: "gawk 'BEGIN { print 1 } \\'",
    stdout: "1\n",
  },
  {
    name: "printf without arguments fails when it is reached",
    command: "gawk 'BEGIN { print 1; printf }'",
    stdout: "1\n",
    stderr: "gawk: cmd. line:1: fatal: printf: no arguments\n",
    exit: 2,
  },
  {
    name: "an included file that is not there",
    command: "gawk '@include \"nolib\"'",
    stderr: "gawk: cmd. line:1: error: cannot open source file `nolib' for reading: No such file or directory\n",
    exit: 1,
  },
  {
    name: "a message names the line on which the statement begins",
    command: "gawk 'BEGIN { x = 0\nprint \"a\" &&\n1/x }'",
    stderr: "gawk: cmd. line:2: fatal: division by zero attempted\n",
    exit: 2,
    differs: "gawk names the line of the operator",
  },
  {
    name: "FILENAME is - in BEGINFILE",
    command: "gawk 'BEGINFILE { print FILENAME } END { print FILENAME }'",
    stdin: "a\n",
    stdout: "-\n-\n",
  },
  {
    name: "RT outlasts the input",
    command: "gawk 'END { print RT \"|\" }'",
    stdin: "a\n",
    stdout: "\n|\n",
  },
  {
    name: "an operand that assigns is no line of the program, nor is what follows",
    command: "gawk '{ print v }' f 'v=\\q' nope",
    files: {
      f: "x\n",
    },
    stdout: "\n",
    stderr:
      "gawk: warning: escape sequence `\\q' treated as plain `q'\ngawk: fatal: cannot open file `nope' for reading: No such file or directory\n",
    exit: 2,
  },
  {
    name: "sorted_in names no function: only where there is something to sort",
    command: 'gawk \'BEGIN { PROCINFO["sorted_in"] = "by"; for (k in x) print k; print 2; x[1]; for (k in x) print k }\'',
    stdout: "2\n",
    stderr: "gawk: cmd. line:1: fatal: sort comparison function `by' is not defined\n",
    exit: 2,
  },
  {
    name: "paragraphs: a newline separates no fields beside an expression",
    command: "gawk -v RS= -F b+ '{ for (i = 1; i <= NF; i++) printf \"<%s>\", $i; print NF }'",
    stdin: "a b c\n1 2 3\n",
    stdout: "<a >< c\n1 2 3>2\n",
  },
  {
    name: "paragraphs: split leaves out what stands behind the last separator",
    command: 'gawk \'BEGIN { RS = ""; n = split(" xaa", part, /[a]/, s); print n, s[0] "|" s[1] "|" s[2] }\'',
    stdout: "2  |a|a\n",
  },
  {
    name: "--csv: a quote that nothing may follow is part of the field",
    command: "gawk -k '{ for (i = 1; i <= NF; i++) printf \"<%s>\", $i; print NF }'",
    stdin: '"a"b,c\n"a""b"c",d\n',
    stdout: '<a"b,c>1\n<a"b"c><d\n>2\n',
  },
  {
    name: "--csv: split reads quotes too",
    command: "gawk -k '{ n = split($0, q); print n, q[1] }'",
    stdin: '"a,b",c\n',
    stdout: "2 a,b\n",
  },
  {
    name: "--csv: CR LF is LF, within quotes too, and FS is a blank",
    command: 'gawk -k \'{ print $1 "|" RT "|" FS "|" }\'',
    stdin: '"a\r\nb",c\r\n',
    stdout: "a\nb|\n| |\n",
  },
  {
    name: "--csv: FIELDWIDTHS is looked at all the same",
    command: "gawk -k 'BEGIN { FIELDWIDTHS = \"0\" }'",
    stderr: "gawk: cmd. line:1: fatal: invalid FIELDWIDTHS value, for field 1, near `0'\n",
    exit: 2,
    differs: "gawk warns first that the assignment has no effect",
  },
  {
    name: "index of nothing asks for no text",
    command: 'gawk \'BEGIN { print index("\\xff", "") }\'',
    stdout: "1\n",
  },
  {
    name: "of several negative numbers the last is told",
    command: "gawk 'BEGIN { print and(1, -2, -3) }'",
    stderr: "gawk: cmd. line:1: fatal: and: argument 3 negative value -3 is not allowed\n",
    exit: 2,
  },
  {
    name: "a large negative number is told as %g prints it",
    command: "gawk 'BEGIN { print or(-2147483648, 1) }'",
    stderr: "gawk: cmd. line:1: fatal: or: argument 1 negative value -2.14748e+09 is not allowed\n",
    exit: 2,
  },
  {
    name: "names of parameters may be words of gawk's own",
    command: "gawk 'function f(switch, BEGINFILE, gensub) { switch = BEGINFILE; return switch gensub } BEGIN { print f(1, 2, 3) }'",
    stdout: "23\n",
  },
  {
    name: "a call with too many arguments is told of when it happens",
    command: "gawk 'function f(a) { } BEGIN { f(1, 2) } { f(1, 2); if (0) f(3, 4) }'",
    stdin: "a\n",
    stderr:
      "gawk: cmd. line:1: warning: function `f' called with more arguments than declared\ngawk: cmd. line:1: (FILENAME=- FNR=1) warning: function `f' called with more arguments than declared\n",
  },
  {
    name: "only what is known to be 0 is a mistake: neither parentheses nor text nor a plus",
    command: "gawk 'BEGIN { if (0) print 1 / (0), 1 / \"0\", 1 % +0, 1 / (1 - 1); print 2 }'",
    stdout: "2\n",
  },
  {
    name: "a number goes on as long as letters of numbers follow",
    command: "gawk 'BEGIN { x5 = 7; print 10x5, 0x1.8, 1xab, 0xg, 011x5, 1.5.2 }'",
    stdout: "10 1 1 0 9 1.50.2\n",
  },
  {
    name: "a bracket that closes none lets a slash end the expression later",
    command: "gawk '/]/ || /[]/]/ || /[[./.]]/'",
    stdin: "a]\n/\nx\n",
    stdout: "a]\n/\n",
  },
  {
    name: "_ before a string is a mark for translators",
    command: "gawk 'BEGIN { _ = 5; print _\"a\" }'",
    stdout: "a\n",
  },
  {
    name: "and, or and xor with too few arguments, and sprintf with none, are told of when they are called",
    command: "gawk 'BEGIN { if (0) print and(1), or(), sprintf(); print 1; print xor(2) }'",
    stdout: "1\n",
    stderr: "gawk: cmd. line:1: fatal: xor: called with less than two arguments\n",
    exit: 2,
  },
  {
    name: "a mistake in an included file names those that include it",
    command: "gawk -f main",
    files: { main: '@include "a"\n', a: '\n@include "b";x', b: "BEGIN { 1 / 0 }\n)\n" },
    stderr:
      "gawk: In file included from a:2,\ngawk:                  from main:1:\ngawk: b:1: error: division by zero attempted\ngawk: In file included from a:2,\ngawk:                  from main:1:\ngawk: b:2: )\ngawk: b:2: ^ syntax error\n",
    exit: 1,
  },
  {
    name: "a file that ends within an action: gawk has forgotten the line",
    command: "gawk -f prog",
    files: { prog: "{ print\n" },
    stderr: "gawk: prog:1: (END OF FILE)\ngawk: prog:1: ^ source files / command-line arguments must contain complete functions or rules\n",
    exit: 1,
  },
  {
    name: "a file without a last newline",
    command: "gawk -f prog",
    files: { prog: "{ print (x" },
    stderr:
      "gawk: prog:2: (END OF FILE)\ngawk: prog:2:          ^ source files / command-line arguments must contain complete functions or rules\n",
    exit: 1,
  },
  {
    name: "what is included is no program file besides",
    command: "gawk -f self; gawk -f inc -f lib; gawk -f lib -i lib; gawk -i ./lib.awk -f lib; gawk -f lib -f lib.awk",
    files: { self: '@include "self"\nBEGIN { print 1 }\n', inc: 'BEGIN { print 1 }\n@include "lib"; x', "lib.awk": "BEGIN { print 2 }\n" },
    stdout: "2\n2\n",
    stderr:
      "gawk: self:2: fatal: cannot include `self' and use it as a program file\ngawk: inc:2: fatal: cannot include `lib' and use it as a program file\ngawk: fatal: cannot include `lib' and use it as a program file\ngawk: fatal: cannot include `lib' and use it as a program file\n",
  },
  {
    name: "a string right behind an included file is taken for a further name",
    command: "gawk -f prog",
    files: { prog: '@include "a"\n"x" { print }\n', a: '"y" { print }\n' },
    stderr: 'gawk: In file included from prog:1:\ngawk: a:1: "y" { print }\ngawk: a:1: ^ syntax error\n',
    exit: 1,
  },
  {
    name: "an empty -e is no program",
    command: "gawk -e '' -e 'BEGIN { print 1 }'",
    stdout: "1\n",
    stderr: "gawk: warning: empty argument to `-e/--source' ignored\n",
  },
  {
    name: "once a program includes a file it is still the command line",
    command: 'gawk \'@include "lib"\nBEGIN { print twice(log(-1)) > "/dev/null" }\'',
    files: { lib: "function twice(x) { return x x }\n" },
    stderr: "gawk: cmd. line:2: warning: log: received negative argument -1\n",
    differs: "gawk then names all of the program's text where it named the command line before",
  },
  {
    name: "a wrong flag is named",
    command: "gawk -Q x",
    refused: "UNKNOWN_FLAG",
    differs: "gawk prints its usage alone, which does not say what was wrong",
  },
  {
    name: "break behind a do loop is no less a mistake",
    command: "gawk 'BEGIN { do x; while (0) } END { if (1) break }'",
    refused: "BAD_VALUE",
    differs: "gawk lets it stand, and crashes",
  },
  {
    name: "a program from standard input has its name",
    command: "gawk -f -",
    stdin: "\n $",
    stderr: "gawk: -:3: (END OF FILE)\ngawk: -:3:   ^ source files / command-line arguments must contain complete functions or rules\n",
    exit: 1,
  },
  {
    name: "@include of nothing",
    command: "gawk '@include \"\"\nBEGIN { print 1 }'",
    stdout: "1\n",
  },
  {
    name: "a regex may begin with a control character",
    command: "gawk '/\u0001b/'",
    stdin: "a\u0001b\nc\n",
    stdout: "a\u0001b\n",
  },
  {
    name: "exp of what is too small is out of range too",
    command: "gawk 'BEGIN { print exp(-745.2), exp(log(0)) }'",
    stdout: "0 0\n",
    stderr: "gawk: cmd. line:1: warning: exp: argument -745.2 is out of range\n",
  },
  {
    name: "-s computes nothing before the program runs",
    command: "gawk -s 'BEGIN { if (0) print 1 / !1, 1 % 0 ^ 2; print 1 }'",
    stdout: "1\n",
  },
  {
    name: "gsub leaves a constant alone, also one that is computed",
    command: 'gawk \'BEGIN { print gsub(/2/, "b", 1 + 1), gsub(/a/, "b", "a" "a") }\'',
    stdout: "1 2\n",
  },
]);

// What the guard refuses before anything runs: see messages.ts.
messages({ ...awk, name: "gawk" }, [
  // an operand of arithmetic or of ! is no assignment
  [["BEGIN { print ! x = 5 }"], "gawk: cmd. line:1: BEGIN { print ! x = 5 }\ngawk: cmd. line:1:                   ^ syntax error\n"],
  // `in` within for takes a name alone
  [
    ["BEGIN { for (x[1] in a) print }"],
    "gawk: cmd. line:1: BEGIN { for (x[1] in a) print }\ngawk: cmd. line:1:                       ^ syntax error\n",
  ],
  // a list and `in` is no index of a field
  [["BEGIN { print $(1,2) in a }"], "gawk: cmd. line:1: BEGIN { print $(1,2) in a }\ngawk: cmd. line:1:                  ^ syntax error\n"],
  // a field after ++ is no target
  [
    ["BEGIN { print --$i++ }"],
    "gawk: cmd. line:1: BEGIN { print --$i++ }\ngawk: cmd. line:1:                   ^ cannot assign a value to the result of a field post-increment expression\n",
  ],
  // a field after ++ is no target of an assignment either
  [
    ["BEGIN { $i++ += 3; print }"],
    "gawk: cmd. line:1: BEGIN { $i++ += 3; print }\ngawk: cmd. line:1:                  ^ cannot assign a value to the result of a field post-increment expression\n",
  ],
  // a lone dot or & is a mistake of syntax
  [["BEGIN { x = a & b }"], "gawk: cmd. line:1: BEGIN { x = a & b }\ngawk: cmd. line:1:               ^ syntax error\n"],
  // what follows a lone @ is wrong
  [["BEGIN { @x }"], "gawk: cmd. line:1: BEGIN { @x }\ngawk: cmd. line:1:          ^ syntax error\n"],
  // a regex with @ does not stand alone
  [["BEGIN { print @/a/ }"], "gawk: cmd. line:1: BEGIN { print @/a/ }\ngawk: cmd. line:1:               ^ syntax error\n"],
  // warnings come before what is wrong with the program
  [
    ["BEGIN { print /a/ ~ 0, ) }"],
    "gawk: cmd. line:1: warning: regular expression on left of `~' or `!~' operator\ngawk: cmd. line:1: BEGIN { print /a/ ~ 0, ) }\ngawk: cmd. line:1:                        ^ syntax error\n",
  ],
  // a variable is called
  [["BEGIN { a = 1; a(1) }"], "gawk: cmd. line:1: error: attempt to use non-function `a' in function call\n"],
  // a function has the name of a variable
  [["BEGIN { f = 1 } function f() { }"], "gawk: cmd. line:1: error: function name `f' previously defined\n"],
  // break, continue and next out of place: all are told, as gawk reads on
  [
    ["BEGIN { next; continue; nextfile; break }"],
    "gawk: cmd. line:1: error: `continue' is not allowed outside a loop\ngawk: cmd. line:1: error: `next' used in BEGIN action\ngawk: cmd. line:1: error: `continue' is not allowed outside a loop\ngawk: cmd. line:1: error: `break' is not allowed outside a loop or switch\ngawk: cmd. line:1: error: `nextfile' used in BEGIN action\ngawk: cmd. line:1: error: `break' is not allowed outside a loop or switch\n",
  ],
  // BEGIN without an action
  [["BEGIN"], "gawk: cmd. line:1: BEGIN blocks must have an action part\n"],
  // BEGIN and what is no action
  [["BEGIN f"], "gawk: cmd. line:1: BEGIN f\ngawk: cmd. line:1:       ^ syntax error\n"],
  // a constant division by zero, and what else is wrong
  [
    ["BEGIN { x = 1/0; y = /[é-a]/ }"],
    "gawk: cmd. line:1: error: division by zero attempted\ngawk: cmd. line:1: error: Invalid range end: /[é-a]/\n",
  ],
  // an expression that goes on to the end of the program
  [
    ["x ||"],
    "gawk: cmd. line:3: (END OF FILE)\ngawk: cmd. line:3:   ^ source files / command-line arguments must contain complete functions or rules\n",
  ],
  // a regex that is nothing but its slash
  [["BEGIN { /"], "gawk: cmd. line:1: BEGIN { /\ngawk: cmd. line:1:          ^ unexpected newline or end of string\n"],
  // a mistake at a comment
  [["BEGIN { x = ) # c"], "gawk: cmd. line:1: BEGIN { x = ) # c\ngawk: cmd. line:1:             ^ syntax error\n"],
  // index takes no regex
  [['BEGIN { print index("a", /b/) }'], "gawk: cmd. line:1: fatal: index: regexp constant as second argument is not allowed\n", 2],
  // special variables are no parameters
  [
    ["function f(NR) { }"],
    "gawk: cmd. line:1: error: function `f': parameter `NR': POSIX disallows using a special variable as a function parameter\n",
  ],
  // a comma in front of the end of the parameters
  [["function f(a,) { }"], "gawk: cmd. line:1: function f(a,) { }\ngawk: cmd. line:1:              ^ syntax error\n"],
  // break is the first word
  [
    ["break"],
    "gawk: cmd. line:1: error: `break' is not allowed outside a loop or switch\ngawk: cmd. line:1: break\ngawk: cmd. line:1: ^ syntax error\n",
  ],
  // printf takes no empty list
  [["BEGIN { printf() }"], "gawk: cmd. line:1: BEGIN { printf() }\ngawk: cmd. line:1:                ^ syntax error\n"],
  // a divisor that is known to be 0 is a mistake, whatever is divided
  [
    ['BEGIN { x = 5; if (0) print x / 0, x % -0, $1 / !"a", x % 0 ^ 2 }'],
    "gawk: cmd. line:1: error: division by zero attempted\ngawk: cmd. line:1: error: division by zero attempted in `%'\ngawk: cmd. line:1: error: division by zero attempted\ngawk: cmd. line:1: error: division by zero attempted in `%'\n",
  ],
  // the text after a division by 0 is read before the division is reported
  [
    ['BEGIN { print 1 / 0 / 0 "\\q" }'],
    "gawk: cmd. line:1: error: division by zero attempted\ngawk: cmd. line:1: warning: escape sequence `\\q' treated as plain `q'\ngawk: cmd. line:1: error: division by zero attempted\n",
  ],
  // an action may be followed by one semicolon
  [["BEGIN {};;"], "gawk: cmd. line:1: each rule must have a pattern or an action part\n"],
  // a semicolon is no rule
  [[";"], "gawk: cmd. line:1: each rule must have a pattern or an action part\n"],
  // END without an action, and what is wrong behind it
  [
    ["END }{ print }"],
    "gawk: cmd. line:1: END blocks must have an action part\ngawk: cmd. line:1: END }{ print }\ngawk: cmd. line:1:     ^ syntax error\n",
  ],
  // an action on the next line
  [["BEGIN\n{ print 1 }"], "gawk: cmd. line:2: BEGIN blocks must have an action part\n"],
  // a block ends a statement: an else after a semicolon has no if
  [
    ["BEGIN { if (1) { print 1 } ; else print 2 }"],
    "gawk: cmd. line:1: BEGIN { if (1) { print 1 } ; else print 2 }\ngawk: cmd. line:1:                              ^ syntax error\n",
  ],
  // nor is there a do for the while
  [
    ["BEGIN { do { print 1 } ; while (0) }"],
    "gawk: cmd. line:1: BEGIN { do { print 1 } ; while (0) }\ngawk: cmd. line:1:                        ^ syntax error\n",
  ],
  // delete with parentheses takes a name alone
  [["BEGIN { delete (a[1]) }"], "gawk: cmd. line:1: BEGIN { delete (a[1]) }\ngawk: cmd. line:1:                  ^ syntax error\n"],
  // > within brackets is where print puts its output
  [["BEGIN { print a[b > c] }"], "gawk: cmd. line:1: BEGIN { print a[b > c] }\ngawk: cmd. line:1:                   ^ syntax error\n"],
  // print takes no newline behind its parenthesis
  [
    ["BEGIN { print (\n1, 2) }"],
    "gawk: cmd. line:2: BEGIN { print (\ngawk: cmd. line:2:                ^ unexpected newline or end of string\n",
  ],
  // nor a list and more
  [["BEGIN { print (1, 2), 3 }"], "gawk: cmd. line:1: BEGIN { print (1, 2), 3 }\ngawk: cmd. line:1:                     ^ syntax error\n"],
  // a regex's escapes are reported before the errors behind it
  [
    ["/\\@/x/"],
    "gawk: cmd. line:1: warning: regexp escape sequence `\\@' is not a known regexp operator\ngawk: cmd. line:2: /\\@/x/\ngawk: cmd. line:2:       ^ unexpected newline or end of string\n",
  ],
  // within brackets too, each of them once, and bytes rather than characters
  [
    ['/[a\\d]\\d\\é/ { print "\\d\\d" } )'],
    "gawk: cmd. line:1: warning: regexp escape sequence `\\d' is not a known regexp operator\ngawk: cmd. line:1: warning: regexp escape sequence `\\\udcc3' is not a known regexp operator\ngawk: cmd. line:1: warning: escape sequence `\\d' treated as plain `d'\ngawk: cmd. line:1: /[a\\d]\\d\\é/ { print \"\\d\\d\" } )\ngawk: cmd. line:1:                               ^ syntax error\n",
  ],
  // a class without its brackets
  [
    ["/[:space:]/ )"],
    "gawk: cmd. line:1: warning: regexp component `[:space:]' should probably be `[[:space:]]'\ngawk: cmd. line:1: /[:space:]/ )\ngawk: cmd. line:1:             ^ syntax error\n",
  ],
  // a break that gawk reads while it still is in the loop is reported once
  [["BEGIN { while (x) y\n\nbreak }"], "gawk: cmd. line:3: error: `break' is not allowed outside a loop or switch\n"],
  // names of parameters are words of gawk's own: what they then cannot be
  [
    ['function f(switch, gensub) { switch = 1; print gensub(/a/, "b") }'],
    "gawk: cmd. line:1: error: attempt to use non-function `gensub' in function call\ngawk: cmd. line:1: warning: regexp constant for parameter #1 yields boolean value\n",
  ],
  // errors are reported for all parameters
  [
    ["function g(a, a, NR, g, a::b) { } ("],
    "gawk: cmd. line:1: error: function `g': parameter #2, `a', duplicates parameter #1\ngawk: cmd. line:1: error: function `g': parameter `NR': POSIX disallows using a special variable as a function parameter\ngawk: cmd. line:1: error: function `g': cannot use function name as parameter name\ngawk: cmd. line:1: error: function `g': parameter `a::b' cannot contain a namespace\ngawk: cmd. line:2: function g(a, a, NR, g, a::b) { } (\ngawk: cmd. line:2:                                    ^ unexpected newline or end of string\n",
  ],
  // an action that is not closed
  [["{ print\n"], "gawk: cmd. line:1: { print\ngawk: cmd. line:1:        ^ unexpected newline or end of string\n"],
  // or only by a comment
  [
    ["{ print # c\n"],
    "gawk: cmd. line:1: (END OF FILE)\ngawk: cmd. line:1:         ^ source files / command-line arguments must contain complete functions or rules\n",
  ],
  // an expression that is not complete
  [
    ["{ x ||\n  "],
    "gawk: cmd. line:4: (END OF FILE)\ngawk: cmd. line:4:     ^ source files / command-line arguments must contain complete functions or rules\n",
  ],
  // a string over two lines
  [['BEGIN { print "a\\\nbc'], 'gawk: cmd. line:2: BEGIN { print "a\\\ngawk: cmd. line:2:               ^ unterminated string\n'],
  // a regex with @ that does not end
  [["@/"], "gawk: cmd. line:1: @/\ngawk: cmd. line:1: ^ unterminated regexp\n"],
  [["@/x"], "gawk: cmd. line:1: @/x\ngawk: cmd. line:1: ^ unterminated regexp\n"],
  // or is wrong
  [["x ~ @/(/"], "gawk: cmd. line:1: error: Unmatched ( or \\(: /(/\ngawk: cmd. line:1: fatal: could not make typed regex\n", 2],
  // a third argument of gsub that cannot be changed
  [
    ['BEGIN { gsub(/a/, "b", x + 1) }'],
    'gawk: cmd. line:1: BEGIN { gsub(/a/, "b", x + 1) }\ngawk: cmd. line:1:                             ^ gsub third parameter is not a changeable object\n',
  ],
  // what a name with :: cannot be
  [
    ["BEGIN { length::x = 3; a:: = 4; a::b::c = 5; foo::length = 6 }"],
    "gawk: cmd. line:1: error: using reserved identifier `length' as a namespace is not allowed\ngawk: cmd. line:1: BEGIN { length::x = 3; a:: = 4; a::b::c = 5; foo::length = 6 }\ngawk: cmd. line:1:                   ^ syntax error\n",
  ],
  // labels that are there twice
  [
    ['BEGIN { switch (x) {\ncase 1:\ncase "1":\ndefault:\ncase 2:\ndefault: } }'],
    "gawk: cmd. line:4: error: duplicate `default' detected in switch body\ngawk: cmd. line:2: error: duplicate case values in switch body: 1\n",
  ],
  // getline within BEGINFILE
  [['BEGINFILE { getline; getline x < "f" }'], "gawk: cmd. line:1: error: non-redirected `getline' invalid inside `BEGINFILE' rule\n"],
  // a special variable names no function
  [
    ["BEGIN { @NR(2) }"],
    "gawk: cmd. line:1: BEGIN { @NR(2) }\ngawk: cmd. line:1:              ^ cannot use special variable `NR' for indirect function call\n",
  ],
  // a function is used as a variable
  [
    ["function g() { } BEGIN { g = 2; delete g; for (g in x) @g() }"],
    "gawk: cmd. line:1: error: function `g' called with space between name and `(',\nor used as a variable or an array\ngawk: cmd. line:1: error: function `g' called with space between name and `(',\nor used as a variable or an array\ngawk: cmd. line:1: error: function `g' called with space between name and `(',\nor used as a variable or an array\ngawk: cmd. line:1: error: function `g' called with space between name and `(',\nor used as a variable or an array\n",
  ],
  // delete of what lists all variables
  [["BEGIN { delete SYMTAB }"], "gawk: cmd. line:1: fatal: `delete' is not allowed with SYMTAB\n", 2],
  // for takes no statement of another kind
  [["BEGIN { for (next;;) x }"], "gawk: cmd. line:1: BEGIN { for (next;;) x }\ngawk: cmd. line:1:              ^ syntax error\n"],
  // /= that is no assignment
  [["BEGIN { x /== 3 }"], "gawk: cmd. line:1: BEGIN { x /== 3 }\ngawk: cmd. line:1:            ^ syntax error\n"],
  // a regex as an argument is reported before the errors behind the call
  [
    ["BEGIN { f(/x/) ) }"],
    "gawk: cmd. line:1: warning: regexp constant for parameter #1 yields boolean value\ngawk: cmd. line:1: BEGIN { f(/x/) ) }\ngawk: cmd. line:1:                ^ syntax error\n",
  ],
  // return outside of a function
  [
    ["function f() { return } BEGIN { return }"],
    "gawk: cmd. line:1: function f() { return } BEGIN { return }\ngawk: cmd. line:1:                                 ^ `return' used outside function context\n",
  ],
  // a byte that no program holds
  [["BEGIN { print 1 }\u0001"], "gawk: cmd. line:1: fatal: error: invalid character '\\001' in source code\n", 2],
  // a letter outside ASCII
  [["BEGIN { print é }"], "gawk: cmd. line:1: BEGIN { print é }\ngawk: cmd. line:1:               ^ invalid char '\udcc3' in expression\n"],
  // -F and -v are read before the program
  [
    ["-F", "\\|", "-v", "x=\\|\\q", "/a/ ~ 1, )"],
    "gawk: warning: escape sequence `\\|' treated as plain `|'\ngawk: warning: escape sequence `\\q' treated as plain `q'\ngawk: cmd. line:1: warning: regular expression on left of `~' or `!~' operator\ngawk: cmd. line:1: /a/ ~ 1, )\ngawk: cmd. line:1:          ^ syntax error\n",
  ],
  // an empty part of the program
  [
    ["-e", "", "-e", ")"],
    "gawk: warning: empty argument to `-e/--source' ignored\ngawk: cmd. line:1: )\ngawk: cmd. line:1: ^ syntax error\n",
  ],
  // a number behind a name with subscripts, and a bracket that does not belong to it
  [["BEGIN { x[1] [2] = 3 }"], "gawk: cmd. line:1: BEGIN { x[1] [2] = 3 }\ngawk: cmd. line:1:              ^ syntax error\n"],
  // ++ takes a variable
  [["BEGIN { ++f(1) }"], "gawk: cmd. line:1: BEGIN { ++f(1) }\ngawk: cmd. line:1:           ^ syntax error\n"],
  // a function is no variable with subscripts either: told once they are read
  [
    ["function g() { } BEGIN { g[1] = 2; g[/] }"],
    "gawk: cmd. line:1: error: function `g' called with space between name and `(',\nor used as a variable or an array\ngawk: cmd. line:1: function g() { } BEGIN { g[1] = 2; g[/] }\ngawk: cmd. line:1:                                       ^ unterminated regexp\n",
  ],
  // the name of an indirect call is no word of the language
  [["BEGIN { @index(1, 2) }"], "gawk: cmd. line:1: BEGIN { @index(1, 2) }\ngawk: cmd. line:1:          ^ syntax error\n"],
  // @ does not begin the name of a function
  [["function @include"], "gawk: cmd. line:1: function @include\ngawk: cmd. line:1:           ^ syntax error\n"],
  // what gawk takes for within a loop: a break before one
  [["{ break;switch (x) { } }"], "gawk: cmd. line:1: error: `break' is not allowed outside a loop or switch\n"],
  // nothing repeated
  [["/a{2,,1}/ ) "], "gawk: cmd. line:1: error: Invalid content of \\{\\}: /a{2,,1}/\n"],
  [["/a{}/"], "gawk: cmd. line:1: error: Invalid content of \\{\\}: /a{}/\n"],
  // a bracket that ends at once
  [["/]a[/"], "gawk: cmd. line:1: error: Invalid regular expression: /]a[/\n"],
  // the first line is empty, and the last one does not end
  [["\n *"], "gawk: cmd. line:2: \n *\ngawk: cmd. line:2:   ^ syntax error\n"],
  // a break after do and while, which gawk lets stand beside another mistake
  [
    ["BEGIN { do x; while (y); break; ) }"],
    "gawk: cmd. line:1: BEGIN { do x; while (y); break; ) }\ngawk: cmd. line:1:                                 ^ syntax error\n",
  ],
]);
