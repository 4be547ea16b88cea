/** Dates in headers of diffs: that of a file which is not there is the epoch, in any time zone. */

/** True if `text`, behind a file's name, is the epoch as diff prints it (`1970-01-01 01:00:00.0 +0100`, `Thu Jan  1 00:00:00 1970`). */
export function isEpoch(text: string): boolean {
  const iso = /^\s*(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:\s*([+-])(\d\d):?(\d\d))?\s*$/.exec(text);
  if (iso !== null) {
    const [year, month, day, hour, minute, second] = iso.slice(1, 7).map(Number) as [number, number, number, number, number, number];
    const zone = (Number(iso[8] ?? 0) * 60 + Number(iso[9] ?? 0)) * (iso[7] === "-" ? -1 : 1);
    return isNearEpoch(Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - zone * 60);
  }
  const ctime = /^\s*[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})\s*$/.exec(text);
  if (ctime === null) return false;
  const month = MONTHS.indexOf(ctime[1] as string);
  const [day, hour, minute, second, year] = ctime.slice(2, 7).map(Number) as [number, number, number, number, number];
  return month >= 0 && isNearEpoch(Date.UTC(year, month, day, hour, minute, second) / 1000);
}

/** Within the offsets that POSIX allows for a zone. */
const isNearEpoch = (seconds: number): boolean => seconds > -25 * 3600 && seconds < 26 * 3600;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
