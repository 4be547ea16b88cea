/** bc through the guard and the engine. */
import { bc } from "../../../builtins/bc/bc.ts";
import { cases } from "../../cases.ts";

const FIBONACCI = "define f(n) {\n  auto a, b, i\n  b = 1\n  for (i = 0; i < n; i++) { t = a + b; a = b; b = t }\n  return a\n}\nf(90)\n";

cases(bc, [
  { name: "scale", command: "bc", stdin: "scale=2; 10/3\n", stdout: "3.33\n" },
  {
    name: "whole numbers first",
    command: "bc",
    stdin: "10/3; -7/2; -7%3; 2^.5\n",
    stdout: "3\n-3\n-1\n1\n",
    stderr: "Runtime warning (func=(main), adr=35): non-zero scale in exponent\n",
  },
  { name: "the scale of a product", command: "bc", stdin: "1.5*2.25; 1.10*1; 0.1+0.25\n", stdout: "3.37\n1.10\n.35\n" },
  { name: "pi", command: "bc -l", stdin: "scale=30; 4*a(1)\n", stdout: "3.141592653589793238462643383276\n" },
  {
    name: "functions of the library",
    command: "bc -l",
    stdin: "e(1); l(2); s(1); c(1); j(0,1)\n",
    stdout: "2.71828182845904523536\n.69314718055994530941\n.84147098480789650665\n.54030230586813971740\n.76519768655796655144\n",
  },
  {
    name: "a long number is broken",
    command: "bc",
    stdin: "2^300\n",
    stdout: "20370359763344860862684456884093781610514683936659362506361404493543\\\n81299763336706183397376\n",
  },
  {
    name: "and is not",
    command: "BC_LINE_LENGTH=0 bc",
    stdin: "2^300\n",
    stdout: "2037035976334486086268445688409378161051468393665936250636140449354381299763336706183397376\n",
  },
  { name: "bases", command: "bc", stdin: "obase=16; 255.5; ibase=2; 1010; obase=1100100; 11111111\n", stdout: "FF.8\nA\n 02 55\n" },
  { name: "a function", command: "bc", stdin: FIBONACCI, stdout: "2880067194370816120\n" },
  {
    name: "arrays, loops and print",
    command: "bc",
    stdin: 'for (i = 0; i < 4; i++) a[i] = i * i\ni = 0\nwhile (i < 4) print a[i++], " "\n"\n"\n',
    stdout: "0 1 4 9 \n",
  },
  { name: "if and else", command: "bc", stdin: 'if (1 > 2) "yes" else "no"\n', stdout: "no" },
  { name: "truth", command: "bc", stdin: "3 > 2; 1 == 2; !0 && 1 || 0\n", stdout: "1\n0\n1\n" },
  {
    name: "division by zero",
    command: "bc",
    stdin: "1/0\n5\n",
    stdout: "5\n",
    stderr: "Runtime error (func=(main), adr=3): Divide by zero\n",
  },
  {
    name: "a function that is not there",
    command: "bc",
    stdin: "f(1)\n",
    stderr: "Runtime error (func=(main), adr=3): Function f not defined.\n",
  },
  { name: "a mistake, and the next line", command: "bc", stdin: "1 + * 2\n3\n", stdout: "3\n", stderr: "(standard_in) 1: syntax error\n" },
  { name: "no newline at the end", command: "bc", stdin: "1+1", stderr: "(standard_in) 1: syntax error\n" },
  {
    name: "a character of no kind",
    command: "bc",
    stdin: "1 @ 2\n",
    stderr: "(standard_in) 1: illegal character: @\n(standard_in) 1: syntax error\n",
  },
  { name: "quit ends it as soon as it is read", command: "bc", stdin: "1; quit\n2\n" },
  {
    name: "a file, then standard input",
    command: "bc lib",
    files: { lib: "define t(x) { return x*3; }\n" },
    stdin: "t(4)\n",
    stdout: "12\n",
  },
  {
    name: "read takes from standard input",
    command: "bc prog",
    files: { prog: "x = read(); x * 2\nquit\n" },
    stdin: "21\n",
    stdout: "42\n",
  },
  { name: "a number over two lines", command: "bc", stdin: "12\\\n34 + 3.\\\n14\n", stdout: "1237.14\n" },
  { name: "a negative zero", command: "bc", stdin: "(-.1)^3\n", stdout: "-0\n" },
  { name: "random numbers are the same in each run", command: "bc", stdin: "random(); random()\n", stdout: "1804289383\n846930886\n" },
  {
    name: "POSIX alone",
    command: "bc -s",
    stdin: "abc = 1\n2\n",
    stdout: "2\n",
    stderr: "(standard_in) 1: Error: multiple letter name - abc\n",
  },
  { name: "a missing file", command: "bc nope", stderr: "File nope is unavailable.\n", exit: 1 },
  { name: "-i", command: "bc -i", refused: "DISALLOWED_FLAG" },
]);
