/** git count-objects and git hash-object: what is stored, and under which name something would be. */
import { fromWord } from "../objects/byte-text.ts";
import type { Disk } from "../objects/disk.ts";
import { storedForm } from "../worktree/conversion.ts";
import { GitError } from "../git-error.ts";
import type { Repository } from "../repository.ts";
import { command } from "./command.ts";
import { wholeInput } from "./standard-input.ts";
import { limited, refused, SWITCH, VALUE } from "./flags.ts";
import { readIndex, entryOf } from "../worktree/index-file.ts";
import { humanBytes } from "./human-bytes.ts";

export const countObjects = command({
  flags: { "-v": SWITCH, "--verbose": SWITCH, "-H": SWITCH, "--human-readable": SWITCH },
  *run({ options, repository, print, complain }) {
    const [own = "", ...others] = repository.objects.directories;
    const { disk } = repository;
    const isVerbose = options.has("-v", "--verbose");
    const loose = looseObjects(repository, own);
    yield;
    const size = (bytes: number): string => (options.has("-H", "--human-readable") ? humanBytes(bytes) : String(Math.floor(bytes / 1024)));
    if (!isVerbose) {
      print(`${loose.ids.length} objects, ${size(loose.bytes)}${options.has("-H", "--human-readable") ? "" : " kilobytes"}\n`);
      return 0;
    }
    const stored = packDirectory(disk, `${own}/pack`);
    const packed = repository.objects.packedIn(own);
    const garbage = [...loose.garbage, ...stored.garbage];
    for (const { path } of garbage) complain(`warning: garbage found: ${shownPlace(repository, path)}\n`);
    print(
      [
        `count: ${loose.ids.length}`,
        `size: ${size(loose.bytes)}`,
        `in-pack: ${packed.count}`,
        `packs: ${stored.packs}`,
        `size-pack: ${size(stored.bytes)}`,
        `prune-packable: ${loose.ids.filter((id) => packed.has(id)).length}`,
        `garbage: ${garbage.length}`,
        `size-garbage: ${size(garbage.reduce((sum, { bytes }) => sum + bytes, 0))}`,
        ...others.map((place) => `alternate: ${fromWord(disk.absolute(place))}`),
        "",
      ].join("\n"),
    );
    return 0;
  },
});

interface Garbage {
  readonly path: string;
  readonly bytes: number;
}

/** Bytes are those of whole blocks, as the disk has them. */
function looseObjects(
  { disk, format }: Repository,
  directory: string,
): { readonly ids: readonly string[]; readonly bytes: number; readonly garbage: readonly Garbage[] } {
  const ids: string[] = [];
  const garbage: Garbage[] = [];
  let bytes = 0;
  for (const { name: first } of disk.list(directory) ?? []) {
    if (!/^[0-9a-f]{2}$/.test(first)) continue;
    for (const { name, kind } of disk.list(`${directory}/${first}`) ?? []) {
      const path = `${directory}/${first}/${name}`;
      const status = disk.status(path);
      if (!format.isId(first + name) || kind !== "file" || status === undefined) {
        garbage.push({ path, bytes: status?.size ?? 0 });
        continue;
      }
      ids.push(first + name);
      bytes += status.blocks * 512;
    }
  }
  return { ids, bytes, garbage };
}

/** Packs with an index, and what is no part of one. */
function packDirectory(
  disk: Disk,
  directory: string,
): { readonly packs: number; readonly bytes: number; readonly garbage: readonly Garbage[] } {
  const names = (disk.list(directory) ?? []).map(({ name }) => name);
  const size = (name: string): number => disk.status(`${directory}/${name}`)?.size ?? 0;
  const packs = names
    .filter((name) => name.endsWith(".idx") && names.includes(`${name.slice(0, -4)}.pack`))
    .map((name) => name.slice(0, -4));
  const isPart = (name: string): boolean =>
    name.startsWith("multi-pack-index") ||
    packs.some((pack) => [".idx", ".pack", ".rev", ".bitmap", ".keep", ".promisor", ".mtimes"].some((end) => name === pack + end));
  return {
    packs: packs.length,
    bytes: packs.reduce((sum, pack) => sum + size(`${pack}.idx`) + size(`${pack}.pack`), 0),
    garbage: names.filter((name) => !isPart(name)).map((name) => ({ path: `${directory}/${name}`, bytes: size(name) })),
  };
}

/** As git names it from where it stands. */
const shownPlace = ({ disk, gitDirectory, prefix }: Repository, path: string): string =>
  prefix === "" && path.startsWith(`${gitDirectory}/`) ? `.git${path.slice(gitDirectory.length)}` : fromWord(disk.absolute(path));

const HASH_FLAGS = {
  "-t": limited(VALUE, (type) =>
    type === "blob" || type === "tree"
      ? undefined
      : ["commits and tags that are given as files are not checked here", "git hash-object FILE"],
  ),
  "--stdin": SWITCH,
  "--no-filters": SWITCH,
  "--path": VALUE,
  "-w": refused("the repository is only read here", "git hash-object FILE"),
  "--stdin-paths": SWITCH,
  "--literally": refused("objects of other types are not made here", "git hash-object FILE"),
} as const;

export const hashObject = command({
  flags: HASH_FLAGS,
  *run(run) {
    const { options, repository, print } = run;
    const under = options.last("--path");
    if (under !== undefined && options.has("--no-filters"))
      throw new GitError("Can't use --path with --no-filters", { prefix: "error: ", exit: 129 });
    const isRaw = options.has("--no-filters");
    const idOf = (bytes: Buffer, path: string | undefined): string =>
      options.last("-t") === "tree" ? treeId(repository, bytes) : blobId(repository, bytes, path);
    const listsPaths = options.has("--stdin-paths");
    if (listsPaths && (options.has("--stdin") || under !== undefined || options.operands.length > 0))
      throw new GitError(
        options.has("--stdin")
          ? "Can't use --stdin-paths with --stdin"
          : options.operands.length > 0
            ? "Can't specify files with --stdin-paths"
            : "Can't use --stdin-paths with --path",
        { prefix: "error: ", exit: 129 },
      );
    const listed = listsPaths ? (yield* wholeInput(repository)).toString("latin1").replace(/\n$/, "").split("\n") : [];
    if (options.has("--stdin")) {
      const bytes = yield* wholeInput(repository);
      print(`${idOf(bytes, isRaw || under === undefined ? undefined : fromWord(under))}\n`);
    }
    for (const typed of [...options.operands, ...(options.paths ?? [])].map(fromWord).concat(listed[0] === "" ? [] : listed)) {
      const path = repository.fromHere(typed);
      const place = repository.inWorktree(path);
      if (repository.disk.status(place, true)?.kind === "directory") throw new GitError(`Unable to hash ${isRaw ? "(null)" : path}`);
      repository.denied.check(path);
      const bytes = repository.disk.read(place);
      if (bytes === undefined) throw new GitError(`could not open '${path}' for reading: No such file or directory`);
      print(`${idOf(bytes, isRaw ? undefined : under === undefined ? path : fromWord(under))}\n`);
      yield;
    }
    return 0;
  },
});

/** `path`: whose attributes say how it is stored; undefined: as it is. */
function blobId(repository: Repository, bytes: Buffer, path: string | undefined): string {
  if (path === undefined) return repository.format.idOf("blob", bytes);
  const entry = entryOf(readIndex(repository), path);
  const stored = (): Buffer | undefined => (entry === undefined ? undefined : repository.objects.find(entry.id)?.data);
  return repository.format.idOf("blob", storedForm(repository, path, bytes, stored).bytes);
}

/** Throws GitError where the bytes are no list of entries: mode, blank, name, NUL, id. */
function treeId({ format }: Repository, bytes: Buffer): string {
  const idBytes = format.idDigits / 2;
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < idBytes + 3 || bytes[bytes.length - (idBytes + 1)] !== 0) throw new GitError("too-short tree object");
    const [mode] = /^[0-7]+ /.exec(bytes.toString("latin1", at, at + 64)) ?? [];
    if (mode === undefined) throw new GitError("malformed mode in tree entry");
    const end = bytes.indexOf(0, at);
    if (end === at + mode.length) throw new GitError("empty filename in tree entry");
    at = end + 1 + idBytes;
    if (at > bytes.length) throw new GitError("too-short tree file");
  }
  return format.idOf("tree", bytes);
}
