/** Documents, fonts, data bases, keys and what else has a fixed beginning. */
import { kind, type Kind, type Sample } from "./sample.ts";

export function documentKind(sample: Sample): Kind | undefined {
  return fixed(sample) ?? pdf(sample) ?? font(sample) ?? data(sample);
}

/** What its first bytes tell alone. */
function fixed(sample: Sample): Kind | undefined {
  const found = BEGINNINGS.find(([beginning]) => sample.has(beginning));
  return found && kind(found[1], found[2]);
}

const BEGINNINGS: readonly (readonly [string, string, string])[] = [
  ["-----BEGIN CERTIFICATE REQUEST", "PEM certificate request", "text/plain"],
  ["-----BEGIN CERTIFICATE-----", "PEM certificate", "text/plain"],
  ["-----BEGIN RSA PRIVATE", "PEM RSA private key", "text/plain"],
  ["-----BEGIN DSA PRIVATE", "PEM DSA private key", "text/plain"],
  ["-----BEGIN EC PRIVATE", "PEM EC private key", "text/plain"],
  ["-----BEGIN OPENSSH PRIVATE", "OpenSSH private key", "text/plain"],
  ["-----BEGIN PGP MESSAGE-", "PGP message", "application/pgp-encrypted"],
  ["-----BEGIN PGP PUBLIC KEY BLOCK-", "PGP public key block", "application/pgp-keys"],
  ["-----BEGIN PGP SIGNATURE-", "PGP signature", "application/pgp-signature"],
  ["ssh-rsa AAAA", "OpenSSH RSA public key", "text/plain"],
  ["ssh-ed25519 AAAA", "OpenSSH ED25519 public key", "text/plain"],
  ["BEGIN:VCALENDAR", "vCalendar calendar file", "text/calendar"],
  ["REGEDIT4", "Windows Registry text (Win95 or above)", "text/x-ms-regedit"],
  ["/* XPM */", "X pixmap image text", "image/x-xpixmap"],
  ["%!PS-Adobe-3.0 EPSF-3.0", "PostScript document text conforming DSC level 3.0, type EPS", "application/postscript"],
  ["%!PS-Adobe-3.0", "PostScript document text conforming DSC level 3.0", "application/postscript"],
  ["%!", "PostScript document text", "application/postscript"],
  ["{\\rtf1\\ansi", "Rich Text Format data, version 1, ANSI", "text/rtf"],
  ["{\\rtf1", "Rich Text Format data, version 1, unknown character set", "text/rtf"],
  ["\0\0\0\x01Bud1", "Apple Desktop Services Store", "application/octet-stream"],
  ["bplist", "Apple binary property list", "text/plain"],
  ["PAR1", "Apache Parquet", "application/octet-stream"],
  ["\x89HDF\r\n\x1a\n", "Hierarchical Data Format (version 5) data", "application/x-hdf5"],
];

function pdf(sample: Sample): Kind | undefined {
  if (!sample.has("%PDF-")) return undefined;
  const version = /^%PDF-(\d)\.(\d)/.exec(sample.text(0, 8));
  const pages = /\/Type ?\/Pages[^>]{0,256}?\/Count ?(\d+)/.exec(sample.beginning)?.[1];
  const shown = version === null ? "" : `, version ${version[1]}.${version[2]}`;
  return kind(`PDF document${shown}${pages === undefined ? "" : `, ${Number(pages)} page${pages === "1" ? "s" : "s"}`}`, "application/pdf");
}

function font(sample: Sample): Kind | undefined {
  if (sample.has("\0\x01\0\0\0") && sample.byte(5) > 0 && sample.byte(5) < 47) {
    return kind(`TrueType Font data, ${sample.uint16(4, "big")} tables, 1st "${sample.text(12, 4).trimEnd()}"`, "font/sfnt");
  }
  if (sample.has("OTTO")) return kind("OpenType font data", "application/vnd.ms-opentype");
  if (sample.has("ttcf")) {
    const words = `${sample.uint16(4, "big")}.${sample.uint16(6, "big")}, ${sample.uint32(8, "big")} fonts, at ${sample.uint32(12, "big")}`;
    return kind(`TrueType font collection data, ${words}`, "font/ttf");
  }
  for (const [beginning, name, mime, at] of [
    ["wOFF", "Web Open Font Format", "font/woff", 20],
    ["wOF2", "Web Open Font Format (Version 2)", "font/woff2", 24],
  ] as const) {
    if (!sample.has(beginning)) continue;
    const flavor = sample.has("OTTO", 4)
      ? "CFF"
      : sample.has("\0\x01\0\0", 4)
        ? "TrueType"
        : "flavor 0x" + sample.uint32(4, "big").toString(16);
    const version = `${sample.uint16(at, "big")}.${sample.uint16(at + 2, "big")}`;
    return kind(`${name}, ${flavor}, length ${sample.uint32(8, "big")}, version ${version}`, mime);
  }
  return undefined;
}

function data(sample: Sample): Kind | undefined {
  if (sample.has("SQLite format 3\0")) return sqlite(sample);
  if (sample.has("PACK"))
    return kind(`Git pack, version ${sample.uint32(4, "big")}, ${sample.uint32(8, "big")} objects`, "application/x-git");
  if (sample.has("\xfftOc")) return kind(`Git pack index, version ${sample.uint32(4, "big")}`);
  if (sample.has("DIRC")) return kind(`Git index, version ${sample.uint32(4, "big")}, ${sample.uint32(8, "big")} entries`);
  if (sample.has("\x93NUMPY")) {
    const version = `${sample.byte(6)}.${sample.byte(7)}`;
    return kind(`NumPy array, version ${version}, header length ${sample.uint16(8, "little")}`);
  }
  if (sample.has("Cr24")) return kind(`Google Chrome extension, version ${sample.uint32(4, "little")}`, "application/x-chrome-extension");
  if (/^commit [0-9a-f]{40}\b/.test(sample.text(0, 48))) return kind(`Git commit ${sample.text(7, 40)}`, "text/plain");
  if (sample.has("CD001", 32769)) return kind(isoName(sample), "application/x-iso9660-image");
  return undefined;
}

function isoName(sample: Sample): string {
  const name = sample.text(32808, 32).trimEnd().replace(/\0+$/, "");
  return name === "" ? "ISO 9660 CD-ROM filesystem data" : `ISO 9660 CD-ROM filesystem data '${name}'`;
}

function sqlite(sample: Sample): Kind {
  const at = (offset: number): number => sample.uint32(offset, "big");
  const encoding = ["", ", UTF-8", ", UTF-16 little endian", ", UTF-16 big endian"][at(56)] ?? "";
  const parts = ["SQLite 3.x database"];
  if (at(60) !== 0) parts.push(`user version ${at(60)}`);
  parts.push(`last written using SQLite version ${at(96)}`);
  if (sample.uint16(16, "big") !== 4096) parts.push(`page size ${sample.uint16(16, "big") === 1 ? 65536 : sample.uint16(16, "big")}`);
  if (sample.byte(18) === 2) parts.push("writer version 2");
  if (sample.byte(19) === 2) parts.push("read version 2");
  parts.push(`file counter ${at(24)}`, `database pages ${at(28)}`);
  if (at(32) !== 0) parts.push(`1st free page ${at(32)}`);
  if (at(36) !== 0) parts.push(`free pages ${at(36)}`);
  parts.push(`cookie 0x${at(40).toString(16)}`);
  if (at(44) !== 0) parts.push(`schema ${at(44)}`);
  if (at(48) !== 0) parts.push(`cache page size ${at(48)}`);
  if (at(52) !== 0) parts.push(`largest root page ${at(52)}`);
  return kind(`${parts.join(", ")}${encoding}, version-valid-for ${at(92)}`, "application/vnd.sqlite3");
}
