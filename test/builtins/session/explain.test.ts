import { explain } from "../../../builtins/session/explain.ts";
import { cases } from "../../cases.ts";

const none = "there is no such tool";

cases(explain, [
  { name: "exit 1 where the line may not run", command: "explain 'chmod +x a' > /dev/null", exit: 1, differs: none },
  { name: "exit 0 where it may", command: "explain 'cat a' | sed -n 1p", stdout: "allowed       yes\n", differs: none },
  {
    name: "what a stage reads and writes",
    command: "explain 'cat *.txt | tee -a b.txt new' | grep ^stage",
    files: { "a.txt": "", "b.txt": "" },
    stdout: "stage         cat *.txt: reads a.txt b.txt\nstage         tee -a b.txt new: creates new; appends to b.txt\n",
    after: { new: null },
    differs: none,
  },
  {
    name: "words are the line, quoted as they were meant",
    command: "explain --json cat 'a b' | jq -c '.stages[0].reads'",
    stdout: '["a b"]\n',
    differs: none,
  },
  {
    name: "flags of the line are its own",
    command: "explain ls --json 2>&1 | head -1 | cut -c 1-38",
    stdout: "allowed       no: UNKNOWN_FLAG: ls: un\n",
    differs: none,
  },
  {
    name: "a name that comes with data may be a protected one",
    command: "explain 'cat a | xargs rm' | grep human; explain 'rm b' | grep human",
    files: { a: "b\n", b: "" },
    stdout: "needs a human no, unless a name that it comes upon is protected\nneeds a human no\n",
    differs: none,
  },
  { name: "without a line", command: "explain", refused: "USAGE" },
]);
