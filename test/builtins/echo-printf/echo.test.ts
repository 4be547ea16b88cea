/** echo through the guard and the engine. */
import { echo } from "../../../builtins/echo-printf/echo.ts";
import { cases } from "../../cases.ts";

cases(echo, [
  { name: "operands and a newline", command: 'echo a "b  c" d', stdout: "a b  c d\n" },
  { name: "nothing", command: 'echo; echo ""; echo -n; echo -n -e', stdout: "\n\n" },
  {
    name: "flags in bundles",
    command: 'echo -ne "a\\tb"; echo -en x; echo -nE "\\t"; echo -eE "\\t"; echo -Ee "\\t"',
    stdout: "a\tbx\\t\\t\n\t\n",
  },
  {
    name: "what is no flag is text",
    command: "echo -nx a; echo -- a; echo --help; echo - -n; echo a -n",
    stdout: "-nx a\n-- a\n--help\n- -n\na -n\n",
  },
  { name: "no escapes without -e", command: "echo 'a\\nb\\c'", stdout: "a\\nb\\c\n" },
  { name: "letters", command: "echo -e '\\a\\b\\e\\E\\f\\n\\r\\t\\v\\\\'", stdout: "\u0007\b\u001b\u001b\f\n\r\t\u000b\\\n" },
  { name: "octal only after a zero", command: "echo -e '\\0101\\101\\08\\0\\00101'", stdout: "A\\101\u00008\u0000\b1\n" },
  { name: "hexadecimal", command: "echo -e '\\x41\\x4g\\x\\x414'", stdout: "A\u0004g\\xA4\n" },
  { name: "bytes that become text, and that do not", command: "echo -e '\\xc3\\xa9\\xff\\0377'", stdout: "é\udcff\udcff\n" },
  { name: "code points", command: "echo -e '\\u00e9\\u41\\U1F600\\u'", stdout: "éA😀\\u\n" },
  {
    name: "code points that are none",
    command: "echo -e '\\ud800\\U110000\\U7fffffff\\UFFFFFFFF.'",
    stdout: "\udced\udca0\udc80\udcf4\udc90\udc80\udc80\udcfd\udcbf\udcbf\udcbf\udcbf\udcbf.\n",
  },
  { name: "\\c ends it", command: "echo -e 'a\\cb' c; echo -e 'a\\\\cb'", stdout: "aa\\cb\n" },
  { name: "unknown escapes stay", command: "echo -e '\\q\\\"\\?\\'", stdout: '\\q\\"\\?\\\n' },
  { name: "bytes of an operand", command: "echo $'\\xff\\xe9'", stdout: "\udcff\udce9\n" },
]);
