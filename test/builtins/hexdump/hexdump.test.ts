/** hexdump and hd through the guard and the engine. */
import { hexdump } from "../../../builtins/hexdump/hexdump.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(hexdump, [
  {
    name: "a format file whose line is none",
    command: "hexdump -f f",
    files: { f: "nope\n" },
    stderr: "hexdump: bad format {nope\n}\n",
    exit: 1,
  },
  {
    name: "only ASCII white space is passed over before a format",
    command: "hexdump -f f",
    files: { f: ' \u00a0"%d"' },
    stderr: 'hexdump: bad format {\u00a0"%d"}\n',
    exit: 1,
  },
  {
    name: "a format file is looked at before the next one is opened",
    command: "hexdump -f f -f nope",
    files: { f: "x" },
    stderr: "hexdump: bad format {x}\n",
    exit: 1,
  },
  { name: "a directory where no byte is shown", command: "hexdump -e '\"a\"' ." },
  {
    name: "a format file without a format",
    command: "hexdump -f f",
    stdin: "ab",
    files: { f: "# none\n\u0000x\n" },
    stdout: "0000000 6261                                   \n0000002\n",
  },
  {
    name: "a directory for a format file",
    command: "hexdump -f .",
    stdin: "ab",
    stdout: "0000000 6261                                   \n0000002\n",
  },

  {
    name: "plain",
    command: "hexdump",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "0000000 6261 6463 6665 6867 6a69 6c6b 6e6d 706f\n0000010 7271 7473 7675 7877 7a79 000a ff01     \n000001e\n",
  },
  {
    name: "-b",
    command: "hexdump -b",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout:
      "0000000 141 142 143 144 145 146 147 150 151 152 153 154 155 156 157 160\n0000010 161 162 163 164 165 166 167 170 171 172 012 000 001 377        \n000001e\n",
  },
  {
    name: "-c",
    command: "hexdump -c",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout:
      "0000000   a   b   c   d   e   f   g   h   i   j   k   l   m   n   o   p\n0000010   q   r   s   t   u   v   w   x   y   z  \\n  \\0 001 377        \n000001e\n",
  },
  {
    name: "-C",
    command: "hexdump -C",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout:
      "00000000  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70  |abcdefghijklmnop|\n00000010  71 72 73 74 75 76 77 78  79 7a 0a 00 01 ff        |qrstuvwxyz....|\n0000001e\n",
  },
  {
    name: "-d",
    command: "hexdump -d",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout:
      "0000000   25185   25699   26213   26727   27241   27755   28269   28783\n0000010   29297   29811   30325   30839   31353   00010   65281        \n000001e\n",
  },
  {
    name: "-o",
    command: "hexdump -o",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout:
      "0000000  061141  062143  063145  064147  065151  066153  067155  070157\n0000010  071161  072163  073165  074167  075171  000012  177401        \n000001e\n",
  },
  {
    name: "-x",
    command: "hexdump -x",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout:
      "0000000    6261    6463    6665    6867    6a69    6c6b    6e6d    706f\n0000010    7271    7473    7675    7877    7a79    000a    ff01        \n000001e\n",
  },
  {
    name: "hd",
    command: "hd",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout:
      "00000000  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70  |abcdefghijklmnop|\n00000010  71 72 73 74 75 76 77 78  79 7a 0a 00 01 ff        |qrstuvwxyz....|\n0000001e\n",
  },
  {
    name: "hd with a format besides",
    command: "hd -x",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout:
      "00000000  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70  |abcdefghijklmnop|\n0000000    6261    6463    6665    6867    6a69    6c6b    6e6d    706f\n00000010  71 72 73 74 75 76 77 78  79 7a 0a 00 01 ff        |qrstuvwxyz....|\n0000010    7271    7473    7675    7877    7a79    000a    ff01        \n000001e\n",
  },
  {
    name: "two formats",
    command: "hexdump -b -c",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout:
      "0000000 141 142 143 144 145 146 147 150 151 152 153 154 155 156 157 160\n0000000   a   b   c   d   e   f   g   h   i   j   k   l   m   n   o   p\n0000010 161 162 163 164 165 166 167 170 171 172 012 000 001 377        \n0000010   q   r   s   t   u   v   w   x   y   z  \\n  \\0 001 377        \n000001e\n",
  },
  {
    name: "-n",
    command: "hexdump -C -n 5",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "00000000  61 62 63 64 65                                    |abcde|\n00000005\n",
  },
  { name: "-n 0", command: "hexdump -n 0", stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff" },
  {
    name: "-n with a unit",
    command: "hexdump -n 1k",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "0000000 6261 6463 6665 6867 6a69 6c6b 6e6d 706f\n0000010 7271 7473 7675 7877 7a79 000a ff01     \n000001e\n",
  },
  {
    name: "-n in hexadecimal",
    command: "hexdump -n 0x10",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "0000000 6261 6463 6665 6867 6a69 6c6b 6e6d 706f\n0000010\n",
  },
  {
    name: "-n in octal",
    command: "hexdump -n 010",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "0000000 6261 6463 6665 6867                    \n0000008\n",
  },
  {
    name: "-e, lines of four",
    command: 'hexdump -e \'4/1 "%02x " "\\n"\'',
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "61 62 63 64\n65 66 67 68\n69 6a 6b 6c\n6d 6e 6f 70\n71 72 73 74\n75 76 77 78\n79 7a 0a 00\n01 ff      \n",
  },
  {
    name: "-e without a line end",
    command: "hexdump -v -e '16/1 \"%02X\"' ",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "6162636465666768696A6B6C6D6E6F707172737475767778797A0A0001FF    ",
  },
  {
    name: "-e %s",
    command: "hexdump -e '1/4 \"%s\"' ",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "abcdefghijklmnopqrstuvwxyz\n\x01\udcff",
  },
  {
    name: "-e %s with a precision",
    command: "hexdump -e '\"%10.3s|\\n\"' ",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout:
      "       abc|\n       def|\n       ghi|\n       jkl|\n       mno|\n       pqr|\n       stu|\n       vwx|\n       yz\n|\n          |\n",
  },
  {
    name: "-e %c, text, %i",
    command: 'hexdump -e \'8/1 "%c" "-" 2/2 "%5i" "\\n"\' ',
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "abcdefgh-2724127755\nmnopqrst-3032530839\nyz\n\x00\x01\udcff-          \n",
  },
  {
    name: "an escape moves nothing along",
    command: "hexdump -n 9 -e '3/1 \"a\\tb\\q%%\"' ",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "a\ttq\\qa\ttq\\qa\ttq\\qa\ttq\\qa\ttq\\qa\ttq\\qa\ttq\\qa\ttq\\qa\ttq\\q",
  },
  {
    name: "no count of bytes is one of four",
    command: "hexdump -e '1/0 \"%d\\n\"' ",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "1684234849\n1751606885\n1818978921\n1886350957\n1953722993\n2021095029\n686713\n65281\n",
  },
  { name: "an address alone shows nothing", command: "hexdump -e '\"%_ax\"' ", stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff" },
  {
    name: "addresses in decimal and at the end",
    command: 'hexdump -e \'"end %_Ad\\n"\' -e \'"%4_ad|" 8/1 "%02x " "\\n"\' ',
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout:
      "   0|61 62 63 64 65 66 67 68\n   8|69 6a 6b 6c 6d 6e 6f 70\n  16|71 72 73 74 75 76 77 78\n  24|79 7a 0a 00 01 ff      \nend 30\n",
  },
  {
    name: "an address past the end is blank",
    command: 'hexdump -e \'16/1 "%02x" "[%_ax]" 2/1 "%x" "\\n"\' ',
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "6162636465666768696a6b6c6d6e6f70[10]7172\n737475767778797a0a0001ff        []\n",
  },
  {
    name: "flags of a conversion",
    command: 'hexdump -n 8 -e \'1/1 "%#o|" 1/1 "%-5x|" 1/2 "%+d|" 1/4 "% 12.9u|\\n"\' ',
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "0141|62   |+25699|  1751606885|\n",
  },
  { name: "empty format", command: "hexdump -e '' ", stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff" },
  {
    name: "long names",
    command: "hexdump --length=3 --canonical",
    stdin: "abcdefghijklmnopqrstuvwxyz\n\x00\x01\udcff",
    stdout: "00000000  61 62 63                                          |abc|\n00000003\n",
  },
  {
    name: "-e %_u",
    command: 'hexdump -v -e \'16/1 "%3_u " "\\n"\' ',
    stdin:
      "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f\udc80\udca9",
    stdout:
      "nul soh stx etx eot enq ack bel  bs  ht  lf  vt  ff  cr  so  si\ndle dc1 dc2 dc3 dc4 nak syn etb can  em sub esc  fs  gs  rs  us\ndel  80  a9                                                    \n",
  },
  {
    name: "-e %_c",
    command: 'hexdump -v -e \'16/1 "%3_c " "\\n"\' ',
    stdin:
      "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f\udc80\udca9",
    stdout:
      " \\0 001 002 003 004 005 006  \\a  \\b  \\t  \\n  \\v  \\f  \\r 016 017\n020 021 022 023 024 025 026 027 030 031 032 033 034 035 036 037\n177 200 251                                                    \n",
  },
  {
    name: "-e %_p",
    command: 'hexdump -v -e \'16/1 "%_p" "\\n"\' ',
    stdin:
      "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f\udc80\udca9",
    stdout: "................\n................\n...\n",
  },
  {
    name: "whole lines that repeat",
    command: "hexdump -C rep",
    files: { f: "abcdefghijklmnopqrstuvwxyz\n", rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop" },
    stdout: "00000000  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70  |abcdefghijklmnop|\n*\n00000040\n",
  },
  {
    name: "-v",
    command: "hexdump -v -C rep",
    files: { f: "abcdefghijklmnopqrstuvwxyz\n", rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop" },
    stdout:
      "00000000  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70  |abcdefghijklmnop|\n00000010  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70  |abcdefghijklmnop|\n00000020  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70  |abcdefghijklmnop|\n00000030  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70  |abcdefghijklmnop|\n00000040\n",
  },
  {
    name: "files are one input",
    command: "hexdump -C f rep",
    files: { f: "abcdefghijklmnopqrstuvwxyz\n", rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop" },
    stdout:
      "00000000  61 62 63 64 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70  |abcdefghijklmnop|\n00000010  71 72 73 74 75 76 77 78  79 7a 0a 61 62 63 64 65  |qrstuvwxyz.abcde|\n00000020  66 67 68 69 6a 6b 6c 6d  6e 6f 70 61 62 63 64 65  |fghijklmnopabcde|\n*\n00000050  66 67 68 69 6a 6b 6c 6d  6e 6f 70                 |fghijklmnop|\n0000005b\n",
  },
  {
    name: "signed numbers of each size",
    command: 'hexdump -v -e \'1/1 "%d " 1/2 " %d" 1/4 " %d" 1/8 " %d" "\\n"\' ',
    stdin: "\udcff\udcff\udcff\udcff\udcff\udcff\udcff\udcff\udcff\udcff\udcff\udcff\udcff\udcff\udcff",
    stdout: "-1  -1 -1 -1\n",
  },
  {
    name: "floating point",
    command: 'hexdump -v -e \'2/8 "%g " "|" 4/4 "%e " "\\n"\' rep',
    files: { f: "abcdefghijklmnopqrstuvwxyz\n", rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop" },
    stdout:
      "8.54088e+194 3.90382e+233|1.677800e+22 4.371022e+24 1.138400e+27 2.964017e+29\n8.54088e+194 3.90382e+233|1.677800e+22 4.371022e+24 1.138400e+27 2.964017e+29\n",
  },
  {
    name: "floating point, odd values",
    command: 'hexdump -v -e \'1/4 "%f " "\\n"\' ',
    stdin: "\x00\x00\udc80?\x00\x00\udc80\udcff\x00\x00\udcc0\x7f\x00\x00\x00\udc80\x01\x00\x00\x00",
    stdout: "1.000000 \n-inf \nnan \n-0.000000 \n0.000000 \n",
  },
  {
    name: "-s and -n",
    command: "hexdump -C -s 3 -n 5 f",
    files: { f: "abcdefghijklmnopqrstuvwxyz\n", rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop" },
    stdout: "00000003  64 65 66 67 68                                    |defgh|\n00000008\n",
  },
  {
    name: "-s past the end",
    command: "hexdump -s 1000 f",
    files: { f: "abcdefghijklmnopqrstuvwxyz\n", rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop" },
    stdout: "000001b\n",
  },
  {
    name: "-s over a whole file",
    command: "hexdump -s 27 f rep",
    files: { f: "abcdefghijklmnopqrstuvwxyz\n", rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop" },
    stdout: "000001b 6261 6463 6665 6867 6a69 6c6b 6e6d 706f\n*\n000005b\n",
  },
  {
    name: "-s into the second file",
    command: "hexdump -s 30 f rep",
    files: { f: "abcdefghijklmnopqrstuvwxyz\n", rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop" },
    stdout: "000001e 6564 6766 6968 6b6a 6d6c 6f6e 6170 6362\n*\n000004e 6564 6766 6968 6b6a 6d6c 6f6e 0070     \n000005b\n",
  },
  {
    name: "-f",
    command: "hexdump -f fmt f",
    files: {
      f: "abcdefghijklmnopqrstuvwxyz\n",
      rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop",
      fmt: '# a comment\n\n  "%03.2_ax " 8/1 "%02x "\n "|" 8/1 "%_p" "\\n"\n',
    },
    stdout:
      " 00 61 62 63 64 65 66 67 68|abcdefgh\n 08 69 6a 6b 6c 6d 6e 6f 70|ijklmnop\n 10 71 72 73 74 75 76 77 78|qrstuvwx\n 18 79 7a 0a               |yz.\n",
  },
  {
    name: "-f without such a file",
    command: "hexdump -f nope f",
    files: { f: "abcdefghijklmnopqrstuvwxyz\n", rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop" },
    stderr: "hexdump: can't read nope: No such file or directory\n",
    exit: 1,
  },
  {
    name: "no such file",
    command: "hexdump nope",
    stderr: "hexdump: nope: No such file or directory\nhexdump: all input file arguments failed\n",
    exit: 1,
  },
  {
    name: "one file of two",
    command: "hexdump nope f",
    files: { f: "abcdefghijklmnopqrstuvwxyz\n", rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop" },
    stdout: "0000000 6261 6463 6665 6867 6a69 6c6b 6e6d 706f\n0000010 7271 7473 7675 7877 7a79 000a          \n000001b\n",
    stderr: "hexdump: nope: No such file or directory\n",
    exit: 1,
  },
  { name: "a directory", command: "hexdump d", tree: ["d/"], stderr: "hexdump: d: Is a directory\n" },
  { name: "empty input", command: "hexdump -C", stdin: "" },
  {
    name: "-s in a pipe",
    command: "hexdump -C -s 2",
    stdin: "abcd",
    stdout: "00000002  63 64                                             |cd|\n00000004\n",
    differs: "a pipe cannot be moved about in for hexdump: stdin: Illegal seek",
  },
  { name: "bad: -n x", command: "hexdump -n x", refused: "BAD_VALUE" },
  { name: "bad: -s -1", command: "hexdump -s -1", refused: "BAD_VALUE" },
  { name: "bad: -e x", command: "hexdump -e x", refused: "BAD_VALUE" },
  { name: "bad: -e '1/1 \"%y\"'", command: "hexdump -e '1/1 \"%y\"'", refused: "BAD_VALUE" },
  { name: "bad: -e '1/3 \"%d\"'", command: "hexdump -e '1/3 \"%d\"'", refused: "BAD_VALUE" },
  { name: "bad: -e '2/1 \"%d %d\"'", command: "hexdump -e '2/1 \"%d %d\"'", refused: "BAD_VALUE" },
  { name: "bad: -e '\"%s\"'", command: "hexdump -e '\"%s\"'", refused: "BAD_VALUE" },
  { name: "bad: -e '\"%_d\"'", command: "hexdump -e '\"%_d\"'", refused: "BAD_VALUE" },
  {
    name: "-L",
    command: "hexdump -L f",
    files: { f: "abcdefghijklmnopqrstuvwxyz\n", rep: "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop" },
    refused: "DISALLOWED_FLAG",
  },
  { name: "-s past the end of a file", command: "hexdump -s 100 f", files: { f: "abc" }, stdout: "0000003\n" },
  {
    name: "-s where no file can be opened",
    command: "hexdump -s 3 nope",
    stderr: "hexdump: nope: No such file or directory\nhexdump: stdin: Bad file descriptor\n",
    exit: 1,
  },
  { name: "-n 0 opens nothing", command: "hexdump -n 0 nope" },
  {
    name: "-s in a directory takes all of the offset",
    command: "hexdump -s 3 . f",
    files: { f: "abc" },
    stdout: "0000003 6261 0063                              \n0000006\n",
    stderr: "hexdump: .: Is a directory\n",
  },
  { name: "a size past 64 bits", command: "hexdump -n 99999999999999999999", refused: "BAD_VALUE" },
  { name: "08 is no octal number", command: "hexdump -n 08", refused: "BAD_VALUE" },
]);

messages(hexdump, [[["-e", '"a"', "nope"], "hexdump: nope: No such file or directory\nhexdump: all input file arguments failed\n"]]);
