/** tree's metadata of a file, besides its name: the bracket of the listing, and the same for JSON and XML. */
import type { FlagValues } from "../../src/builtin/definition.ts";
import { formatTime, localTimes, type LocalTime } from "../../src/dates/date-format.ts";
import type { Files } from "../../src/workspace/contract.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import type { flags } from "./flags.ts";

type Values = FlagValues<typeof flags>;

const SIX_MONTHS = 6n * 31n * 24n * 60n * 60n;
const SECOND = 1_000_000_000n;
const KIND_LETTERS: Readonly<Record<FileStatus["kind"], string>> = {
  file: "-",
  directory: "d",
  symlink: "l",
  fifo: "p",
  socket: "s",
  "character-device": "c",
  "block-device": "b",
};

export class Metadata {
  readonly #values: Values;
  readonly #files: Files;
  readonly #nowSeconds: bigint;
  readonly #localTime: (ns: bigint) => LocalTime;
  readonly #showsSize: boolean;
  readonly #showsDate: boolean;

  constructor(values: Values, files: Files, nowMs: number, timeZone: string) {
    this.#values = values;
    this.#files = files;
    this.#nowSeconds = BigInt(Math.floor(nowMs / 1000));
    this.#localTime = localTimes(timeZone);
    this.#showsSize = values.size || values.human || values.si || values.du;
    this.#showsDate = values.date || values.timefmt !== undefined;
  }

  /** "[-rw-r--r--         5]", or "" where nothing was asked for. */
  bracket(status: FileStatus, size: number): string {
    const { inodes, device, permissions, user, group } = this.#values;
    let text = "";
    if (inodes) text += ` ${String(status.inode).padStart(7)}`;
    if (device) text += ` ${String(status.device).padStart(3)}`;
    if (permissions) text += ` ${modeText(status)}`;
    if (user) text += ` ${this.#user(status).padEnd(8)}`;
    if (group) text += ` ${this.#group(status).padEnd(8)}`;
    if (this.#showsSize) text += this.size(size);
    if (this.#showsDate) text += ` ${this.#date(status)}`;
    return text === "" ? "" : `[${text.slice(1)}]`;
  }

  /** In the order of JSON and XML; numbers are not quoted in JSON. `inode` and `device` are those of a link's target. */
  fields(status: FileStatus, size: number, inode: bigint, device: bigint): readonly (readonly [string, string | number | bigint])[] {
    const { inodes, device: showsDevice, permissions, user, group, human, si } = this.#values;
    const fields: (readonly [string, string | number | bigint])[] = [];
    if (inodes) fields.push(["inode", inode]);
    if (showsDevice) fields.push(["dev", device]);
    if (permissions) fields.push(["mode", status.permissions.toString(8).padStart(4, "0")], ["prot", modeText(status)]);
    if (user) fields.push(["user", this.#user(status)]);
    if (group) fields.push(["group", this.#group(status)]);
    if (this.#showsSize) fields.push(["size", human || si ? this.size(size).trim() : size]);
    if (this.#showsDate) fields.push(["time", this.#date(status)]);
    return fields;
  }

  /** With a space in front. */
  size(bytes: number): string {
    const { human, si } = this.#values;
    if (!human && !si) return ` ${String(bytes).padStart(11)}`;
    const unit = si ? 1000 : 1024;
    let left = bytes;
    let power = bytes < unit ? 0 : 1;
    for (; left >= unit * unit; power++) left = Math.trunc(left / unit);
    if (power === 0) return ` ${String(bytes).padStart(4)}`;
    const value = Math.fround(Math.fround(left) / unit);
    return ` ${asPrinted(value, left >= 10 * unit ? 0 : 1).padStart(3)}${(si ? "dkMGTPEZY" : "BKMGTPEZY")[power] ?? ""}`;
  }

  #user({ userId }: FileStatus): string {
    return (this.#files.userName(userId) ?? String(userId)).slice(0, 32);
  }

  #group({ groupId }: FileStatus): string {
    return (this.#files.groupName(groupId) ?? String(groupId)).slice(0, 32);
  }

  #date({ changedNs, modifiedNs }: FileStatus): string {
    const ns = this.#values.byChange ? changedNs : modifiedNs;
    const at = ns / SECOND;
    const isFar = at > this.#nowSeconds || at + SIX_MONTHS < this.#nowSeconds;
    return formatTime(this.#localTime(ns), this.#values.timefmt ?? (isFar ? "%b %e  %Y" : "%b %e %R"));
  }
}

/** "drwxr-xr-x" */
function modeText({ kind, permissions }: FileStatus): string {
  const bits = [...Array(9).keys()].map((bit) => ((permissions & (0o400 >> bit)) === 0 ? "-" : ("rwx"[bit % 3] as string)));
  const special = (at: number, mask: number, letter: string): void => {
    if ((permissions & mask) !== 0) bits[at] = bits[at] === "-" ? letter.toUpperCase() : letter;
  };
  special(2, 0o4000, "s");
  special(5, 0o2000, "s");
  special(8, 0o1000, "t");
  return KIND_LETTERS[kind] + bits.join("");
}

/** As printf(3) prints what has 32 bits: halves go to the even digit. */
function asPrinted(value: number, digits: 0 | 1): string {
  const scaled = digits === 0 ? value : value * 10;
  const below = Math.floor(scaled);
  const rounded = scaled - below === 0.5 ? below + (below % 2) : Math.round(scaled);
  return (digits === 0 ? rounded : rounded / 10).toFixed(digits);
}
