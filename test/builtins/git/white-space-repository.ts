/** A repository whose files differ in white space, blank lines, modes and bytes, in the working tree and between its commits. */
import { chmodSync } from "node:fs";
import { Maker } from "./git-feature-repositories.ts";
import type { Made } from "./git-repositories.ts";

export function makeWhiteSpaceRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main", ".");
  for (const name of ["spaces", "lines", "mode", "gone"]) maker.write(name, "a\nb\nc\n");
  maker.write("blank", "a\nb\n");
  maker.write("binary", "x\0y");
  for (const [name, text] of [
    ["cut", "a\nb\r\nc"],
    ["cut-return", "a\nb\nc\r"],
    ["joined", "a\r\nb"],
  ] as const)
    maker.write(name, text);
  maker.commit("one");
  maker.write("spaces", "a\nb\n\tc\n");
  maker.write("added", "");
  maker.write("new", "n\n");
  for (const [name, text] of [
    ["cut", "a\r\nb\nc\r\nd"],
    ["cut-return", "a\nb\nc\r\n"],
    ["joined", "a\nb\nc\nb\r\n"],
  ] as const)
    maker.write(name, text);
  maker.commit("two");
  maker.write("lines", "a\nb  \nc\n");
  maker.git("stash", "-q");
  maker.write("spaces", "a \nb\n\tc\n");
  maker.write("lines", "a\nB \nc\nd\t\n");
  maker.write("blank", "a\n\n\nb\n\n");
  maker.write("binary", "x\0z");
  chmodSync(`${maker.path}/mode`, 0o755);
  maker.git("rm", "-q", "--cached", "gone");
  return maker.made();
}
