/** Archives and compressed data. */
import { formatTime, localTimes } from "../../src/dates/date-format.ts";
import { kind, type Kind, type Sample } from "./sample.ts";

export function archiveKind(sample: Sample): Kind | undefined {
  return tar(sample) ?? compressed(sample) ?? packed(sample);
}

/** The checksum of the header decides, as in libmagic's own test. */
function tar(sample: Sample): Kind | undefined {
  const stated = /^ *([0-7]+)/.exec(sample.text(148, 8))?.[1];
  if (sample.bytes.length < 512 || stated === undefined) return undefined;
  let sum = 8 * 32;
  for (let at = 0; at < 512; at++) if (at < 148 || at >= 156) sum += sample.byte(at);
  if (sum !== Number.parseInt(stated, 8)) return undefined;
  if (sample.has("ustar  \0", 257)) return kind("POSIX tar archive (GNU)", "application/x-tar");
  return kind(sample.has("ustar\0", 257) ? "POSIX tar archive" : "tar archive", "application/x-tar");
}

function compressed(sample: Sample): Kind | undefined {
  if (sample.has("\x1f\x8b")) return gzip(sample);
  if (sample.has("BZh")) {
    const level = sample.byte(3);
    const size = level > 47 ? `, block size = ${String.fromCharCode(level)}00k` : "";
    return kind(`bzip2 compressed data${size}`, "application/x-bzip2");
  }
  if (sample.has("\xfd7zXZ\0")) {
    const check = ["NONE", "CRC32", undefined, undefined, "CRC64", undefined, undefined, undefined, undefined, undefined, "SHA-256"][
      sample.byte(7) & 0xf
    ];
    return kind(`XZ compressed data${check === undefined ? "" : `, checksum ${check}`}`, "application/x-xz");
  }
  if (sample.has("\x28\xb5\x2f\xfd")) return zstandard(sample);
  if (sample.has("\x04\x22\x4d\x18")) return kind("LZ4 compressed data (v1.4+)", "application/x-lz4");
  if (sample.has("LZIP")) return kind(`lzip compressed data, version: ${sample.byte(4)}`, "application/x-lzip");
  if (sample.has("\x1f\x9d")) return kind(`compress'd data ${sample.byte(2) & 0x1f} bits`, "application/x-compress");
  if (sample.has("\xff\x06\0\0sNaPpY")) return kind("snappy framed data", "application/x-snappy-framed");
  if (sample.has("\x5d\0\0") && sample.byte(12) === 0xff) return kind("LZMA compressed data, streamed", "application/x-lzma");
  if (sample.has("\x5d\0\0") && sample.byte(12) === 0) {
    const size = BigInt(sample.uint32(9, "little")) * (1n << 32n) + BigInt(sample.uint32(5, "little"));
    return kind(`LZMA compressed data, non-streamed, size ${size}`, "application/x-lzma");
  }
  if (sample.byte(0) === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(sample.byte(1)) && isDeflate(sample.byte(2)))
    return kind("zlib compressed data", "application/zlib");
  return undefined;
}

/** The two bits after the last-block bit name one of three ways to store a block. */
const isDeflate = (byte: number): boolean => ((byte >> 1) & 3) !== 3;

const GZIP_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0, "FAT filesystem (MS-DOS, OS/2, NT)"],
  [1, "Amiga"],
  [2, "VMS"],
  [3, "Unix"],
  [4, "VM/CMS"],
  [5, "Atari"],
  [6, "HPFS filesystem (OS/2, NT)"],
  [7, "MacOS"],
  [8, "Z-System"],
  [9, "CP/M"],
  [10, "TOPS/20"],
  [11, "NTFS filesystem (NT)"],
  [12, "QDOS"],
  [13, "Acorn RISCOS"],
]);

function gzip(sample: Sample): Kind {
  const parts = ["gzip compressed data"];
  const method = sample.byte(2);
  const flags = sample.byte(3);
  if (method < 8) parts[0] += ", reserved method";
  if (method > 8) parts[0] += ", unknown method";
  if ((flags & 1) !== 0) parts.push("ASCII");
  if ((flags & 2) !== 0) parts.push("has header CRC");
  const extra = (flags & 4) === 0 ? 0 : 2 + sample.uint16(10, "little");
  if (extra > 0) parts.push("extra field");
  if ((flags & 8) !== 0) parts.push(`was "${sample.text(10 + extra, 1024).split("\0")[0] as string}"`);
  if ((flags & 16) !== 0) parts.push("has comment");
  if ((flags & 32) !== 0) parts.push("encrypted");
  const seconds = sample.uint32(4, "little");
  if (seconds > 0) {
    // libmagic reads the time as local, and the stage has no other zone than the caller's; gzip's own is UTC.
    parts.push(`last modified: ${formatTime(localTimes("UTC")(BigInt(seconds) * 1_000_000_000n), "%a %b %e %H:%M:%S %Y")}`);
  }
  if (sample.byte(8) === 2) parts.push("max compression");
  if (sample.byte(8) === 4) parts.push("max speed");
  const system = GZIP_SYSTEMS.get(sample.byte(9));
  if (system !== undefined) parts.push(`from ${system}`);
  if (sample.size >= 4) parts.push(`original size modulo 2^32 ${sample.uint32(sample.size - 4, "little")}`);
  return kind(parts.join(", "), "application/gzip");
}

function zstandard(sample: Sample): Kind {
  const idBytes = [0, 1, 2, 4][sample.byte(4) & 3] as number;
  const start = 5 + ((sample.byte(4) & 0x20) === 0 ? 1 : 0);
  let id = 0;
  for (let at = idBytes - 1; at >= 0; at--) id = id * 256 + sample.byte(start + at);
  return kind(`Zstandard compressed data (v0.8+), Dictionary ID: ${idBytes === 0 ? "None" : id}`, "application/zstd");
}

function packed(sample: Sample): Kind | undefined {
  if (sample.has("PK\x03\x04")) return zip(sample);
  if (sample.has("PK00PK\x03\x04")) return kind("Zip archive data", "application/zip");
  if (sample.has("PK\x07\x08PK\x03\x04")) return kind("Zip multi-volume archive data, at least PKZIP v2.50 to extract", "application/zip");
  if (sample.has("PK\x05\x06")) return kind("Zip archive data (empty)", "application/zip");
  if (sample.has("7z\xbc\xaf\x27\x1c"))
    return kind(`7-zip archive data, version ${sample.byte(6)}.${sample.byte(7)}`, "application/x-7z-compressed");
  if (sample.has("Rar!\x1a\x07\x01\0")) return kind("RAR archive data, v5", "application/x-rar");
  if (sample.has("Rar!\x1a\x07\0")) return kind("RAR archive data", "application/x-rar");
  if (sample.has("!<arch>\ndebian")) return debian(sample);
  if (sample.has("!<arch>\n")) return kind("current ar archive", "application/x-archive");
  if (sample.has("070701")) return kind("ASCII cpio archive (SVR4 with no CRC)", "application/x-cpio");
  if (sample.has("070702")) return kind("ASCII cpio archive (SVR4 with CRC)", "application/x-cpio");
  return undefined;
}

function debian(sample: Sample): Kind {
  const version = sample.text(68, 3).trim();
  const control = /control\.tar(?:\.\w+)?/.exec(sample.text(72, 40))?.[0] ?? "control.tar";
  const controlBytes = Number.parseInt(sample.text(120, 10), 10) || 0;
  const data = /^data\.tar\.(\w+)/.exec(sample.text(132 + controlBytes + (controlBytes % 2), 16))?.[1];
  const compression = data === undefined ? "" : `, data compression ${data}`;
  return kind(`Debian binary package (format ${version}), with ${control}${compression}`, "application/vnd.debian.binary-package");
}

const OFFICE: readonly (readonly [string, string, string])[] = [
  ["word/", "Microsoft Word 2007+", "wordprocessingml.document"],
  ["ppt/", "Microsoft PowerPoint 2007+", "presentationml.presentation"],
  ["xl/", "Microsoft Excel 2007+", "spreadsheetml.sheet"],
];

const OPEN_DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ["text", "Text"],
  ["text-template", "Text Template"],
  ["text-web", "HTML Document Template"],
  ["text-master", "Master Document"],
  ["graphics", "Drawing"],
  ["graphics-template", "Template"],
  ["presentation", "Presentation"],
  ["presentation-template", "Presentation Template"],
  ["spreadsheet", "Spreadsheet"],
  ["spreadsheet-template", "Spreadsheet Template"],
  ["chart", "Chart"],
  ["formula", "Formula"],
  ["database", "Database"],
  ["image", "Image"],
]);

const ZIP_METHODS: ReadonlyMap<number, string> = new Map([
  [0, "store"],
  [1, "Shrinking"],
  [6, "Imploding"],
  [8, "deflate"],
  [9, "deflate64"],
  [10, "Library imploding"],
  [12, "bzip2"],
  [14, "lzma"],
  [18, "IBM TERSE"],
  [19, "IBM LZ77 (z/Architecture)"],
  [20, "Zstd (deprecated)"],
  [93, "zstd"],
  [95, "xz"],
  [96, "Jpeg"],
  [97, "WavPack"],
  [98, "PPMd"],
  [99, "AES Encrypted"],
]);

/** The first member's name says what office programs and the like have made. */
export function zip(sample: Sample): Kind {
  const nameLength = sample.uint16(26, "little");
  const name = sample.text(30, nameLength);
  if (name === "mimetype" && sample.uint16(8, "little") === 0) {
    const mime = /^[\w.+/-]+/.exec(sample.text(38, Math.min(256, sample.uint32(18, "little"))))?.[0] ?? "";
    if (mime === "application/epub+zip") return kind("EPUB document", mime);
    const [, type] = /^application\/vnd\.oasis\.opendocument\.([\w-]+)$/.exec(mime) ?? [];
    const words = type === undefined ? undefined : OPEN_DOCUMENTS.get(type);
    if (words !== undefined) return kind(`OpenDocument ${words}`, mime);
  }
  if (name === "AndroidManifest.xml")
    return kind("Android package (APK), with AndroidManifest.xml", "application/vnd.android.package-archive");
  if (name === "[Content_Types].xml" || name === "_rels/.rels" || name.startsWith("docProps")) {
    const office = officeKind(sample);
    if (office !== undefined) return office;
  }
  const isJar = name.startsWith("META-INF/") && sample.uint16(28, "little") > 0 && sample.uint16(30 + nameLength, "little") === 0xcafe;
  if (isJar) return kind("Java archive data (JAR)", "application/java-archive");
  const version = sample.byte(4);
  const needs = `at least v${Math.floor(version / 10)}.${version % 10} to extract`;
  const number = sample.uint16(8, "little");
  const method = ZIP_METHODS.get(number) ?? `[0x${number.toString(16)}]`;
  return kind(`Zip archive data, ${needs}, compression method=${method}`, "application/zip");
}

/** Bytes of an end of central directory without a comment. */
const ZIP_END_BYTES = 22;

/** A file that is nothing by its beginning, and a zip archive by its end. A pipe's end is not looked at. */
export function zipAtEnd(sample: Sample): Kind | undefined {
  if (!sample.isSeekable || sample.size < ZIP_END_BYTES || !sample.has("PK\x05\x06", sample.size - ZIP_END_BYTES)) return undefined;
  if (!sample.has("#!")) return kind("Zip archive, with extra data prepended", "application/zip");
  const interpreter = sample.text(2, 512).split("\n")[0]?.trim() ?? "";
  if (/(?:^|[/ ])(?:ba|da|k|z|tc|c|fi)?sh\b/.test(interpreter)) return undefined;
  return kind(`a ${interpreter} script executable (Zip archive)`);
}

/** The first member below one of the directories that only one of the programs has. */
function officeKind(sample: Sample): Kind | undefined {
  for (let at = 0, members = 0; members < 8 && sample.has("PK\x03\x04", at); members++) {
    const name = sample.text(at + 30, sample.uint16(at + 26, "little"));
    const found = OFFICE.find(([directory]) => name.startsWith(directory));
    if (found !== undefined) return kind(found[1], `application/vnd.openxmlformats-officedocument.${found[2]}`);
    const next = sample.bytes.indexOf("PK\x03\x04", at + 30, "latin1");
    if (next < 0) break;
    at = next;
  }
  return undefined;
}
