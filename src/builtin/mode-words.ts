/** Modes as chmod(1) writes them: octal, or clauses such as `u=rwx,go=`. */
import { quoteCurly } from "../display/quote.ts";
import { BadValue } from "./usage-error.ts";

/**
 * `read` of a mode flag: permission bits, from 0777 as mkdir has them. Throws BadValue with coreutils' words; also for a clause that
 * names nobody (`+x`), whose meaning depends on the umask.
 */
export function readMode(text: string): number {
  const invalid = (): never => {
    throw new BadValue(`invalid mode ${quoteCurly(text)}`);
  };
  if (/^[0-7]{1,5}$/.test(text)) {
    const mode = Number.parseInt(text, 8);
    return mode > 0o7777 ? invalid() : mode;
  }
  let mode = 0o777;
  for (const clause of text.split(",")) {
    const [, who, actions] = /^([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]))+)$/.exec(clause) ?? invalid();
    if (who === undefined || actions === undefined) return invalid();
    if (who === "")
      throw new BadValue(`mode ${quoteCurly(text)}: the meaning of a clause without u, g, o or a depends on the umask; name them`);
    for (const [, operator, what = ""] of actions.matchAll(/([-+=])([^-+=]*)/g)) mode = applied(mode, who, operator ?? "", what);
  }
  return mode;
}

const SHIFTS = { u: 6, g: 3, o: 0 } as const;

function applied(mode: number, who: string, operator: string, what: string): number {
  const classes = who.includes("a") ? (["u", "g", "o"] as const) : (["u", "g", "o"] as const).filter((each) => who.includes(each));
  let bits = 0;
  let reach = 0;
  for (const each of classes) {
    bits |= permissionBits(mode, what) << SHIFTS[each];
    reach |= 0o7 << SHIFTS[each];
    if (what.includes("s") && each !== "o") bits |= each === "u" ? 0o4000 : 0o2000;
  }
  if (what.includes("t") && who.includes("a")) bits |= 0o1000;
  if (operator === "+") return mode | bits;
  return operator === "-" ? mode & ~bits : (mode & ~reach) | bits;
}

/** The three bits that `rwxX`, or the name of a class, stand for. */
function permissionBits(mode: number, what: string): number {
  if (what === "u" || what === "g" || what === "o") return (mode >> SHIFTS[what]) & 0o7;
  return (what.includes("r") ? 4 : 0) | (what.includes("w") ? 2 : 0) | (/[xX]/.test(what) ? 1 : 0);
}
