/** Tests of a file's owner, group and permission bits. */
import { quoteCurly } from "../../src/display/quote.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import type { GivenPrimary, PrimaryReader } from "./primary.ts";
import { FindFailure } from "./expression.ts";
import { statusTest } from "./file-tests.ts";
import type { FindRun } from "./find-run.ts";
import { readModeTest } from "./mode.ts";
import { holds, readComparison } from "./numbers.ts";

const idTest = (actual: (status: FileStatus) => number): PrimaryReader => ({
  role: "test",
  read(given) {
    const text = given.take();
    const wanted = readComparison(text);
    if (wanted === undefined) throw given.invalid(text);
    return (run) => statusTest(run, (status) => holds(wanted, BigInt(actual(status))));
  },
});

const GROUP = "an existing group";

/** The id behind a name, or the number that `text` is. */
function idOf(text: string, named: number | undefined, unknown: string): number {
  if (named !== undefined) return named;
  const digits = /^[0-9]*/.exec(text)?.[0] ?? "";
  if (digits !== "" && digits === text) {
    if (Number(text) > 0x7fffffff) throw new FindFailure(`${text}: Numerical result out of range`);
    return Number(text);
  }
  if (digits !== "" && unknown === GROUP) {
    const suffix = quoteCurly(text.slice(digits.length));
    const reason = `it does not look like a numeric group ID because it has the unexpected suffix ${suffix}`;
    throw new FindFailure(`${quoteCurly(text)} is not the name of ${unknown} and ${reason}`);
  }
  throw new FindFailure(`${quoteCurly(text)} is not the name of ${unknown}`);
}

const namedTest = (
  empty: string,
  unknown: string,
  numberOf: (run: FindRun, name: string) => number | undefined,
  actual: (status: FileStatus) => number,
): PrimaryReader => ({
  role: "test",
  read(given) {
    const text = given.take();
    if (text === "") throw given.bad(empty);
    return (run) => {
      const id = idOf(text, numberOf(run, text), unknown);
      return statusTest(run, (status) => actual(status) === id);
    };
  },
});

const userName =
  ({ invocation: { files } }: FindRun) =>
  (id: number): string | undefined =>
    files.userName(id);
const groupName =
  ({ invocation: { files } }: FindRun) =>
  (id: number): string | undefined =>
    files.groupName(id);
const userNumber = ({ invocation: { files } }: FindRun, name: string): number | undefined => files.userNumber(name);
const groupNumber = ({ invocation: { files } }: FindRun, name: string): number | undefined => files.groupNumber(name);
const userId = (status: FileStatus): number => status.userId;
const groupId = (status: FileStatus): number => status.groupId;

const unnamedTest = (nameOf: typeof userName, actual: (status: FileStatus) => number): PrimaryReader => ({
  role: "test",
  read: () => (run) => statusTest(run, (status) => nameOf(run)(actual(status)) === undefined),
});

function readMode(given: GivenPrimary): ReturnType<PrimaryReader["read"]> {
  const text = given.take();
  const wanted = readModeTest(text);
  if (wanted === undefined) throw given.bad(`invalid mode ${quoteCurly(text)}`);
  if (text.startsWith("/") && wanted.match === "all") {
    given.alwaysWarn(
      `you have specified a mode pattern ${text} (which is equivalent to /000). The meaning of -perm /000 has now been changed to be consistent with -perm -000; that is, while it used to match no files, it now matches all files.`,
    );
  }
  return (run) =>
    statusTest(run, ({ kind, permissions }) => {
      const bits = kind === "directory" ? wanted.directoryBits : wanted.bits;
      switch (wanted.match) {
        case "exactly":
          return permissions === bits;
        case "all":
          return (permissions & bits) === bits;
        case "any":
          return bits === 0 || (permissions & bits) !== 0;
      }
    });
}

export const ownerPrimaries: Readonly<Record<string, PrimaryReader>> = {
  "-perm": { role: "test", read: readMode },
  "-uid": idTest(userId),
  "-gid": idTest(groupId),
  "-user": namedTest("The argument to -user should not be empty", "a known user", userNumber, userId),
  "-group": namedTest("argument to -group is empty, but should be a group name", GROUP, groupNumber, groupId),
  "-nouser": unnamedTest(userName, userId),
  "-nogroup": unnamedTest(groupName, groupId),
  "-context": {
    role: "test",
    read(given) {
      given.take();
      throw given.bad("invalid predicate -context: SELinux is not enabled.");
    },
  },
  "-fstype": {
    role: "test",
    read(given) {
      given.take();
      throw given.refused("the types of mounted file systems are not shown here; -xdev keeps to one of them", 1, ["-xdev"]);
    },
  },
};
