/** diffstat through the guard and the engine. */
import { diffstat } from "../../../builtins/diffstat/diffstat.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

const TWO = [
  "diff --git a/src/one.ts b/src/one.ts",
  "index 1..2 100644",
  "--- a/src/one.ts",
  "+++ b/src/one.ts",
  "@@ -1,3 +1,3 @@",
  " a",
  "-b",
  "+c",
  " d",
  "diff --git a/src/two.ts b/src/two.ts",
  "new file mode 100644",
  "--- /dev/null",
  "+++ b/src/two.ts",
  "@@ -0,0 +1,2 @@",
  "+x",
  "+--- y",
  "",
].join("\n");

cases(diffstat, [
  {
    name: "names lose what they have in common",
    command: "diffstat",
    stdin: TWO,
    stdout: " one.ts |    2 +-\n two.ts |    2 ++\n 2 files changed, 3 insertions(+), 1 deletion(-)\n",
  },
  {
    name: "-p1",
    command: "diffstat -p1",
    stdin: TWO,
    stdout: " src/one.ts |    2 +-\n src/two.ts |    2 ++\n 2 files changed, 3 insertions(+), 1 deletion(-)\n",
  },
  { name: "-l", command: "diffstat -l", stdin: TWO, stdout: "one.ts\ntwo.ts\n" },
  { name: "-s", command: "diffstat -s", stdin: TWO, stdout: " 2 files changed, 3 insertions(+), 1 deletion(-)\n" },
  {
    name: "-m",
    command: "diffstat -m",
    stdin: TWO,
    stdout: " one.ts |    1 !\n two.ts |    2 ++\n 2 files changed, 2 insertions(+), 1 modification(!)\n",
  },
  {
    name: "-f0",
    command: "diffstat -f0",
    stdin: TWO,
    stdout: " one.ts |    2 \t1 +\t1 -\t0 !\n two.ts |    2 \t2 +\t0 -\t0 !\n 2 files changed, 3 insertions(+), 1 deletion(-)\n",
  },
  { name: "-t", command: "diffstat -t", stdin: TWO, stdout: 'INSERTED,DELETED,MODIFIED,FILENAME\n1,1,0,"one.ts"\n2,0,0,"two.ts"\n' },
  { name: "nothing", command: "diffstat", stdin: "", stdout: " 0 files changed\n" },
  { name: "a missing file", command: "diffstat nope", stderr: "nope: No such file or directory\n", exit: 1 },
  {
    name: "the output of diff",
    command: "diff -u a b | diffstat",
    files: { a: "1\n", b: "2\n" },
    stdout: " b |    2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n",
  },
  { name: "-o", command: "diffstat -o out", refused: "DISALLOWED_FLAG" },
]);

messages(diffstat, [[["-f", "x"], "expected a number, have 'x'\n"]]);
