/** Tests of a file's times: ages in days and minutes, and newer than another file or a date. */
import { readDate } from "../../src/dates/date-parse.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import type { GivenPrimary, PrimaryReader } from "./primary.ts";
import { FindFailure } from "./expression.ts";
import { referenceStatus, statusTest } from "./file-tests.ts";
import type { FindRun } from "./find-run.ts";
import { thanOf } from "./numbers.ts";

type TimeOf = (status: FileStatus) => bigint;

const accessed: TimeOf = (status) => status.accessedNs;
const changed: TimeOf = (status) => status.changedNs;
const modified: TimeOf = (status) => status.modifiedNs;

const SECOND = 1_000_000_000n;
const DAY_SECONDS = 86_400;

/** As strtod(3) reads it, after the sign that says which way to compare. */
function readAge(given: GivenPrimary): { than: ReturnType<typeof thanOf>; amount: number } {
  const text = given.take();
  const parts = /^([+-]?)[ \t-\r]*([+-]?(?:[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?|\.[0-9]+(?:e[+-]?[0-9]+)?|0x[0-9a-f]+))$/i.exec(text);
  if (parts === null) throw given.invalid(text);
  const number = parts[2] as string;
  const amount = /^[+-]/.test(number) ? Number(number.slice(1)) * (number.startsWith("-") ? -1 : 1) : Number(number);
  return { than: thanOf(parts[1] as string), amount };
}

/**
 * GNU find counts days back from now (with -daystart from the coming midnight), and takes a file for N days old from
 * N × 24 h until just before N+1. For `-N` its limit is one second later than that.
 */
const ageTest = (time: TimeOf, unitSeconds: number): PrimaryReader => ({
  role: "test",
  read(given) {
    const { than, amount } = readAge(given);
    const { fromMidnight } = given.settings;
    return (run) => {
      const begin = searchBegins(run, fromMidnight);
      const days = unitSeconds === DAY_SECONDS;
      let origin = days ? begin - BigInt(DAY_SECONDS) * SECOND : begin;
      if (days && than === "less") origin += BigInt(DAY_SECONDS - 1) * SECOND;
      const limit = origin - BigInt(Math.round(amount * unitSeconds * 1e6)) * 1000n;
      return statusTest(run, (status) => inWindow(time(status), limit, than, BigInt(unitSeconds) * SECOND));
    };
  },
});

function inWindow(time: bigint, limit: bigint, than: ReturnType<typeof thanOf>, window: bigint): boolean {
  switch (than) {
    case "more":
      return time < limit;
    case "less":
      return time > limit;
    case "equal":
      return time > limit && time <= limit + window;
  }
}

/** Now, or with -daystart the end of today. */
function searchBegins(run: FindRun, fromMidnight: boolean): bigint {
  const now = BigInt(Math.round(run.invocation.nowMs * 1000)) * 1000n;
  if (!fromMidnight) return now;
  const { seconds, hour, minute, second } = run.localTime(now);
  return (seconds - BigInt(hour * 3600 + minute * 60 + second) + BigInt(DAY_SECONDS)) * SECOND;
}

const newerTest = (time: TimeOf, reference: TimeOf): PrimaryReader => ({
  role: "test",
  read(given) {
    const path = given.takeFile();
    return (run) => {
      const limit = reference(referenceStatus(run, path));
      return statusTest(run, (status) => time(status) > limit);
    };
  },
});

const TIMES: Readonly<Record<string, TimeOf>> = { a: accessed, c: changed, m: modified };

function argumentOfNewer(given: GivenPrimary): string {
  if (given.words[given.at + 1] === undefined) throw given.error("missing-value", `The ${quoteCurly(given.name)} test needs an argument`);
  return given.take();
}

function readNewer(given: GivenPrimary): ReturnType<PrimaryReader["read"]> {
  const time = TIMES[given.name.charAt(6)] as TimeOf;
  const against = given.name.charAt(7);
  if (against !== "t" && given.words[given.at + 1] === undefined) argumentOfNewer(given);
  if (against !== "t") return newerTest(time, TIMES[against] as TimeOf).read(given);
  const text = argumentOfNewer(given);
  return (run) => {
    const nowNs = BigInt(Math.round(run.invocation.nowMs * 1000)) * 1000n;
    const limit = readDate(text, { nowNs, localTime: run.localTime });
    if (limit === undefined) throw new FindFailure(`I cannot figure out how to interpret ${quoteCurly(text)} as a date or time`);
    return statusTest(run, (status) => time(status) > limit);
  };
}

/** A file used within the day that ends N days after its change, or less or more than so many days after it. */
function readUsed(given: GivenPrimary): ReturnType<PrimaryReader["read"]> {
  const text = given.words[given.at + 1];
  const { than, amount } = readUsedAge(given, text);
  const day = BigInt(DAY_SECONDS) * SECOND;
  const limit = BigInt(Math.round(amount * DAY_SECONDS * 1e6)) * 1000n;
  return (run) =>
    statusTest(run, ({ accessedNs, changedNs }) => {
      if (accessedNs < changedNs) return false;
      const age = accessedNs - changedNs;
      return than === "equal" ? inWindow(age, limit - day, than, day) : than === "more" ? age > limit : age < limit;
    });
}

function readUsedAge(given: GivenPrimary, text: string | undefined): ReturnType<typeof readAge> {
  try {
    return readAge(given);
  } catch (thrown) {
    if (text === undefined) throw thrown;
    throw given.bad(`Invalid argument ${text} to -used`);
  }
}

export const timePrimaries: Readonly<Record<string, PrimaryReader>> = {
  "-atime": ageTest(accessed, DAY_SECONDS),
  "-ctime": ageTest(changed, DAY_SECONDS),
  "-mtime": ageTest(modified, DAY_SECONDS),
  "-amin": ageTest(accessed, 60),
  "-cmin": ageTest(changed, 60),
  "-mmin": ageTest(modified, 60),
  "-used": { role: "test", read: readUsed },
  "-newer": newerTest(modified, modified),
  "-anewer": newerTest(accessed, modified),
  "-cnewer": newerTest(changed, modified),
  "-newerXY": {
    role: "test",
    read(given) {
      // GNU find 4.9 was built without a way to it.
      const unborn = given.name.slice(6).includes("B")
        ? "This system does not provide a way to find the birth time of a file.\nfind: "
        : "";
      if (unborn !== "") throw given.bad(`${unborn}invalid predicate \`${given.name}'`);
      if (!/^-newer[aBcm][aBcmt]$/.test(given.name)) throw given.bad(`invalid predicate \`${given.name}'`);
      return readNewer(given);
    },
  },
};
