/** date: points in time as text. The clock is only read. */
import {
  defineBuiltin,
  type FlagTable,
  type FlagValues,
  type Invocation,
  type Occurrence,
  type StaticInvocation,
} from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { wordReader } from "../../src/builtin/word-choice.ts";
import { formatTime, isInRange, localTimes } from "../../src/dates/date-format.ts";
import { readDate } from "../../src/dates/date-parse.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteCurly, quoteName, quoteWord } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";

const NEVER_SET = "the clock cannot be set here, only read";

const FLAGS = {
  date: {
    kind: "value",
    short: "d",
    arg: "STRING",
    read: (text: string) => text,
    otherwise: undefined,
    help: "print the time that STRING describes: 2020-01-31 10:00, 3 days ago, next monday, @0",
  },
  debug: {
    kind: "refused",
    help: "say on standard error how STRING was read",
    reason: "the steps of reading are not told here",
    suggestion: (rest) => ["date", ...rest].join(" "),
  },
  file: { kind: "path", short: "f", arg: "DATEFILE", access: "read", help: "as -d, for each line of DATEFILE" },
  iso8601: {
    kind: "value",
    short: "I",
    long: "iso-8601",
    arg: "FMT",
    read: wordReader("--iso-8601", { hours: ["hours"], minutes: ["minutes"], date: ["date"], seconds: ["seconds"], ns: ["ns"] }),
    ifBare: "date",
    otherwise: undefined,
    help: "ISO 8601 to the precision FMT: date (default), hours, minutes, seconds or ns",
  },
  reference: { kind: "path", short: "r", arg: "FILE", access: "status", help: "print when FILE was changed last" },
  resolution: { kind: "switch", help: "print the resolution of the clock" },
  rfcEmail: {
    kind: "switch",
    short: "R",
    long: ["rfc-email", "rfc-822", "rfc-2822"],
    help: "RFC 5322, as in mail: Mon, 14 Aug 2006 02:34:56 -0600",
  },
  rfc3339: {
    kind: "value",
    long: "rfc-3339",
    arg: "FMT",
    read: wordReader("--rfc-3339", { date: ["date"], seconds: ["seconds"], ns: ["ns"] }),
    otherwise: undefined,
    help: "RFC 3339 to the precision FMT: date, seconds or ns",
  },
  set: {
    kind: "refused",
    short: "s",
    arg: "STRING",
    help: "set the clock",
    reason: NEVER_SET,
    lost: "the clock is not set",
    suggestion: (_rest, value) => `date -d ${quoteWord(value ?? "now")}`,
  },
  utc: { kind: "switch", short: "u", long: ["uct", "utc", "universal"], help: "in UTC" },
} as const satisfies FlagTable;

export const date = defineBuiltin({
  name: "date",
  summary: "Print the date and time, now or another.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/date.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values" },
  flags: FLAGS,
  examples: [
    { command: "date -u -d @0", stdout: "Thu Jan  1 00:00:00 UTC 1970\n" },
    { command: "date -u -d '2020-02-28 +2 days' +%F", stdout: "2020-03-01\n" },
    { command: "date -u -d '2020-01-01 12:00 EST' +%s", stdout: "1577898000\n" },
    { command: "date -u -d @1577898000 -Iseconds", stdout: "2020-01-01T17:00:00+00:00\n" },
  ],
  deviations: [
    { from: "GNU date", what: "-s and an operand without a + are refused", why: NEVER_SET },
    { from: "GNU date", what: "--debug is refused", why: "the steps of reading a date are not told here" },
    {
      from: "GNU date",
      what: "a zone that has a name for summer and no rules (TZ=ABC5DEF) has those of the United States of today in all years",
      why: "glibc takes those of past years from a file of the host (posixrules), which newer hosts do not have",
    },
    { from: "GNU date", what: "the time is that of the whole line, to the millisecond", why: "all stages of a line see one instant" },
  ],
  check(invocation) {
    requireOneFormat(invocation.occurrences);
    requestOf(invocation);
  },
  async *run(invocation) {
    const { nowMs } = invocation;
    const { format, utc, text, file, reference, resolution } = requestOf(invocation);
    const localTime = localTimes(utc ? "UTC" : invocation.timeZone);
    const nowNs = BigInt(Math.round(nowMs * 1000)) * 1000n;
    const output = new BlockBuilder();
    let exit = 0;
    const print = (nanoseconds: bigint): void => {
      const time = localTime(nanoseconds);
      if (!isInRange(time)) {
        invocation.warn(`time ${quoteCurly(`${time.seconds}`)} is out of range`);
        exit = 1;
        return;
      }
      output.add(toBytes(formatTime(time, format)));
      output.addByte(0x0a);
    };
    if (resolution) {
      // As a point in time, which a format may show otherwise.
      print(1n);
    } else if (reference !== undefined) {
      try {
        print(invocation.files.status(reference).modifiedNs);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        invocation.warn(`${quoteName(reference)}: ${thrown.message}`);
        exit = 1;
      }
    } else if (file !== undefined) {
      for await (const line of linesOfFile(invocation, file)) {
        if (line === undefined) return 1;
        const read = readDate(line, { nowNs, localTime });
        if (read !== undefined) {
          print(read);
          if (output.full) yield output.take();
          continue;
        }
        if (!output.empty) yield output.take();
        invocation.warn(`invalid date ${quoteCurly(line)}`);
        exit = 1;
      }
    } else {
      const read = text === undefined ? nowNs : readDate(text, { nowNs, localTime });
      if (read === undefined) {
        invocation.warn(`invalid date ${quoteCurly(text ?? "")}`);
        return 1;
      }
      print(read);
    }
    if (!output.empty) yield output.take();
    return exit;
  },
});

/** The lines of -f; undefined where it cannot be read. */
async function* linesOfFile(invocation: Invocation<typeof FLAGS>, file: string): AsyncGenerator<string | undefined, void> {
  try {
    for await (const block of lineBlocks(openInput(invocation, file), invocation.limits.lineBytes)) {
      for (const line of linesOf(block)) yield toText(line);
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    // GNU date takes what cannot be read for an end.
    if (thrown.code === "EISDIR") return;
    invocation.warn(`${quoteName(file)}: ${thrown.message}`);
    yield undefined;
  }
}

/** Throws UsageError. */
function requireOneFormat(occurrences: readonly Occurrence<typeof FLAGS>[]): void {
  const formats = occurrences.filter(({ key }) => key === "iso8601" || key === "rfc3339" || key === "rfcEmail");
  if (formats.length > 1) throw new UsageError("bad-value", "multiple output formats specified");
}

/** The moments to print, in at most one of four ways (none: now), and how. */
interface Request {
  readonly format: string;
  readonly utc: boolean;
  readonly text: string | undefined;
  readonly file: string | undefined;
  readonly reference: string | undefined;
  readonly resolution: boolean;
}

/** Throws UsageError, in the order in which GNU date looks. */
function requestOf({ flags, operands }: StaticInvocation<typeof FLAGS>): Request {
  const { date: text, file, reference, resolution, utc, iso8601, rfcEmail, rfc3339, ...others } = flags;
  allFlagsRead(others);
  const sources = [text, file, reference, resolution || undefined].filter((source) => source !== undefined);
  if (sources.length > 1) throw usage("the options to specify dates for printing are mutually exclusive");
  const [operand, extra] = operands;
  if (extra !== undefined)
    throw new UsageError("extra-operand", `extra operand ${quoteCurly(extra)}`, { subject: extra, pointsToHelp: true });
  let format = chosenFormat({ iso8601, rfcEmail, rfc3339 });
  if (operand?.startsWith("+") === true) {
    if (format !== undefined) throw new UsageError("bad-value", "multiple output formats specified");
    format = operand.slice(1);
  } else if (operand !== undefined) {
    if (sources.length > 0) {
      throw usage(
        `the argument ${quoteCurly(operand)} lacks a leading '+';\nwhen using an option to specify date(s), any non-option\nargument must be a format string beginning with '+'`,
      );
    }
    throw new UsageError("refused-flag", `${operand}: ${NEVER_SET}`, {
      subject: operand,
      lost: "the clock is not set",
      suggestion: `date ${operand.startsWith("%") ? quoteWord(`+${operand}`) : "+%FT%T"}`,
    });
  }
  format ??= resolution ? "%s.%N" : "%a %b %e %H:%M:%S %Z %Y";
  return { format, utc, text, file, reference, resolution };
}

type FormatFlags = Pick<FlagValues<typeof FLAGS>, "iso8601" | "rfcEmail" | "rfc3339">;

function chosenFormat({ iso8601, rfcEmail, rfc3339 }: FormatFlags): string | undefined {
  if (rfcEmail) return "%a, %d %b %Y %H:%M:%S %z";
  if (iso8601 !== undefined) return ISO_FORMATS[iso8601];
  return rfc3339 === undefined ? undefined : RFC_3339_FORMATS[rfc3339];
}

const ISO_FORMATS = {
  date: "%Y-%m-%d",
  hours: "%Y-%m-%dT%H%:z",
  minutes: "%Y-%m-%dT%H:%M%:z",
  seconds: "%Y-%m-%dT%H:%M:%S%:z",
  ns: "%Y-%m-%dT%H:%M:%S,%N%:z",
} as const;
const RFC_3339_FORMATS = { date: "%Y-%m-%d", seconds: "%Y-%m-%d %H:%M:%S%:z", ns: "%Y-%m-%d %H:%M:%S.%N%:z" } as const;

const usage = (message: string): UsageError => new UsageError("bad-value", message, { pointsToHelp: true });
