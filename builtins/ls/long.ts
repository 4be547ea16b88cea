/** The long format: one line per file, its columns as wide as the widest of the set. */
import { modeText } from "../../src/display/mode-text.ts";
import { textWidth } from "../../src/display/character-width.ts";
import { formatTime, localTimes, type LocalTime } from "../../src/dates/date-format.ts";
import { formatSize } from "../../src/numbers/size-format.ts";
import type { Files } from "../../src/workspace/contract.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import { timeOf, type Entry } from "./entry.ts";
import { indicatorOf, type Names } from "./names.ts";
import type { Report } from "./report.ts";
import type { Settings } from "./settings.ts";

export interface LongSurroundings {
  readonly settings: Settings;
  readonly names: Names;
  readonly report: Report;
  readonly files: Files;
  readonly nowMs: number;
  readonly timeZone: string;
}

/** One column: what each entry shows there, left- or right-aligned. */
interface Column {
  readonly text: (entry: Entry) => string;
  readonly left?: (entry: Entry) => boolean;
}

export class LongFormat {
  readonly #here: LongSurroundings;
  readonly #columns: readonly Column[];
  readonly #readTime: (nanoseconds: bigint) => LocalTime;
  readonly #unknownTime: string;

  constructor(here: LongSurroundings) {
    this.#here = here;
    this.#readTime = localTimes(here.timeZone);
    this.#columns = columnsOf(here.settings, here.files);
    const width = textWidth(formatTime(this.#readTime(0n), here.settings.timeFormats[0]));
    this.#unknownTime = "?".padStart(width);
  }

  /** Prints `shown`, aligned as `gathered`, of which they are a part. */
  *print(shown: readonly Entry[], gathered: readonly Entry[]): Generator<void> {
    const { settings, names, report } = this.#here;
    const widths = this.#columns.map(({ text }) => widest(gathered, text));
    const size = sizeColumn(gathered, settings);
    const frills = frillWidths(gathered, settings);
    const hasAccounts = settings.showsOwner || settings.showsGroup || settings.showsAuthor || settings.showsContext;
    for (const entry of shown) {
      let line = settings.dired ? "  " : "";
      line += frillsOf(entry, settings, frills);
      line += `${modeOf(entry)} `;
      this.#columns.forEach(({ text, left }, at) => {
        const cell = text(entry);
        const gap = " ".repeat(Math.max(0, (widths[at] as number) - textWidth(cell)));
        line += left?.(entry) === true ? `${cell}${gap} ` : `${gap}${cell} `;
      });
      const rest = `${size(entry)} ${this.#time(entry)} `;
      report.print(line + rest);
      // GNU ls forgets what stood before the owner.
      const column = Buffer.byteLength(hasAccounts ? rest : line + rest) - (settings.dired && !hasAccounts ? 2 : 0);
      names.print(entry, column);
      this.#printAfterName(entry, column);
      report.print(settings.lineEnd);
      if (report.full) yield;
    }
  }

  #printAfterName(entry: Entry, column: number): void {
    const { settings, names, report } = this.#here;
    if (entry.kind !== "symlink") return report.print(indicatorOf(entry, settings.indicator));
    if (entry.link === undefined) return;
    report.print(" -> ");
    names.printLink(entry, column + names.bytes(entry) + 4);
    const { target } = entry;
    if (target !== undefined) report.print(indicatorOf({ kind: target.kind, status: target }, settings.indicator));
  }

  #time({ status }: Entry): string {
    const { settings, nowMs } = this.#here;
    if (status === undefined) return this.#unknownTime;
    const time = timeOf(status, settings);
    if (settings.time === "born" && time === 0n) return this.#unknownTime;
    const now = BigInt(nowMs) * 1_000_000n;
    const isRecent = time > now - HALF_A_YEAR_NS && time < now + CLOCK_LEEWAY_NS;
    return formatTime(this.#readTime(time), settings.timeFormats[isRecent ? 1 : 0]);
  }
}

/** Half of a mean Gregorian year. */
const HALF_A_YEAR_NS = (31_556_952n / 2n) * 1_000_000_000n;
/** GNU ls looks at the clock again before it calls a time future; we have one instant per call, and a call may write. */
const CLOCK_LEEWAY_NS = 60n * 1_000_000_000n;

function columnsOf(settings: Settings, files: Files): readonly Column[] {
  const account = (id: (status: FileStatus) => number, nameOf: (id: number) => string | undefined): Column => {
    const name = ({ status }: Entry): string | undefined =>
      status === undefined ? "?" : settings.numericIds ? undefined : nameOf(id(status));
    return { text: (entry) => name(entry) ?? String(id(entry.status as FileStatus)), left: (entry) => name(entry) !== undefined };
  };
  const owner = account(
    (status) => status.userId,
    (id) => files.userName(id),
  );
  const group = account(
    (status) => status.groupId,
    (id) => files.groupName(id),
  );
  return [
    { text: ({ status }) => (status === undefined ? "?" : String(status.links)) },
    ...(settings.showsOwner ? [owner] : []),
    ...(settings.showsGroup ? [group] : []),
    ...(settings.showsAuthor ? [owner] : []),
    ...(settings.showsContext ? [{ text: () => "?", left: () => true }] : []),
  ];
}

/** Sizes, or major and minor numbers, which share the column. */
function sizeColumn(gathered: readonly Entry[], settings: Settings): (entry: Entry) => string {
  const known = gathered.flatMap(({ status }) => (status === undefined ? [] : [status]));
  const devices = known.filter(isDevice).map(deviceNumbers);
  const majorWidth = Math.max(0, ...devices.map(({ major }) => major.length));
  const minorWidth = Math.max(0, ...devices.map(({ minor }) => minor.length));
  let width = devices.length > 0 ? majorWidth + 2 + minorWidth : 0;
  const textOf = (status: FileStatus): string => formatSize(status.size, settings.sizeFormat);
  for (const status of known) if (!isDevice(status)) width = Math.max(width, textOf(status).length);
  return ({ status }) => {
    if (status === undefined) return "?".padStart(width);
    if (!isDevice(status)) return textOf(status).padStart(width);
    const { major, minor } = deviceNumbers(status);
    return `${major.padStart(majorWidth + width - (majorWidth + 2 + minorWidth))}, ${minor.padStart(minorWidth)}`;
  };
}

const isDevice = ({ kind }: FileStatus): boolean => kind === "character-device" || kind === "block-device";

/** gnu_dev_major() and gnu_dev_minor() of glibc. */
function deviceNumbers({ specialDevice: device }: FileStatus): { major: string; minor: string } {
  return {
    major: String(((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn)),
    minor: String((device & 0xffn) | ((device >> 12n) & ~0xffn)),
  };
}

function widest(entries: readonly Entry[], text: (entry: Entry) => string): number {
  let width = 0;
  for (const entry of entries) if (entry.status !== undefined) width = Math.max(width, textWidth(text(entry)));
  return width;
}

/** Widths of the columns before all others, which every format may have: inode, blocks, security context. */
export interface FrillWidths {
  readonly inode: number;
  readonly blocks: number;
}

export function frillWidths(gathered: readonly Entry[], settings: Settings): FrillWidths {
  return {
    inode: settings.showsInode ? widest(gathered, ({ status }) => String(status?.inode)) : 0,
    blocks: settings.showsBlocks ? widest(gathered, (entry) => blocksOf(entry, settings)) : 0,
  };
}

/** Each with a space after it. */
export function frillsOf(entry: Entry, settings: Settings, widths: FrillWidths): string {
  let out = "";
  if (settings.showsInode) out += `${(entry.status === undefined ? "?" : String(entry.status.inode)).padStart(widths.inode)} `;
  if (settings.showsBlocks) out += `${blocksOf(entry, settings).padStart(widths.blocks)} `;
  if (settings.showsContext && settings.format !== "long") out += "? ";
  return out;
}

export function blocksOf({ status }: Entry, settings: Settings): string {
  return status === undefined ? "?" : formatSize(status.blocks, settings.blockFormat, 512);
}

/** "drwxr-xr-x" */
function modeOf({ kind, status }: Entry): string {
  if (status !== undefined) return modeText(status);
  return `${kind === undefined ? "?" : modeText({ kind, permissions: 0 }).charAt(0)}?????????`;
}
