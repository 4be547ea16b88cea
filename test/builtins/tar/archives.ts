/** Archives made byte by byte: forms that no tar writes any more, and faults that none writes. */
import { toBytes, toText } from "../../../src/io/text.ts";

export interface Fields {
  readonly type?: string;
  readonly mode?: number;
  readonly userId?: number;
  readonly groupId?: number;
  readonly modified?: number;
  readonly link?: string;
  /** "ustar" (the default), "gnu" or "v7". */
  readonly form?: "ustar" | "gnu" | "v7";
  readonly user?: string;
  readonly group?: string;
  readonly device?: readonly [major: number, minor: number];
  readonly prefix?: string;
  readonly size?: number;
  /** Bytes at an offset of the header, before its checksum is reckoned. */
  readonly raw?: Readonly<Record<number, Uint8Array | string>>;
}

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;
const MAGIC = { ustar: "ustar\x0000", gnu: "ustar  \0", v7: "" } as const;

/** A header block. */
export function header(name: string, fields: Fields = {}): Buffer {
  const block = Buffer.alloc(512);
  const put = (at: number, value: string | Uint8Array, most: number): void => {
    const bytes = typeof value === "string" ? toBytes(value) : value;
    block.set(bytes.subarray(0, most), at);
  };
  const { form = "ustar" } = fields;
  put(0, name, 100);
  put(100, octal(fields.mode ?? 0o644, 7), 8);
  put(108, octal(fields.userId ?? 0, 7), 8);
  put(116, octal(fields.groupId ?? 0, 7), 8);
  put(124, octal(fields.size ?? 0, 11), 12);
  put(136, octal(fields.modified ?? 0, 11), 12);
  put(156, fields.type ?? "0", 1);
  put(157, fields.link ?? "", 100);
  put(257, MAGIC[form], 8);
  if (form !== "v7") {
    put(265, fields.user ?? "root", 32);
    put(297, fields.group ?? "root", 32);
    put(329, octal(fields.device?.[0] ?? 0, 7), 8);
    put(337, octal(fields.device?.[1] ?? 0, 7), 8);
    put(345, fields.prefix ?? "", 155);
  }
  for (const [at, value] of Object.entries(fields.raw ?? {})) put(Number(at), value, 512 - Number(at));
  put(148, " ".repeat(8), 8);
  put(
    148,
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    8,
  );
  return block;
}

/** `content` up to the end of its last block. */
export function data(content: string | Uint8Array): Buffer {
  const bytes = typeof content === "string" ? toBytes(content) : Buffer.from(content);
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** A member with its data. */
export const member = (name: string, content = "hi\n", fields: Fields = {}): Buffer =>
  Buffer.concat([header(name, { size: toBytes(content).length, ...fields }), data(content)]);

/** An extended header; type "g" is a global one. */
export function extended(records: readonly (readonly [keyword: string, value: string])[], type: "x" | "g" = "x"): Buffer {
  const text = records.map(([keyword, value]) => record(keyword, value)).join("");
  return member("PaxHeaders/x", text, { type });
}

function record(keyword: string, value: string): string {
  const rest = toBytes(` ${keyword}=${value}\n`).length;
  let length = rest;
  while (String(length).length + rest !== length) length = String(length).length + rest;
  return `${length} ${keyword}=${value}\n`;
}

/** Two blocks of zeros. */
export const END = Buffer.alloc(1024);

/** As the content of a file in a row. */
export const asText = (...parts: readonly Uint8Array[]): string => toText(Buffer.concat(parts));

const longName = (type: "L" | "K", name: string): Buffer => member("././@LongLink", `${name}\0`, { type, form: "gnu" });
const sparse = (name: string, content: string, size: number, pairs: readonly number[]): Buffer =>
  member(name, content, {
    type: "S",
    form: "gnu",
    raw: { 386: pairs.map((number) => octal(number, 11)).join(""), 483: octal(size, 11) },
  });

/** By the name of its file, without `.tar`. */
export const ARCHIVES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    plain: [
      header("d/", { type: "5", mode: 0o755, modified: 1_577_923_200 }),
      member("d/a", "hello\n", { modified: 1_704_164_645 }),
      header("d/l", { type: "2", link: "a", mode: 0o777 }),
      header("d/e/", { type: "5", mode: 0o1777 }),
      member("d/e/b", "bye\n", { mode: 0o4755 }),
      header("d/h", { type: "1", link: "d/a" }),
      END,
    ],
    absolute: [
      ...[member("/etc/x"), member("../up"), member("a/../../b"), member("./ok"), header("hl", { type: "1", link: "/etc/x" })],
      ...[header("sl", { type: "2", link: "/etc/passwd" }), member(".."), member("/"), member(""), END],
    ],
    v7: [member("old", "hi\n", { form: "v7", userId: 7, groupId: 8 }), member("dir/", "", { form: "v7", type: "\0", mode: 0o755 }), END],
    types: [
      header("c", { type: "3", device: [1, 5] }),
      header("b", { type: "4", device: [259, 70_000] }),
      ...[header("p", { type: "6" }), member("C", "hi\n", { type: "7" }), member("Z", "hi\n", { type: "Z" }), header("V", { type: "V" })],
      ...[member("S/", "hi\n"), member("last"), header("data", { size: 600, type: "5" })],
      member("m", "abc", { type: "M", form: "gnu", raw: { 369: "00000001234\0" } }),
      ...[member("D", "Yfoo\0", { type: "D", form: "gnu" }), END],
    ],
    names: [
      ...["a\nb", "t\tb", "\x1b[31mred", "back\\slash", "ü", "\udcff\udcfe", "q'uote\"", "sp ace", "\u202eevil", "\x7f\x01"].map((name) =>
        member(name),
      ),
      END,
    ],
    long: [
      longName("L", "x".repeat(200)),
      member("x".repeat(100)),
      longName("K", "y".repeat(200)),
      header("ln", { type: "2", link: "y" }),
      END,
    ],
    prefix: [member("name", "hi\n", { prefix: "some/dir" }), member("name", "hi\n", { form: "gnu", prefix: "some/dir" }), END],
    pax: [
      extended([
        ["path", "päth/ünï"],
        ["mtime", "1700000000.123456789"],
        ["uname", "me"],
        ["gname", "us"],
        ["uid", "12345678"],
      ]),
      ...[member("short", "abc"), extended([["linkpath", "t".repeat(150)]]), header("lk", { type: "2", link: "t" })],
      ...[extended([["mtime", "-5.5"]]), member("before"), extended([["size", "5"]]), header("sized"), data("12345"), END],
    ],
    keywords: [
      extended([
        ["unknown", "x"],
        ["SCHILY.xattr.user.a", "b"],
        ["LIBARCHIVE.xattr", "1"],
      ]),
      ...[member("a"), extended([["mtime", "abc"]]), member("b"), extended([["size", "-1"]]), member("c")],
      ...[extended([["uid", "99999999999999"]]), member("d"), extended([["path", ""]]), member("e"), END],
    ],
    global: [
      extended(
        [
          ["uname", "glob"],
          ["mtime", "1600000000"],
          ["comment", "deadbeef"],
        ],
        "g",
      ),
      ...[member("one"), extended([["path", "two2"]]), member("two"), END],
    ],
    malformed: [
      ...[member("P", "zz path=p\n", { type: "x" }), member("x1"), member("P", "99 path=abcdefgh\n   ", { type: "x" }), member("x2")],
      ...[member("P", "10path=a\n\0", { type: "x" }), member("x3"), member("P", "10 pathaaa\n", { type: "x" }), member("x4")],
      ...[member("P", "  9 path=a\n\0", { type: "x" }), member("x5"), END],
    ],
    checksum: [member("one"), Buffer.concat([Buffer.from("X"), member("two").subarray(1)]), member("three"), END],
    lone: [member("one"), Buffer.alloc(512), member("two"), END],
    zeros: [member("one"), END, member("two"), END],
    base256: [
      member("big", "hi\n", {
        raw: { 108: Buffer.from("8000000012345678", "hex"), 136: Buffer.from("800000000000000200000000", "hex") },
      }),
      member("before", "hi\n", { raw: { 136: Buffer.from("ffffffffffffffffffffff00", "hex") } }),
      member("never", "", { raw: { 136: Buffer.from("800000007fffffffffffffff", "hex") } }),
      END,
    ],
    forged: [header("forged", { raw: { 124: "77777777777\0" } }), data("x"), member("n"), END],
    negative: [header("forged", { raw: { 124: Buffer.alloc(12, 255) } }), data("x"), member("n"), END],
    digits: [header("bad", { raw: { 100: "abcdefg\0", 136: "zz\0" } }), header("blank", { raw: { 100: " ".repeat(8) } }), member("n"), END],
    owners: [
      ...[member("one", "hi\n", { user: "", group: "", userId: 5, groupId: 6 }), member("n")],
      ...[member("w", "hi\n", { user: "averylongusername", group: "averylonggroupname" }), member("m"), END],
    ],
    twice: [member("a", "1\n"), member("a", "2\n"), member("a/b", "3\n"), member("ab", "4\n"), END],
    empty: [END],
    unended: [member("one")],
    cut: [header("one", { size: 700 }), Buffer.from("x".repeat(600))],
    garbage: [member("one"), END, Buffer.from("garbage".repeat(200))],
    holes: [
      sparse("sp", "A".repeat(512), 4096, [1024, 512, 4096, 0]),
      sparse("bad", "A".repeat(512), 10, [1024, 512]),
      extended([
        ["GNU.sparse.major", "1"],
        ["GNU.sparse.minor", "0"],
        ["GNU.sparse.name", "real"],
        ["GNU.sparse.realsize", "2048"],
      ]),
      header("GNUSparseFile.0/real", { size: 515 }),
      ...[data("1\n1024\n3\n"), data("abc")],
      extended([
        ["GNU.sparse.size", "9"],
        ["GNU.sparse.numblocks", "2"],
        ["GNU.sparse.map", "2,3,7,1"],
      ]),
      ...[header("map", { size: 513 }), data("abc"), data("d"), member("n"), END],
    ],
  }).map(([name, parts]) => [`${name}.tar`, asText(...parts)]),
);
