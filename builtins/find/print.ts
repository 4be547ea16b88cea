/** The actions that print, and the refused ones that would write a file. */
import { quoteWord } from "../../src/display/quote.ts";
import type { GivenPrimary, PrimaryReader } from "./primary.ts";
import { test, type Compiled, type Primary } from "./expression.ts";
import type { FindRun } from "./find-run.ts";
import { compileFormat, readFormat } from "./format.ts";
import { LongListing } from "./long-listing.ts";

export const print: Primary = { name: "-print", replacesPrint: true, compile: (run) => printing(run, "\n") };

function printing(run: FindRun, end: string): Compiled {
  return test((file) => {
    run.print(file.path + end);
    return true;
  });
}

/** `expression`, and -print for what passes. */
export function implied(expression: Compiled, run: FindRun): Compiled {
  if (expression.kind === "test") {
    const { test: passes } = expression;
    return test((file) => {
      if (!passes(file)) return false;
      run.print(`${file.path}\n`);
      return true;
    });
  }
  return {
    kind: "stage",
    async *run(file) {
      if (!(yield* expression.run(file))) return false;
      run.print(`${file.path}\n`);
      return true;
    },
  };
}

/** An action that writes what `instead` prints to a file: only where that is standard output or nowhere. */
const toFile = (instead: "-print" | "-print0" | "-printf" | "-ls"): PrimaryReader => ({
  role: "action",
  read(given: GivenPrimary) {
    const path = given.take();
    if (path === "/dev/stdout") return printPrimaries[instead]?.read(given);
    const format = instead === "-printf" ? [given.take()] : [];
    if (path === "/dev/null") return () => test(() => true);
    throw given.refused(
      "find writes no file here: tee does, and records it",
      format.length + 1,
      [instead, ...format],
      ` | tee ${quoteWord(path)} >/dev/null`,
    );
  },
});

export const printPrimaries: Readonly<Record<string, PrimaryReader>> = {
  "-print": { role: "action", read: () => print.compile },
  "-print0": { role: "action", read: () => (run) => printing(run, "\0") },
  "-printf": {
    role: "action",
    read(given) {
      const parts = readFormat(given, given.take());
      return (run) => compileFormat(parts, run);
    },
  },
  "-ls": {
    role: "action",
    read: () => (run) => {
      const listing = new LongListing(run);
      return test((file) => {
        try {
          run.print(listing.line(file));
        } catch (thrown) {
          run.fileFailed(file.path, thrown);
        }
        return true;
      });
    },
  },
  "-fprint": toFile("-print"),
  "-fprint0": toFile("-print0"),
  "-fprintf": toFile("-printf"),
  "-fls": toFile("-ls"),
};
