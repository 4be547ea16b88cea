/** A member of an archive, as its headers describe it. */
import { toText } from "../../src/io/text.ts";
import type { Complain, Header } from "./header.ts";
import { TYPES, type NumberType } from "./numbers.ts";
import { untilZero, type PaxRecord } from "./pax-records.ts";

export interface Member {
  readonly header: Header;
  /** As it is stored. */
  storedName: string;
  /** Without slashes at its end. */
  name: string;
  linkName: string;
  userName: string;
  groupName: string;
  userId: bigint;
  groupId: bigint;
  /** Modification, in nanoseconds since the epoch. */
  modified: bigint;
  /** Size of the file; that of one with holes includes them. */
  size: bigint;
  /** Bytes behind the header. */
  storedBytes: bigint;
  readonly sparse: SparseRecords;
}

/** Facts on holes from an extended header. */
export interface SparseRecords {
  major: bigint | undefined;
  realSize: bigint | undefined;
  /** The most pairs that the map may have. */
  pairs: bigint;
  /** Numbers in pairs: where data is, and how many bytes of it. */
  readonly map: bigint[];
}

export function nameMember(member: Member, name: string): void {
  let end = name.length;
  while (end > 1 && name[end - 1] === "/") end--;
  member.storedName = name;
  member.name = name.slice(0, end);
}

/** An old way to say that a member is a directory. */
export const endsWithSlash = ({ storedName, name }: Member): boolean => storedName !== name;

/** Takes the facts of an extended header's record into `member`. `warn` is for what changes no status. */
export function takeRecord(member: Member, { keyword, value }: PaxRecord, complain: Complain, warn: Complain): void {
  const text = (): string => toText(untilZero(value));
  const number = (type: NumberType): bigint | undefined => recordNumber(keyword, text(), type, complain);
  switch (keyword) {
    case "path":
    case "GNU.sparse.name":
      nameMember(member, text());
      return;
    case "linkpath":
      member.linkName = text();
      return;
    case "uname":
      member.userName = text();
      return;
    case "gname":
      member.groupName = text();
      return;
    case "uid":
      member.userId = number(TYPES.user) ?? member.userId;
      return;
    case "gid":
      member.groupId = number(TYPES.group) ?? member.groupId;
      return;
    case "size":
      member.storedBytes = number(TYPES.size) ?? member.storedBytes;
      member.size = member.storedBytes;
      return;
    case "mtime":
      member.modified = recordTime(keyword, text(), complain) ?? member.modified;
      return;
    case "atime":
    case "ctime":
      recordTime(keyword, text(), complain);
      return;
    case "GNU.sparse.major":
      member.sparse.major = number(TYPES.any);
      return;
    case "GNU.sparse.realsize":
    case "GNU.sparse.size":
      member.sparse.realSize = number(TYPES.size);
      return;
    case "GNU.sparse.numblocks":
      member.sparse.pairs = number(TYPES.size) ?? 0n;
      return;
    case "GNU.sparse.offset":
    case "GNU.sparse.numbytes":
      addToMap(member.sparse, keyword, text(), complain);
      return;
    case "GNU.sparse.map":
      addAllToMap(member.sparse, keyword, text(), complain);
      return;
    default:
      if (!WITHOUT_EFFECT.has(keyword) && !keyword.startsWith("SCHILY.xattr."))
        warn(`Ignoring unknown extended header keyword '${keyword}'`);
  }
}

/** Keywords about what a listing does not show. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  ...["comment", "charset", "GNU.sparse.minor", "GNU.dumpdir", "RHT.security.selinux"],
  ...["GNU.volume.label", "GNU.volume.filename", "GNU.volume.size", "GNU.volume.offset"],
  ...["SCHILY.acl.access", "SCHILY.acl.default"],
]);

/** False for a number that cannot be, which is told. */
function addToMap({ map, pairs }: SparseRecords, keyword: string, text: string, complain: Complain): boolean {
  const part = recordNumber(keyword, text, TYPES.size, complain);
  if (part === undefined || BigInt(map.length) >= 2n * pairs) return false;
  map.push(part);
  return true;
}

function addAllToMap(sparse: SparseRecords, keyword: string, text: string, complain: Complain): void {
  for (let at = 0; at < text.length; ) {
    const comma = text.indexOf(",", at);
    const end = comma < 0 ? text.length : comma;
    const isExcess = BigInt(sparse.map.length) >= 2n * sparse.pairs;
    if (isExcess) return complain(`Malformed extended header: excess ${keyword}=${text.slice(end + 1)}`);
    if (!addToMap(sparse, keyword, text.slice(at, end), complain)) return;
    at = end + 1;
  }
}

function recordNumber(keyword: string, text: string, { least, most }: NumberType, complain: Complain): bigint | undefined {
  if (!/^-?\d+$/.test(text)) {
    complain(`Malformed extended header: invalid ${keyword}=${text}`);
    return undefined;
  }
  const value = text.length > MOST_DIGITS ? undefined : BigInt(text);
  if (value !== undefined && value >= least && value <= most) return value;
  complain(`Extended header ${keyword}=${text} is out of range ${least}..${most}`);
  return undefined;
}

/** More digits than any number in range has, zeros in front of it included. */
const MOST_DIGITS = 100;

function recordTime(keyword: string, text: string, complain: Complain): bigint | undefined {
  const parts = /^(-?)(\d{1,19})(?:\.(\d*))?$/.exec(text);
  if (parts === null) {
    complain(`Malformed extended header: invalid ${keyword}=${text}`);
    return undefined;
  }
  const [, sign, seconds = "", fraction = ""] = parts;
  const whole = BigInt(seconds) * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, "0"));
  // Rounded down: a time before the epoch with a tenth digit lies a nanosecond earlier.
  return sign === "" ? whole : -whole - (/[1-9]/.test(fraction.slice(9)) ? 1n : 0n);
}
