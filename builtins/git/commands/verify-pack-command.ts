/** git verify-pack: the objects of a pack of the repository, once all of it fits. */
import { isAbsolutePath } from "../../../src/glob/absolute-path.ts";
import { fromWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { formatNamed } from "../objects/object-format.ts";
import { normal } from "../objects/object-store.ts";
import { checkedObjects, type PackedObject } from "../objects/pack-check.ts";
import type { Repository } from "../repository.ts";
import { command } from "./command.ts";
import { limited, SWITCH, VALUE } from "./flags.ts";

export const verifyPack = command({
  flags: {
    "-v": SWITCH,
    "--verbose": SWITCH,
    "-s": SWITCH,
    "--stat-only": SWITCH,
    "--object-format": limited(VALUE, (value = "") =>
      formatNamed(value) === undefined
        ? ["git's object formats are sha1 and sha256", "git verify-pack -v .git/objects/pack/*.idx"]
        : undefined,
    ),
  },
  *run({ options, repository, print, complain }) {
    const typed = [...options.operands, ...(options.paths ?? [])].map(fromWord);
    if (typed.length === 0)
      throw new GitError("usage: git verify-pack [-v | --verbose] [-s | --stat-only] [--] <pack>.idx...", { prefix: "", exit: 129 });
    const format = options.last("--object-format");
    if (format !== undefined && format !== repository.format.name)
      throw new GitError(`--object-format=${format}: the packs of this repository have the object format ${repository.format.name}`, {
        exit: 1,
      });
    const onlyCounts = options.has("-s", "--stat-only");
    const isVerbose = options.has("-v", "--verbose");
    let exit = 0;
    for (const name of typed) {
      const stem = name.replace(/\.(?:idx|pack)$/, "");
      const path = placeOf(repository, stem);
      const pack = repository.objects.packAt(path);
      if (pack === undefined) {
        if (repository.disk.status(`${path}.pack`) !== undefined || repository.disk.status(`${path}.idx`) !== undefined)
          throw new GitError(`${stem}.pack is no whole pack of this repository`);
        complain(`fatal: Cannot open existing pack file '${stem}.idx'\n`);
        if (isVerbose || onlyCounts) print(`${stem}.pack: bad\n`);
        exit = 1;
        continue;
      }
      const objects = yield* checkedObjects(repository.disk, pack, path, repository.format);
      if (isVerbose && !onlyCounts) for (const object of objects) print(objectLine(object));
      if (isVerbose || onlyCounts) print(countLines(objects));
      if (isVerbose && !onlyCounts) print(`${stem}.pack: ok\n`);
    }
    return exit;
  },
});

function placeOf(repository: Repository, typed: string): string {
  const inside = isAbsolutePath(typed) ? repository.disk.files.fromRoot(typed) : undefined;
  if (isAbsolutePath(typed) && inside === undefined) throw new GitError(`${typed}: outside the workspace`);
  const path = normal(inside === undefined ? `${repository.start}/${typed}` : fromWord(inside));
  if (path === undefined) throw new GitError(`${typed}: outside the workspace`);
  return path;
}

const objectLine = ({ id, type, size, bytes, offset, depth, base }: PackedObject): string =>
  `${id} ${type.padEnd(6)} ${size} ${bytes} ${offset}${base === undefined ? "" : ` ${depth} ${base}`}\n`;

function countLines(objects: readonly PackedObject[]): string {
  const counts: number[] = [];
  for (const { depth } of objects) counts[depth] = (counts[depth] ?? 0) + 1;
  let text = "";
  for (const [depth, count = 0] of counts.entries())
    if (count > 0) text += `${depth === 0 ? "non delta" : `chain length = ${depth}`}: ${count} object${count === 1 ? "" : "s"}\n`;
  return text;
}
