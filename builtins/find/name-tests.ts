/** Tests of a file's name, its path, and the text of a link. */
import { compileFnmatch } from "../../src/glob/fnmatch.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { compilePosix } from "../../src/regex/posix-matcher.ts";
import { toBytes } from "../../src/io/text.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import type { GivenPrimary, PrimaryReader } from "./primary.ts";
import { test } from "./expression.ts";
import { plainRegex } from "./regex-type.ts";

const globTest = (
  caseFold: boolean,
  subject: (file: TreeFile) => string,
  look: (given: GivenPrimary, pattern: string) => void,
): PrimaryReader => ({
  role: "test",
  read(given) {
    const pattern = given.take();
    look(given, pattern);
    const glob = compileFnmatch(pattern, { caseFold });
    return () => test((file) => glob.matches(subject(file)));
  },
});

const nameTest = (caseFold: boolean): PrimaryReader =>
  globTest(
    caseFold,
    (file) => file.name,
    (given, pattern) => {
      if (!pattern.includes("/") || pattern === "/") return;
      const instead = caseFold ? "-iwholename" : "-wholename";
      given.warn(
        `\u2018${given.name}\u2019 matches against basenames only, but the given pattern contains a directory separator (\u2018/\u2019), thus the expression will evaluate to false all the time.  Did you mean \u2018${instead}\u2019?`,
      );
    },
  );

const pathTest = (caseFold: boolean): PrimaryReader =>
  globTest(
    caseFold,
    (file) => file.path,
    (given, pattern) => {
      if (!pattern.endsWith("/")) return;
      const glob = compileFnmatch(pattern, { caseFold });
      if (!given.settings.startPoints.some((start) => glob.matches(start)))
        given.alwaysWarn(`${given.name} ${pattern} will not match anything because it ends with /.`);
    },
  );

const linkTest = (caseFold: boolean): PrimaryReader => ({
  role: "test",
  read(given) {
    const glob = compileFnmatch(given.take(), { caseFold });
    return (run) =>
      test((file) => {
        if (file.kind !== "symlink") return false;
        try {
          return glob.matches(file.readLink());
        } catch (thrown) {
          run.fileFailed(file.path, thrown);
          return false;
        }
      });
  },
});

const regexTest = (foldCase: boolean): PrimaryReader => ({
  role: "test",
  read(given) {
    const pattern = given.take();
    try {
      const { syntax, source, emptyRanges = false } = plainRegex(pattern, given.settings.regexType);
      // A name has no NUL, so as a line end that makes every other character an ordinary one.
      const matcher = compilePosix([source], { syntax, foldCase, extent: "line", lineEnd: 0, emptyRanges });
      return () =>
        test((file) => {
          const bytes = toBytes(file.path);
          return matcher.test(bytes, 0, bytes.length);
        });
    } catch (thrown) {
      if (!(thrown instanceof PatternError)) throw thrown;
      throw given.bad(`failed to compile regular expression '${pattern}': ${thrown.message}`);
    }
  },
});

export const namePrimaries: Readonly<Record<string, PrimaryReader>> = {
  "-name": nameTest(false),
  "-iname": nameTest(true),
  "-path": pathTest(false),
  "-wholename": pathTest(false),
  "-ipath": pathTest(true),
  "-iwholename": pathTest(true),
  "-lname": linkTest(false),
  "-ilname": linkTest(true),
  "-regex": regexTest(false),
  "-iregex": regexTest(true),
};
