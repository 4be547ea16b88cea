/** -ls: a line as `ls -dils` prints it, with columns that grow to the widest value so far. */
import { formatTime } from "../../src/dates/date-format.ts";
import { toBytes } from "../../src/io/text.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import type { FindRun } from "./find-run.ts";
import { modeText } from "../../src/display/mode-text.ts";

/** A time this long ago (half a year in seconds), or in the future by more than an hour, is shown with its year. */
const RECENT_SECONDS = 6n * 30n * 24n * 60n * 60n;
const AHEAD_SECONDS = 3600n;

export class LongListing {
  readonly #run: FindRun;
  readonly #widths = { inode: 9, blocks: 6, links: 3, user: 8, group: 8, size: 8 };

  constructor(run: FindRun) {
    this.#run = run;
  }

  /** Throws FileError. */
  line(file: TreeFile): string {
    const { status } = file;
    const { files } = this.#run.invocation;
    const isDevice = status.kind === "block-device" || status.kind === "character-device";
    const device = Number(status.specialDevice);
    const size = isDevice
      ? `${(device >> 8) & 0xfff}, ${String((device & 0xff) | ((device >> 12) & 0xfff00)).padStart(3)}`
      : String(status.size);
    const fields = [
      this.#right("inode", String(status.inode)),
      this.#right("blocks", String(Math.ceil(status.blocks / 2))),
      modeText(status),
      this.#right("links", String(status.links)),
      `${this.#owner(status.userId)}${this.#left("group", files.groupName(status.groupId) ?? String(status.groupId))}`,
      this.#right("size", size),
      this.#date(status),
      escaped(file.path),
    ];
    const target = status.kind === "symlink" ? ` -> ${escaped(file.readLink())}` : "";
    return `${fields.join(" ")}${target}\n`;
  }

  #right(column: "inode" | "blocks" | "links" | "size", text: string): string {
    this.#widths[column] = Math.max(this.#widths[column], text.length);
    return text.padStart(this.#widths[column]);
  }

  #left(column: "user" | "group", text: string): string {
    this.#widths[column] = Math.max(this.#widths[column], text.length);
    return text.padEnd(this.#widths[column]);
  }

  /** With the blank after it, which GNU find counts in the width of a number. */
  #owner(id: number): string {
    const name = this.#run.invocation.files.userName(id);
    if (name !== undefined) return `${this.#left("user", name)} `;
    const text = `${String(id).padEnd(8)} `;
    this.#widths.user = Math.max(this.#widths.user, text.length);
    return text;
  }

  #date({ modifiedNs }: FileStatus): string {
    const time = this.#run.localTime(modifiedNs);
    const now = BigInt(Math.floor(this.#run.invocation.nowMs / 1000));
    const isRecent = time.seconds >= now - RECENT_SECONDS && time.seconds <= now + AHEAD_SECONDS;
    return formatTime(time, isRecent ? "%b %e %H:%M" : "%b %e  %Y");
  }
}

/** As in C, and with a backslash before a blank: whatever is not printable ASCII in octal. */
function escaped(name: string): string {
  if (/^[!#-[\]-~]*$/.test(name)) return name;
  let out = "";
  for (const byte of toBytes(name)) {
    const named = ESCAPES[byte];
    if (named !== undefined) out += named;
    else if (byte > 32 && byte < 127) out += String.fromCharCode(byte);
    else out += `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return out;
}

const ESCAPES: Readonly<Record<number, string>> = { 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 32: "\\ ", 34: '\\"', 92: "\\\\" };
