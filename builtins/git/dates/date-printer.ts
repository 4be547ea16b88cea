/** Dates as git prints them (--date). */
import { formatTime, localTimes } from "../../../src/dates/date-format.ts";
import { GitError } from "../git-error.ts";
import type { Signature } from "../objects/objects.ts";

export interface DateStyle {
  readonly kind: "default" | "iso" | "iso-strict" | "short" | "relative" | "rfc" | "raw" | "unix" | "human" | "format";
  readonly isLocal: boolean;
  readonly format: string;
}

export const DEFAULT_DATE: DateStyle = { kind: "default", isLocal: false, format: "" };
const KINDS: ReadonlyMap<string, DateStyle["kind"]> = new Map<string, DateStyle["kind"]>([
  ["default", "default"],
  ["normal", "default"],
  ["iso", "iso"],
  ["iso8601", "iso"],
  ["iso-strict", "iso-strict"],
  ["iso8601-strict", "iso-strict"],
  ["short", "short"],
  ["relative", "relative"],
  ["rfc", "rfc"],
  ["rfc2822", "rfc"],
  ["raw", "raw"],
  ["unix", "unix"],
  ["human", "human"],
]);

/** Throws GitError. */
export function readDateStyle(text: string): DateStyle {
  // `auto:STYLE` is for terminals; elsewhere it is the usual form.
  if (text.startsWith("auto:")) return DEFAULT_DATE;
  if (text === "local") return { kind: "default", isLocal: true, format: "" };
  const [, format] = /^format(?:-local)?:([^]*)$/.exec(text) ?? [];
  if (format !== undefined) return { kind: "format", isLocal: text.startsWith("format-local"), format };
  if (text.startsWith("format")) throw new GitError(`date format missing colon separator: ${text}`);
  const isLocal = text.endsWith("-local");
  const kind = KINDS.get(isLocal ? text.slice(0, -6) : text);
  if (kind === undefined) throw new GitError(`unknown date format ${text}`);
  return { kind, isLocal, format: "" };
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (value: number): string => String(value).padStart(2, "0");

/** Prints dates of one call: `nowMs` is what relative dates are from. */
export class DatePrinter {
  readonly #nowSeconds: number;
  readonly #localAt: ReturnType<typeof localTimes>;

  constructor({ nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string }) {
    this.#nowSeconds = Math.floor(nowMs / 1000);
    this.#localAt = localTimes(timeZone);
  }

  text({ seconds, zone }: Signature, style: DateStyle): string {
    if (style.kind === "unix") return String(seconds);
    if (style.kind === "relative") return this.#relative(seconds);
    const local = this.#localAt(BigInt(seconds) * 1_000_000_000n);
    const offset = style.isLocal ? local.offsetSeconds / 60 : minutesOf(zone);
    const zoneText = style.isLocal ? zoneOf(offset) : zone;
    if (style.kind === "raw") return `${seconds} ${zoneText}`;
    const time = new Date((seconds + offset * 60) * 1000);
    if (Number.isNaN(time.getTime())) return "Thu Jan 1 00:00:00 1970 +0000";
    const [day, month, year] = [DAYS[time.getUTCDay()], MONTHS[time.getUTCMonth()], time.getUTCFullYear()];
    const clock = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}`;
    const date = `${year}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`;
    switch (style.kind) {
      case "short":
        return date;
      case "iso":
        return `${date} ${clock} ${zoneText}`;
      case "iso-strict":
        return `${date}T${clock}${zoneText.slice(0, 3)}:${zoneText.slice(3)}`;
      case "rfc":
        return `${day}, ${time.getUTCDate()} ${month} ${year} ${clock} ${zoneText}`;
      case "default":
        return `${day} ${month} ${time.getUTCDate()} ${clock} ${year}${style.isLocal ? "" : ` ${zoneText}`}`;
      case "human":
        return this.#human(seconds, time, style.isLocal ? undefined : offset, zoneText);
      case "format": {
        const shifted = localTimes("UTC")(BigInt(seconds + offset * 60) * 1_000_000_000n);
        const format = style.format.replace(/%%|%s|%z|%Z/g, (code) =>
          code === "%s" ? String(seconds) : code === "%z" ? zoneText : code === "%Z" ? (style.isLocal ? local.zoneName : "") : code,
        );
        return formatTime({ ...shifted, offsetSeconds: offset * 60 }, format);
      }
    }
  }

  /** `offset`: of the zone, in minutes; undefined: the local one. */
  #human(seconds: number, time: Date, offset: number | undefined, zoneText: string): string {
    const localSeconds = this.#localAt(BigInt(this.#nowSeconds) * 1_000_000_000n).offsetSeconds;
    const now = new Date((this.#nowSeconds + localSeconds) * 1000);
    const isOfYear = time.getUTCFullYear() === now.getUTCFullYear();
    const daysAgo = isOfYear && time.getUTCMonth() === now.getUTCMonth() ? now.getUTCDate() - time.getUTCDate() : undefined;
    if (daysAgo === 0) return this.#relative(seconds);
    const clock = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`;
    const weekday = DAYS[time.getUTCDay()];
    if (daysAgo !== undefined && daysAgo > 0 && daysAgo < 5) {
      const isHere = offset === undefined || offset === Math.trunc(localSeconds / 60);
      return `${weekday} ${clock}${isHere ? "" : ` ${zoneText}`}`;
    }
    const date = `${MONTHS[time.getUTCMonth()]} ${time.getUTCDate()}`;
    return isOfYear ? `${weekday} ${date} ${clock}` : `${date} ${time.getUTCFullYear()}`;
  }

  #relative(seconds: number): string {
    if (this.#nowSeconds < seconds) return "in the future";
    let span = this.#nowSeconds - seconds;
    if (span < 90) return ago(span, "second");
    span = Math.floor((span + 30) / 60);
    if (span < 90) return ago(span, "minute");
    span = Math.floor((span + 30) / 60);
    if (span < 36) return ago(span, "hour");
    span = Math.floor((span + 12) / 24);
    if (span < 14) return ago(span, "day");
    if (span < 70) return ago(Math.floor((span + 3) / 7), "week");
    if (span < 365) return ago(Math.floor((span + 15) / 30), "month");
    if (span < 1825) {
      const months = Math.floor((span * 12 * 2 + 365) / (365 * 2));
      const [years, rest] = [Math.floor(months / 12), months % 12];
      if (rest > 0) return `${years} year${years === 1 ? "" : "s"}, ${ago(rest, "month")}`;
      return ago(years, "year");
    }
    return ago(Math.floor((span + 183) / 365), "year");
  }
}

const ago = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"} ago`;

function minutesOf(zone: string): number {
  const value = Number.parseInt(zone, 10);
  if (Number.isNaN(value)) return 0;
  const size = Math.abs(value);
  return Math.sign(value) * (Math.floor(size / 100) * 60 + (size % 100));
}

function zoneOf(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${two(size % 60)}`;
}
