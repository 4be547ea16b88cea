/** Lines of a listing of a zip archive. */
import { localTimes } from "../../src/dates/date-format.ts";
import { toText } from "../../src/io/text.ts";
import type { Entry } from "./central-directory.ts";

export const HEADINGS = {
  short: "  Length      Date    Time    Name\n---------  ---------- -----   ----\n",
  long: " Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n",
} as const;

const METHODS = [
  ...["Stored", "Shrunk", "Reduce1", "Reduce2", "Reduce3", "Reduce4", "Implode", "Token", "Defl:", "Def64", "ImplDCL"],
  ...[undefined, "BZip2", undefined, "LZMA", undefined, undefined, undefined, "Terse", "IBMLZ77"],
];

/** Method of packing, in seven characters at most. */
export function methodName({ method, flags }: Pick<Entry, "method" | "flags">): string {
  const name = method === 97 ? "WavPack" : method === 98 ? "PPMd" : METHODS[method];
  if (method === 8 || method === 9) return `${name}${"NXFS"[(flags >> 1) & 3]}`;
  return name ?? `Unk:${String(method).padStart(3, "0")}`;
}

/** Size without the twelve bytes in front of what is encrypted. */
export const shownPackedSize = ({ packedSize, flags }: Entry): bigint =>
  (flags & 1) === 0 ? packedSize : BigInt.asUintN(64, packedSize - 12n);

export class EntryLines {
  readonly #localTime: ReturnType<typeof localTimes>;

  constructor(timeZone: string) {
    this.#localTime = localTimes(timeZone);
  }

  short(entry: Entry): string {
    return `${String(entry.size).padStart(9)}  ${this.#time(entry)}   ${shownName(entry.name)}\n`;
  }

  long(entry: Entry): string {
    const packed = shownPackedSize(entry);
    const sizes = `${String(entry.size).padStart(8)}  ${methodName(entry).padEnd(7)}${String(packed).padStart(8)}`;
    const crc = entry.crc.toString(16).padStart(8, "0");
    return `${sizes} ${saved(entry.size, packed).padStart(4)} ${this.#time(entry)} ${crc}  ${shownName(entry.name)}\n`;
  }

  #time({ modified, dosTime }: Entry): string {
    const two = (value: number): string => String(value).padStart(2, "0");
    if (modified === undefined) {
      const [days, minutes] = [dosTime >>> 16, dosTime & 0xffff];
      return `${(days >> 9) + 1980}-${two((days >> 5) & 15)}-${two(days & 31)} ${two(minutes >> 11)}:${two((minutes >> 5) & 63)}`;
    }
    const { year, month, day, hour, minute } = this.#localTime(BigInt(modified) * 1_000_000_000n);
    return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
  }
}

export function totalLine(form: "short" | "long", files: number, size: bigint, packed: bigint): string {
  const count = `${files} file${files === 1 ? "" : "s"}\n`;
  if (form === "short") return `---------                     -------\n${String(size).padStart(9)}                     ${count}`;
  const sizes = `${String(size).padStart(8)}         ${String(packed).padStart(8)} ${saved(size, packed).padStart(4)}`;
  return `--------          -------  ---                            -------\n${sizes}                            ${count}`;
}

/** How much smaller it became, in per cent. */
function saved(size: bigint, packed: bigint): string {
  if (size === 0n) return " 0%";
  const [isLess, difference] = size >= packed ? [true, size - packed] : [false, packed - size];
  const tenths = size > 2_000_000n ? (difference + size / 1000n / 2n) / (size / 1000n) : (1000n * difference + size / 2n) / size;
  const percent = (tenths + 5n) / 10n;
  if (isLess) return percent === 100n ? "100%" : ` ${percent}%`;
  return tenths === 0n ? " 0%" : `-${percent}%`;
}

/** Control characters as `^X`. */
export const shownName = (name: string): string =>
  name.replace(/[\0-\x1f]/g, (character) => `^${String.fromCharCode(character.charCodeAt(0) + 64)}`);

/** A comment as unzip prints it, with a newline at its end if it is whole. */
export function shownComment(comment: Buffer, isWhole = true): string {
  const text = toText(comment)
    .replaceAll("\r", "")
    .replace(/[\0-\x09\x0b-\x1f]/g, (character) => `^${String.fromCharCode(character.charCodeAt(0) + 64)}`);
  return !isWhole || text.endsWith("\n") ? text : `${text}\n`;
}
