/** The arguments of unzip and zipinfo as what is to be done. */
import type { StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteWord } from "../../src/display/quote.ts";
import type { FLAGS } from "./flags.ts";

export type Action = "short" | "long" | "names" | "print" | "test";

export interface Settings {
  readonly action: Action;
  readonly archive: string;
  readonly members: readonly string[];
  readonly excluded: readonly string[];
  readonly ignoreCase: boolean;
  readonly quiet: number;
  /** The archive and its comment are not named. */
  readonly isQuiet: boolean;
}

/** Throws UsageError. */
export function settingsOf(invocation: StaticInvocation<typeof FLAGS>): Settings {
  const { list, verbose, print, test, names, zipinfo, quiet, ignoreCase, exclude, ...unread } = invocation.flags;
  allFlagsRead(unread);
  const [archive, ...members] = invocation.operands;
  if (archive === undefined) throw new UsageError("missing-operand", "missing operand", { pointsToHelp: true, exit: 10 });
  if (archive === "-") throw new UsageError("bad-value", "an archive is a file: its end is read first", { subject: "-", exit: 10 });
  if (/[*?[]/.test(archive)) throw new UsageError("refused-flag", `${archive}: one archive is read at a time`, { subject: archive });
  const file = quoteWord(archive);
  const isZipinfo = invocation.name === "zipinfo" || zipinfo;
  if (isZipinfo && (!names || list || verbose || print || test))
    throw new UsageError("refused-flag", "zipinfo lists names alone here, with -1", {
      subject: "-Z",
      suggestion: `unzip -v ${file}`,
      lost: "another form",
    });
  if (names && !isZipinfo) throw new UsageError("unknown-flag", "invalid option -- '1'", { subject: "-1", suggestion: "-Z1", exit: 10 });
  if ((print && test) || (test && (list || verbose)))
    throw new UsageError("refused-flag", "-t, -p and listings are done one at a time", { subject: "-t", suggestion: `unzip -t ${file}` });
  if (!isZipinfo && !list && !verbose && !print && !test) {
    const suggestion = members.length === 0 ? `unzip -l ${file}` : `unzip -p ${[archive, ...members].map(quoteWord).join(" ")}`;
    throw new UsageError("refused-flag", "files are not extracted here: -p prints a member, and tee writes it where it is to be", {
      subject: archive,
      suggestion,
      lost: "nothing is extracted",
    });
  }
  const depth = quiet ? quietness(invocation) : 0;
  const action = isZipinfo ? "names" : print ? "print" : test ? "test" : verbose ? "long" : "short";
  return {
    action,
    archive,
    members,
    excluded: exclude,
    ignoreCase,
    quiet: depth,
    isQuiet: depth > 0 || action === "print" || action === "names",
  };
}

const quietness = ({ occurrences }: StaticInvocation<typeof FLAGS>): number => occurrences.filter(({ key }) => key === "quiet").length;
