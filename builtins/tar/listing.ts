/** Lines of a listing: a name, or with -v what `ls -l` has. */
import { formatTime, isInRange, localTimes } from "../../src/dates/date-format.ts";
import { modeText } from "../../src/display/mode-text.ts";
import { quoteInStyle } from "../../src/display/quoting-style.ts";
import { byteLengthOf, toBytes } from "../../src/io/text.ts";
import type { Complain } from "./header.ts";
import { endsWithSlash, type Member } from "./member.ts";

export interface ListingOptions {
  readonly isLong: boolean;
  readonly fullTime: boolean;
  readonly numericOwner: boolean;
  readonly timeZone: string;
  /** "bytes": what is not ASCII is escaped. */
  readonly characters: "utf-8" | "bytes";
  readonly complain: Complain;
}

export class Listing {
  readonly #options: ListingOptions;
  readonly #localTime: ReturnType<typeof localTimes>;
  /** Widths of "USER/GROUP SIZE" and of the time: they grow with what comes, as tar's do. */
  #ownerWidth = 19;
  #timeWidth = 16;

  constructor(options: ListingOptions) {
    this.#options = options;
    this.#localTime = localTimes(options.timeZone);
  }

  line(member: Member): string {
    const name = escaped(member.storedName, this.#options.characters);
    return this.#options.isLong ? `${this.#facts(member)} ${name}${this.#ending(member)}\n` : `${name}\n`;
  }

  #facts(member: Member): string {
    const { header, modified } = member;
    const { numericOwner, complain } = this.#options;
    const permissions = Number(header.mode(() => {}) & 0o7777n);
    const mode = kindLetter(member) + modeText({ kind: "file", permissions }).slice(1);
    const isNamed = header.format !== "v7" && !numericOwner;
    const user = isNamed && member.userName !== "" ? member.userName : String(member.userId);
    const group = isNamed && member.groupName !== "" ? member.groupName : String(member.groupId);
    const isDevice = header.type === "3" || header.type === "4";
    const hasNumbers = header.format !== "v7";
    const size = isDevice ? (hasNumbers ? `${header.major(complain)},${header.minor(complain)}` : "0,0") : String(member.size);
    const width = byteLengthOf(user) + byteLengthOf(group) + size.length + 2;
    this.#ownerWidth = Math.max(this.#ownerWidth, width);
    const time = this.#time(modified);
    this.#timeWidth = Math.max(this.#timeWidth, time.length);
    return `${mode} ${user}/${group} ${" ".repeat(this.#ownerWidth - width)}${size} ${time.padEnd(this.#timeWidth)}`;
  }

  #time(nanoseconds: bigint): string {
    const { fullTime } = this.#options;
    // A fault of tar's: the fraction of a time before the epoch is added where it should be taken away.
    const fractionBefore = nanoseconds < 0n ? -nanoseconds % 1_000_000_000n : 0n;
    const time = this.#localTime(nanoseconds + 2n * fractionBefore);
    const fraction = fullTime && time.nanoseconds > 0 ? `.${String(time.nanoseconds).padStart(9, "0").replace(/0+$/, "")}` : "";
    if (isInRange(time)) return formatTime(time, fullTime ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%d %H:%M") + fraction;
    return String(time.seconds).padStart(fullTime ? 19 : 16) + fraction;
  }

  #ending({ header, linkName }: Member): string {
    const { complain, characters } = this.#options;
    switch (header.type) {
      case "2":
        return ` -> ${escaped(linkName, characters)}`;
      case "1":
        return ` link to ${escaped(linkName, characters)}`;
      case "V":
        return "--Volume Header--";
      case "M":
        return `--Continued at byte ${header.continuedAt(complain)}--`;
      default:
        return Object.hasOwn(LETTERS, header.type) ? "" : ` unknown file type ${quoteInStyle(header.shownType, "locale")}`;
    }
  }
}

const LETTERS: Readonly<Record<string, string>> = {
  "\0": "-",
  "0": "-",
  S: "-",
  "1": "h",
  "2": "l",
  "3": "c",
  "4": "b",
  "5": "d",
  D: "d",
  "6": "p",
  "7": "C",
  V: "V",
  M: "M",
};

function kindLetter(member: Member): string {
  const letter = LETTERS[member.header.type] ?? "?";
  return letter === "-" && endsWithSlash(member) ? "d" : letter;
}

/** `name` in gnulib's style "escape". */
export function escaped(name: string, characters: "utf-8" | "bytes"): string {
  if (/^[ -[\]-~]*$/.test(name)) return name;
  const text = quoteInStyle(name, "escape");
  if (characters === "utf-8") return text;
  return text.replace(/[^\0-\x7f]/gu, (character) => Array.from(toBytes(character), (byte) => `\\${byte.toString(8)}`).join(""));
}
