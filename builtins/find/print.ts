/** The actions that print, and the refused ones that would write a file. */
import type { GivenPrimary, PrimaryReader } from "./command-line.ts";
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

/** An action that writes what another prints to a file: refused, with the other and `tee`. */
const toFile = (instead: string, takesFormat: boolean): PrimaryReader => ({
  role: "action",
  read(given: GivenPrimary) {
    const path = given.take();
    const format = takesFormat ? [given.take()] : [];
    const file = /^[A-Za-z0-9_@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
    throw given.refused("find writes no file here: tee does, and records it", format.length + 1, [instead, ...format], ` | tee ${file}`);
  },
});

export const printPrimaries: Readonly<Record<string, PrimaryReader>> = {
  "-print": { role: "action", read: () => print.compile },
  "-print0": { role: "action", read: () => (run) => printing(run, "\0") },
  "-printf": {
    role: "action",
    read(given) {
      const { parts, warnings } = readFormat(given, given.take());
      given.settings.warnings.push(...warnings);
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
  "-fprint": toFile("-print", false),
  "-fprint0": toFile("-print0", false),
  "-fprintf": toFile("-printf", true),
  "-fls": toFile("-ls", false),
};
