/**
 * A repository of binary files: made, edited, moved, removed, of other modes and types, named by attributes, with line ends of their own,
 * merged, and changed in the index and the working tree; most of the changes are shorter as deltas.
 */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Maker, type ObjectFormatName } from "./git-feature-repositories.ts";
import type { Made } from "./git-repositories.ts";

/** Bytes that do not compress, the same for a seed. */
export function noise(seed: number, count: number): Buffer {
  let state = seed >>> 0;
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** First lines of functions whose bytes are no characters, or are cut in the middle of one. */
const FUNCTION_LINES: readonly Buffer[] = [
  ...["a\0b", "a\xe2\x82\xac", "a\xe2\x82", "a\xed\xa0\x80x", "a\xef\xbf\xbex", "a\xc0\x80x", "a\xf4\x90\x80\x80x", "a \xff"],
  ...["a\xf0\x9f\x98\x80x", "a\xf8\x88\x80\x80\x80x", `f${"\xc3\xbc".repeat(60)}`, `${"f".repeat(78)}\xe2\x82\xac`, "a\x01\x7fb\x80"],
].map((text) => Buffer.from(text, "latin1"));
const LINES_BELOW = `\n${" body\n".repeat(9)}`;

export function makeBinaryRepository(format: ObjectFormatName = "sha1"): Made {
  const maker = new Maker(format);
  const write = (name: string, ...parts: readonly (string | Buffer)[]): void => {
    mkdirSync(dirname(`${maker.path}/${name}`), { recursive: true });
    writeFileSync(`${maker.path}/${name}`, Buffer.concat(parts.map((part) => Buffer.from(part))));
  };
  const remove = (name: string): void => rmSync(`${maker.path}/${name}`);
  const body = noise(1, 40_000);
  maker.git("init", "-q", "-b", "main", ".");
  maker.git("config", "diff.always.binary", "true");
  maker.git("config", "diff.never.binary", "false");
  write(
    ".gitattributes",
    "*.dat -diff\n*.yes diff\n*.sec binary\n*.crlf text eol=crlf\n*.auto text=auto eol=crlf\n*.always diff=always\n*.never diff=never\n",
  );
  write("image.png", body);
  write("d/with space.bin", body.subarray(0, 3000));
  write("d/ü.bin", "\0ü");
  write("runs.bin", Buffer.alloc(100_000));
  write("text.txt", "a\nb\nc\n");
  write("link.dat", "not yet a link\n");
  write("becomes-text", "\0bytes\n");
  write("empty", "");
  for (const name of ["a.dat", "a.yes", "a.sec", "a.crlf", "a.auto", "a.always", "a.never"]) write(name, "one\ntwo\n\0three\n");
  write("plain.dat", "one\ntwo\n");
  write("plain.always", "one\ntwo\n");
  for (const [at, name] of FUNCTION_LINES.entries()) write(`functions/${at}.yes`, name, LINES_BELOW, "old\n");
  maker.commit("one");
  write("image.png", body.subarray(0, 9000), "inserted", body.subarray(9000, 30_000), body.subarray(2000, 5000), body.subarray(31_000));
  write("runs.bin", Buffer.alloc(70_000), "x", Buffer.alloc(80_000, 1));
  write("empty", "\0");
  write("text.txt", "a\nb\nchanged\n");
  for (const [at, name] of FUNCTION_LINES.entries()) write(`functions/${at}.yes`, name, LINES_BELOW, "new\n");
  maker.commit("edited, with text beside");
  maker.git("mv", "image.png", "d/moved.png");
  write("d/moved.png", body, "more");
  chmodSync(`${maker.path}/runs.bin`, 0o755);
  write("d/with space.bin", body.subarray(0, 2000), "!", body.subarray(2000, 3000));
  chmodSync(`${maker.path}/d/with space.bin`, 0o755);
  write("becomes-text", "text\n");
  write("text.txt", "a\nb\n\0\n");
  write("copy.bin", body, "copied");
  maker.commit("moved, copied, other modes");
  for (const name of ["a.dat", "a.yes", "a.sec", "a.crlf", "a.auto", "a.always", "a.never", "plain.dat", "plain.always"])
    write(name, "one\r\n2\n", name, "\0three\n");
  write("plain.dat", "one\n2\n");
  remove("link.dat");
  symlinkSync("text.txt", `${maker.path}/link.dat`);
  remove("d/ü.bin");
  symlinkSync("nowhere", `${maker.path}/d/ü.bin`);
  write("empty", "");
  maker.commit("attributes and links");
  remove("link.dat");
  symlinkSync("another", `${maker.path}/link.dat`);
  write("copy.bin", noise(9, 40_000));
  remove("runs.bin");
  write("15", noise(2, 15), "\0");
  write("16", noise(2, 16), "\0");
  write("17", noise(2, 17), "\0");
  maker.commit("written anew, removed, around a block's length");
  maker.git("checkout", "-q", "-b", "side", "HEAD~2");
  write("copy.bin", body.subarray(100), "on the side");
  maker.commit("on the side");
  maker.git("checkout", "-q", "main");
  maker.tries("merge", "-q", "-m", "merged", "side");
  write("copy.bin", body.subarray(50), "both");
  maker.commit("merged");
  write("15", noise(2, 14), "\0\0\0");
  maker.commit("a file of fifteen bytes");
  write("image.png", body.subarray(5), "stashed");
  maker.git("add", "image.png");
  maker.git("stash", "-q");
  write("staged.bin", body.subarray(0, 500));
  write("16", noise(2, 16), "\0", noise(2, 16));
  maker.git("add", "-A");
  write("staged.bin", body.subarray(0, 400), "working");
  write("d/moved.png", body.subarray(20_000), body.subarray(0, 20_000));
  write("a.auto", "one\r\n2\r\nthree\0\r\n");
  write("intended.bin", "\0new");
  maker.git("add", "-N", "intended.bin");
  remove("17");
  write("untracked.bin", "\0untracked");
  return maker.made();
}
