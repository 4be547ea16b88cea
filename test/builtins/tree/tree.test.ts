/** tree. The rows hold for tree 2.1.0 too (npm run test:reference). */
import { describe } from "vitest";
import { tree } from "../../../builtins/tree/tree.ts";
import { cases, lineCases } from "../../cases.ts";
import { messages } from "../messages.ts";

const TREE = [
  "a.c: 12345",
  "b.h:",
  "d/x.c: x",
  "d/deep/f:",
  "d/empty/",
  ".hid/y:",
  "sp ace:",
  "n\nl:",
  "b\udcffd:",
  "é:",
  'q"x:',
  "ld => d",
  "dead => nowhere",
  "d/up => ..",
  "pipe|",
];
const GIT = [".git/", "a.o:", "k:", "s/a.o:", "s/k:", "s/u/z:", "x1:", "x2:", ".gitignore: *.o\n/s/k\nx*\n!x1\n# c\n", "s/.gitignore: z\n"];

cases(tree, [
  {
    name: "-J: empty starting points, and one that is a link",
    command: "tree -J --noreport e1 e2 l",
    tree: ["e1/", "e2/", "d/", "d/f:", "l => d"],
    stdout:
      '[\n  {"type":"directory","name":"e1"},\n  {"type":"directory","name":"e2"},\n  {"type":"link","name":"l","contents":[\n    {"type":"file","name":"f"}\n  ]}\n\n]\n',
    differs: "tree leaves out the comma behind an empty starting point",
  },
  {
    name: "the tree",
    command: "tree",
    tree: TREE,
    stdout:
      '.\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b.h\n\u251c\u2500\u2500 b\\377d\n\u251c\u2500\u2500 d\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 empty\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 up -> ..\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 x.c\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d\n\u251c\u2500\u2500 n\\012l\n\u251c\u2500\u2500 pipe\n\u251c\u2500\u2500 q"x\n\u251c\u2500\u2500 sp ace\n\u2514\u2500\u2500 é\n\n6 directories, 11 files\n',
  },
  {
    name: "-a",
    command: "tree -a",
    tree: TREE,
    stdout:
      '.\n\u251c\u2500\u2500 .hid\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 y\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b.h\n\u251c\u2500\u2500 b\\377d\n\u251c\u2500\u2500 d\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 empty\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 up -> ..\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 x.c\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d\n\u251c\u2500\u2500 n\\012l\n\u251c\u2500\u2500 pipe\n\u251c\u2500\u2500 q"x\n\u251c\u2500\u2500 sp ace\n\u2514\u2500\u2500 é\n\n7 directories, 12 files\n',
  },
  {
    name: "-d",
    command: "tree -d",
    tree: TREE,
    stdout:
      ".\n\u251c\u2500\u2500 d\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 empty\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 up -> ..\n\u2514\u2500\u2500 ld -> d\n\n6 directories\n",
  },
  {
    name: "-L",
    command: "tree -L 1",
    tree: TREE,
    stdout:
      '.\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b.h\n\u251c\u2500\u2500 b\\377d\n\u251c\u2500\u2500 d\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d\n\u251c\u2500\u2500 n\\012l\n\u251c\u2500\u2500 pipe\n\u251c\u2500\u2500 q"x\n\u251c\u2500\u2500 sp ace\n\u2514\u2500\u2500 é\n\n3 directories, 9 files\n',
  },
  {
    name: "-l enters no directory twice",
    command: "tree -l",
    tree: TREE,
    stdout:
      '.\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b.h\n\u251c\u2500\u2500 b\\377d\n\u251c\u2500\u2500 d\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 empty\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 up -> ..  [recursive, not followed]\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 x.c\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d  [recursive, not followed]\n\u251c\u2500\u2500 n\\012l\n\u251c\u2500\u2500 pipe\n\u251c\u2500\u2500 q"x\n\u251c\u2500\u2500 sp ace\n\u2514\u2500\u2500 é\n\n6 directories, 11 files\n',
  },
  {
    name: "-f",
    command: "tree -f d",
    tree: TREE,
    stdout:
      "d\n\u251c\u2500\u2500 d/deep\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 d/deep/f\n\u251c\u2500\u2500 d/empty\n\u251c\u2500\u2500 d/up -> ..\n\u2514\u2500\u2500 d/x.c\n\n4 directories, 2 files\n",
  },
  {
    name: "-F",
    command: "tree -F",
    tree: TREE,
    stdout:
      './\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b.h\n\u251c\u2500\u2500 b\\377d\n\u251c\u2500\u2500 d/\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 deep/\n\u2502\u00a0\u00a0 \u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 empty/\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 up -> ../\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 x.c\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d/\n\u251c\u2500\u2500 n\\012l\n\u251c\u2500\u2500 pipe|\n\u251c\u2500\u2500 q"x\n\u251c\u2500\u2500 sp ace\n\u2514\u2500\u2500 é\n\n6 directories, 11 files\n',
  },
  {
    name: "-Q",
    command: "tree -Q -F d",
    tree: TREE,
    stdout:
      '"d"/\n\u251c\u2500\u2500 "deep"/\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 "f"\n\u251c\u2500\u2500 "empty"/\n\u251c\u2500\u2500 "up" -> ".."/\n\u2514\u2500\u2500 "x.c"\n\n4 directories, 2 files\n',
  },
  {
    name: "-N",
    command: "tree -N",
    tree: TREE,
    stdout:
      '.\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b.h\n\u251c\u2500\u2500 b\udcffd\n\u251c\u2500\u2500 d\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 empty\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 up -> ..\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 x.c\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d\n\u251c\u2500\u2500 n\nl\n\u251c\u2500\u2500 pipe\n\u251c\u2500\u2500 q"x\n\u251c\u2500\u2500 sp ace\n\u2514\u2500\u2500 é\n\n6 directories, 11 files\n',
  },
  {
    name: "-q",
    command: "tree -q",
    tree: TREE,
    stdout:
      '.\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b.h\n\u251c\u2500\u2500 b\udcffd\n\u251c\u2500\u2500 d\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 empty\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 up -> ..\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 x.c\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d\n\u251c\u2500\u2500 n?l\n\u251c\u2500\u2500 pipe\n\u251c\u2500\u2500 q"x\n\u251c\u2500\u2500 sp ace\n\u2514\u2500\u2500 é\n\n6 directories, 11 files\n',
  },
  { name: "-i", command: "tree -i d", tree: TREE, stdout: "d\ndeep\nf\nempty\nup -> ..\nx.c\n\n4 directories, 2 files\n" },
  {
    name: "-if",
    command: "tree -i -f d",
    tree: TREE,
    stdout: "d\nd/deep\nd/deep/f\nd/empty\nd/up -> ..\nd/x.c\n\n4 directories, 2 files\n",
  },
  {
    name: "JSON",
    command: "tree -J",
    tree: TREE,
    stdout:
      '[\n  {"type":"directory","name":".","contents":[\n    {"type":"file","name":"a.c"},\n    {"type":"file","name":"b.h"},\n    {"type":"file","name":"b\udcffd"},\n    {"type":"directory","name":"d","contents":[\n      {"type":"directory","name":"deep","contents":[\n        {"type":"file","name":"f"}\n      ]},\n      {"type":"directory","name":"empty"},\n      {"type":"link","name":"up","target":".."},\n      {"type":"file","name":"x.c"}\n    ]},\n    {"type":"link","name":"dead","target":"nowhere"},\n    {"type":"link","name":"ld","target":"d"},\n    {"type":"file","name":"n\\nl"},\n    {"type":"fifo","name":"pipe"},\n    {"type":"file","name":"q\\"x"},\n    {"type":"file","name":"sp ace"},\n    {"type":"file","name":"é"}\n  ]}\n,\n  {"type":"report","directories":6,"files":11}\n]\n',
  },
  {
    name: "XML",
    command: "tree -X",
    tree: TREE,
    stdout:
      '<?xml version="1.0" encoding="UTF-8"?>\n<tree>\n  <directory name=".">\n    <file name="a.c"></file>\n    <file name="b.h"></file>\n    <file name="b\udcffd"></file>\n    <directory name="d">\n      <directory name="deep">\n        <file name="f"></file>\n      </directory>\n      <directory name="empty"></directory>\n      <link name="up" target=".."></link>\n      <file name="x.c"></file>\n    </directory>\n    <link name="dead" target="nowhere"></link>\n    <link name="ld" target="d"></link>\n    <file name="n\nl"></file>\n    <fifo name="pipe"></fifo>\n    <file name="q&quot;x"></file>\n    <file name="sp ace"></file>\n    <file name="é"></file>\n  </directory>\n  <report>\n    <directories>6</directories>\n    <files>11</files>\n  </report>\n</tree>\n',
  },
  {
    name: "JSON without a report",
    command: "tree -J --noreport d/empty",
    tree: TREE,
    stdout: '[\n  {"type":"directory","name":"d/empty"}\n\n]\n',
  },
  {
    name: "XML of an empty directory",
    command: "tree -X --noreport d/empty",
    tree: TREE,
    stdout: '<?xml version="1.0" encoding="UTF-8"?>\n<tree>\n  <directory name="d/empty">\n  </directory>\n</tree>\n',
  },
  {
    name: "JSON with an error",
    command: "tree -J nodir d",
    tree: TREE,
    stdout:
      '[\n  {"name":"nodir","contents":[{"error":"error opening dir"}]},\n  {"type":"directory","name":"d","contents":[\n    {"type":"directory","name":"deep","contents":[\n      {"type":"file","name":"f"}\n    ]},\n    {"type":"directory","name":"empty"},\n    {"type":"link","name":"up","target":".."},\n    {"type":"file","name":"x.c"}\n  ]}\n,\n  {"type":"report","directories":4,"files":2}\n]\n',
    exit: 2,
    differs: "tree leaves out a brace, and gives every file behind the error a list",
  },
  {
    name: "XML with an error",
    command: "tree -X nodir",
    tree: TREE,
    stdout:
      '<?xml version="1.0" encoding="UTF-8"?>\n<tree>\n name="nodir"><error>error opening dir</error>\n  </unknown>\n  <report>\n    <directories>0</directories>\n    <files>0</files>\n  </report>\n</tree>\n',
    exit: 2,
  },
  {
    name: "JSON on one line",
    command: "tree -Ji d",
    tree: TREE,
    stdout:
      '[{"type":"directory","name":"d","contents":[{"type":"directory","name":"deep","contents":[{"type":"file","name":"f"}]},{"type":"directory","name":"empty"},{"type":"link","name":"up","target":".."},{"type":"file","name":"x.c"}]},{"type":"report","directories":4,"files":2}]\n',
  },
  {
    name: "XML without indentation",
    command: "tree -Xi d",
    tree: TREE,
    stdout:
      '<?xml version="1.0" encoding="UTF-8"?><tree><directory name="d">\n<directory name="deep">\n<file name="f"></file></directory><directory name="empty"></directory><link name="up" target=".."></link><file name="x.c"></file></directory><report><directories>4</directories><files>2</files></report></tree>\n',
  },
  {
    name: "-P",
    command: "tree -P '*.c'",
    tree: TREE,
    stdout:
      ".\n\u251c\u2500\u2500 a.c\n\u2514\u2500\u2500 d\n    \u251c\u2500\u2500 deep\n    \u251c\u2500\u2500 empty\n    \u2514\u2500\u2500 x.c\n\n4 directories, 2 files\n",
  },
  {
    name: "-P and --prune",
    command: "tree -P '*.c' --prune",
    tree: TREE,
    stdout: ".\n\u251c\u2500\u2500 a.c\n\u2514\u2500\u2500 d\n    \u2514\u2500\u2500 x.c\n\n2 directories, 2 files\n",
  },
  {
    name: "-P with alternatives",
    command: "tree -P '*.c|*.h' --noreport",
    tree: TREE,
    stdout:
      ".\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b.h\n\u2514\u2500\u2500 d\n    \u251c\u2500\u2500 deep\n    \u251c\u2500\u2500 empty\n    \u2514\u2500\u2500 x.c\n",
  },
  {
    name: "--matchdirs",
    command: "tree -P 'd|deep' --matchdirs --prune",
    tree: TREE,
    stdout: ".\n\u2514\u2500\u2500 d\n    \u251c\u2500\u2500 deep\n    \u2514\u2500\u2500 x.c\n\n3 directories, 1 file\n",
  },
  {
    name: "--ignore-case",
    command: "tree -P 'A.C' --ignore-case --prune",
    tree: TREE,
    stdout: ".\n\u2514\u2500\u2500 a.c\n\n1 directory, 1 file\n",
  },
  {
    name: "-I",
    command: "tree -I 'd|*.h|n*'",
    tree: TREE,
    stdout:
      '.\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b\\377d\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d\n\u251c\u2500\u2500 pipe\n\u251c\u2500\u2500 q"x\n\u251c\u2500\u2500 sp ace\n\u2514\u2500\u2500 é\n\n2 directories, 7 files\n',
  },
  {
    name: "-I for directories",
    command: "tree -I 'd/'",
    tree: TREE,
    stdout:
      '.\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b.h\n\u251c\u2500\u2500 b\\377d\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d\n\u251c\u2500\u2500 n\\012l\n\u251c\u2500\u2500 pipe\n\u251c\u2500\u2500 q"x\n\u251c\u2500\u2500 sp ace\n\u2514\u2500\u2500 é\n\n2 directories, 9 files\n',
  },
  {
    name: "-I of names with a space",
    command: "tree -I 'sp ace' -L 1",
    tree: TREE,
    stdout:
      '.\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b.h\n\u251c\u2500\u2500 b\\377d\n\u251c\u2500\u2500 d\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d\n\u251c\u2500\u2500 n\\012l\n\u251c\u2500\u2500 pipe\n\u251c\u2500\u2500 q"x\n\u2514\u2500\u2500 é\n\n3 directories, 8 files\n',
  },
  { name: "a pattern that is none matches all", command: "tree -I 'a.c|'", tree: TREE, stdout: ".\n\n0 directories, 0 files\n" },
  {
    name: "classes",
    command: "tree -P '[^ab]*' -L 1",
    tree: TREE,
    stdout:
      '.\n\u251c\u2500\u2500 d\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d\n\u251c\u2500\u2500 n\\012l\n\u251c\u2500\u2500 pipe\n\u251c\u2500\u2500 q"x\n\u251c\u2500\u2500 sp ace\n\u2514\u2500\u2500 é\n\n3 directories, 6 files\n',
  },
  {
    name: "a file in the place of a directory",
    command: "tree d/x.c",
    tree: TREE,
    stdout: "d/x.c  [error opening dir]\n\n0 directories, 1 file\n",
  },
  {
    name: "what does not exist",
    command: "tree nodir .",
    tree: TREE,
    stdout:
      'nodir  [error opening dir]\n.\n\u251c\u2500\u2500 a.c\n\u251c\u2500\u2500 b.h\n\u251c\u2500\u2500 b\\377d\n\u251c\u2500\u2500 d\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 empty\n\u2502\u00a0\u00a0 \u251c\u2500\u2500 up -> ..\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 x.c\n\u251c\u2500\u2500 dead -> nowhere\n\u251c\u2500\u2500 ld -> d\n\u251c\u2500\u2500 n\\012l\n\u251c\u2500\u2500 pipe\n\u251c\u2500\u2500 q"x\n\u251c\u2500\u2500 sp ace\n\u2514\u2500\u2500 é\n\n6 directories, 11 files\n',
    exit: 2,
  },
  {
    name: "a link to a directory",
    command: "tree ld",
    tree: TREE,
    stdout:
      "ld\n\u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u251c\u2500\u2500 empty\n\u251c\u2500\u2500 up -> ..\n\u2514\u2500\u2500 x.c\n\n4 directories, 2 files\n",
  },
  { name: "several", command: "tree d/deep d/empty", tree: TREE, stdout: "d/deep\n\u2514\u2500\u2500 f\nd/empty\n\n1 directory, 1 file\n" },
  {
    name: "a slash at the end",
    command: "tree d/",
    tree: TREE,
    stdout:
      "d/\n\u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u251c\u2500\u2500 empty\n\u251c\u2500\u2500 up -> ..\n\u2514\u2500\u2500 x.c\n\n4 directories, 2 files\n",
  },
  {
    name: "ASCII",
    command: "tree --charset=ascii d",
    tree: TREE,
    stdout: "d\n|-- deep\n|   `-- f\n|-- empty\n|-- up -> ..\n`-- x.c\n\n4 directories, 2 files\n",
  },
  {
    name: "--dirsfirst",
    command: "tree --dirsfirst d",
    tree: TREE,
    stdout:
      "d\n\u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u251c\u2500\u2500 empty\n\u251c\u2500\u2500 up -> ..\n\u2514\u2500\u2500 x.c\n\n4 directories, 2 files\n",
  },
  {
    name: "--filesfirst",
    command: "tree --filesfirst d",
    tree: TREE,
    stdout:
      "d\n\u251c\u2500\u2500 x.c\n\u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u251c\u2500\u2500 empty\n\u2514\u2500\u2500 up -> ..\n\n4 directories, 2 files\n",
  },
  {
    name: "-r",
    command: "tree -r d",
    tree: TREE,
    stdout:
      "d\n\u251c\u2500\u2500 x.c\n\u251c\u2500\u2500 up -> ..\n\u251c\u2500\u2500 empty\n\u2514\u2500\u2500 deep\n    \u2514\u2500\u2500 f\n\n4 directories, 2 files\n",
  },
  {
    name: "--filelimit",
    command: "tree --filelimit 2 d",
    tree: TREE,
    stdout: "d  [4 entries exceeds filelimit, not opening dir]\n\n1 directory, 0 files\n",
  },
  {
    name: "--filelimit below",
    command: "tree --filelimit 9 -L 2",
    tree: TREE,
    stdout: ".  [11 entries exceeds filelimit, not opening dir]\n\n1 directory, 0 files\n",
  },
  {
    name: "--noreport",
    command: "tree --noreport d",
    tree: TREE,
    stdout:
      "d\n\u251c\u2500\u2500 deep\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 f\n\u251c\u2500\u2500 empty\n\u251c\u2500\u2500 up -> ..\n\u2514\u2500\u2500 x.c\n",
  },
  {
    name: "--si and -h round as printf(3) rounds 32 bits",
    command: "tree --si --noreport | tail -n 3; tree -h --noreport | tail -n 3",
    files: { a: "x".repeat(1_050_123), b: "x".repeat(10_206), c: "x".repeat(1_280) },
    stdout: "├── [1.0M]  a\n├── [ 10k]  b\n└── [1.3k]  c\n├── [1.0M]  a\n├── [10.0K]  b\n└── [1.2K]  c\n",
  },
  {
    name: "-s and -h",
    isOnDisk: true,
    command: "tree -s -P '*.c' --prune; tree -h a.c d/x.c -L 1 -P '*.c' -d",
    tree: TREE,
    stdout:
      "[       4096]  .\n\u251c\u2500\u2500 [          5]  a.c\n\u2514\u2500\u2500 [       4096]  d\n    \u2514\u2500\u2500 [          1]  x.c\n\n2 directories, 2 files\n[   5]  a.c  [error opening dir]\n[   1]  d/x.c  [error opening dir]\n\n0 directories\n",
  },
  {
    name: "-p",
    command: "tree -p -P '*.[ch]' --prune",
    tree: TREE,
    modes: { "a.c": 416, "b.h": 2541, d: 1023, "d/x.c": 1440 },
    stdout:
      "[drwx------]  .\n\u251c\u2500\u2500 [-rw-r-----]  a.c\n\u251c\u2500\u2500 [-rwsr-xr-x]  b.h\n\u2514\u2500\u2500 [drwxrwxrwt]  d\n    \u2514\u2500\u2500 [-rw-r-S---]  x.c\n\n2 directories, 3 files\n",
  },
  {
    name: "times",
    command: "tree -D -P '[ab].?' --prune --noreport -i -f d/.. | tail -2; tree --timefmt '%F %T' -P 'a.c|b.h' -L 1 -I 'd|ld' | tail -4",
    tree: TREE,
    mtimes: { "a.c": "2021-03-04T05:06:07Z", "b.h": "2020-01-01T00:00:00Z" },
    stdout:
      "[Mar  4  2021]  d/../a.c\n[Jan  1  2020]  d/../b.h\n\u251c\u2500\u2500 [2021-03-04 05:06:07]  a.c\n\u2514\u2500\u2500 [2020-01-01 00:00:00]  b.h\n\n1 directory, 2 files\n",
  },
  {
    name: "orders of time and size",
    command: "tree -t -P '[ab].?' -I 'd|ld' ; tree --sort=size -P '[ab].?' -I 'd|ld'; tree -v -r -P '[ab].?' -I 'd|ld' --noreport",
    tree: TREE,
    mtimes: { "a.c": "2021-03-04T05:06:07Z", "b.h": "2020-01-01T00:00:00Z" },
    stdout:
      ".\n\u251c\u2500\u2500 b.h\n\u2514\u2500\u2500 a.c\n\n1 directory, 2 files\n.\n\u251c\u2500\u2500 a.c\n\u2514\u2500\u2500 b.h\n\n1 directory, 2 files\n.\n\u251c\u2500\u2500 b.h\n\u2514\u2500\u2500 a.c\n",
  },
  {
    name: "versions",
    command: "tree -v --noreport",
    tree: ["v10:", "v9:", "v2.1:", "v01:", "v1:", "v001:"],
    stdout:
      ".\n\u251c\u2500\u2500 v001\n\u251c\u2500\u2500 v01\n\u251c\u2500\u2500 v1\n\u251c\u2500\u2500 v2.1\n\u251c\u2500\u2500 v9\n\u2514\u2500\u2500 v10\n",
  },
  {
    name: "--gitignore",
    command: "tree --gitignore; tree --gitignore s",
    tree: GIT,
    stdout:
      ".\n\u251c\u2500\u2500 k\n\u251c\u2500\u2500 s\n\u2502\u00a0\u00a0 \u2514\u2500\u2500 u\n\u2514\u2500\u2500 x1\n\n3 directories, 2 files\ns\n\u251c\u2500\u2500 a.o\n\u251c\u2500\u2500 k\n\u2514\u2500\u2500 u\n\n2 directories, 2 files\n",
  },
  {
    name: "--gitfile",
    command: "tree --gitfile rules",
    tree: ["rules: a\n", "a:", "b:"],
    stdout: ".\n\u251c\u2500\u2500 b\n\u2514\u2500\u2500 rules\n\n1 directory, 2 files\n",
  },
  { name: "an empty directory", command: "tree", stdout: ".\n\n0 directories, 0 files\n" },
  {
    name: "sizes of whole directories",
    isOnDisk: true,
    command: "tree --du -P '*.c' -I 'ld|empty' -h | tail -1",
    tree: TREE,
    stdout: "  12K used in 3 directories, 2 files\n",
  },
  {
    name: "a link that leaves the root leads nowhere",
    command: "tree -l --noreport",
    tree: ["out => /etc"],
    stdout: ".\n└── out -> /etc\n",
    differs: "nothing outside the root is looked at",
  },
  {
    name: "the record directory is passed over",
    command: "tree -a --noreport",
    tree: [".shelpa/x:", "a:"],
    stdout: ".\n└── a\n",
    differs: "an audit never doubles what is found",
  },
  { name: "-o", command: "tree -o f", refused: "DISALLOWED_FLAG" },
  { name: "-H", command: "tree -H .", refused: "DISALLOWED_FLAG" },
  { name: "-C", command: "tree -C", refused: "DISALLOWED_FLAG" },
]);

messages(tree, [
  [["-L", "0x"], "tree: Invalid level, must be greater than 0.\n"],
  [["-L", "0"], "tree: Invalid level, must be greater than 0.\n"],
  [["-L", "x"], "tree: Invalid level, must be greater than 0.\n"],
  [["-L1"], "tree: Missing argument to -L option.\n"],
]);

describe("what random lines have found", () => {
  lineCases([
    {
      name: "--filelimit below the top is an error",
      command: "tree --filelimit 1 .",
      files: { "d/a": "", "d/b": "" },
      stdout: ".\n└── d  [2 entries exceeds filelimit, not opening dir]\n\n2 directories, 0 files\n",
      exit: 2,
    },
    { name: "--gitfile that cannot be read", command: "tree --gitfile nope", stderr: "tree: Could not load gitignore file\n", exit: 1 },
    {
      name: "--du counts a file that was named, and an empty directory",
      command: "tree --du -h f",
      files: { f: "abcd" },
      stdout: "[   4]  f  [error opening dir]\n\n    4 used in 0 directories, 1 file\n",
    },
    {
      name: "-F: a link that was named",
      command: "tree -F l",
      tree: ["l => nope"],
      stdout: "l@  [error opening dir]\n\n0 directories, 1 file\n",
    },
    {
      name: "-f: slashes at the end of a file",
      command: "tree -f f//",
      files: { f: "" },
      stdout: "f  [error opening dir]\n\n0 directories, 1 file\n",
    },
  ]);
});

cases(tree, [{ name: "-L in C's notation", command: "tree -L 0x1", files: { "a/b": "" }, stdout: ".\n└── a\n\n2 directories, 0 files\n" }]);
