/** git stripspace and git interpret-trailers: texts of messages, cleaned and taken apart. */
import { fromWord, withoutOuterSpace, withoutTrailingSpace } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { commentMark, readBlock, unfolded, type Line } from "../log/trailer-block.ts";
import { command } from "./command.ts";
import { noEffect, refused, refusedAll, SWITCH, VALUE } from "./flags.ts";
import { wholeInput } from "./standard-input.ts";

export const stripspace = command({
  worksOutside: true,
  flags: { "-s": SWITCH, "--strip-comments": SWITCH, "-c": SWITCH, "--comment-lines": SWITCH },
  check: (options) =>
    options.has("-s", "--strip-comments") && options.has("-c", "--comment-lines")
      ? ["git stripspace -s and -c are two ways", "git stripspace -s"]
      : undefined,
  *run({ options, repository, print }) {
    if (options.operands.length > 0) throw new GitError("usage: git stripspace [-s | --strip-comments]", { prefix: "", exit: 129 });
    const mark = commentMark(repository.config);
    const text = (yield* wholeInput(repository)).toString("latin1");
    if (options.has("-c", "--comment-lines")) {
      const lines = text.replace(/\n$/, "").split("\n");
      if (text !== "") print(lines.map((line) => `${mark}${line === "" || line.startsWith("\t") ? "" : " "}${line}\n`).join(""));
      return 0;
    }
    const drops = options.has("-s", "--strip-comments");
    let out = "";
    let hasGap = false;
    for (const whole of text.split("\n")) {
      if (drops && whole.startsWith(mark)) continue;
      const line = withoutTrailingSpace(whole);
      if (line !== "") out += `${hasGap && out !== "" ? "\n" : ""}${line}\n`;
      hasGap = line === "";
    }
    print(out);
    return 0;
  },
});

const WRITES = "files are not changed here: the result is printed";
const WORKS = "git log -1 --format=%B | git interpret-trailers --parse";
const PLACES = "trailers are added below those that are there";

export const interpretTrailers = command({
  worksOutside: true,
  flags: {
    "--parse": SWITCH,
    "--only-trailers": SWITCH,
    "--only-input": SWITCH,
    "--unfold": SWITCH,
    "--no-divider": SWITCH,
    "--divider": SWITCH,
    "--trim-empty": SWITCH,
    "--trailer": VALUE,
    "--no-where": noEffect(PLACES),
    "--no-if-exists": noEffect(PLACES),
    "--no-if-missing": noEffect(PLACES),
    "--in-place": refused(WRITES, WORKS),
    ...refusedAll(["--where", "--if-exists", "--if-missing"], PLACES, WORKS, "value"),
  },
  check: (options) =>
    options.has("--trailer") && options.has("--only-input", "--parse")
      ? ["git interpret-trailers --trailer with --only-input: nothing would be added", WORKS]
      : undefined,
  *run({ options, repository, print, complain }) {
    const setting = repository.config.settings.find(({ name }) => name.startsWith("trailer."));
    if (setting !== undefined) throw new GitError(`${setting.name} is set, which is not read here`);
    const mark = commentMark(repository.config);
    const files = [...options.operands, ...(options.paths ?? [])].map(fromWord);
    const texts: string[] = [];
    for (const typed of files) {
      const path = repository.fromHere(typed);
      repository.denied.check(path);
      const place = repository.inWorktree(path);
      const bytes = repository.disk.status(place, true)?.kind === "file" ? repository.disk.read(place) : undefined;
      if (bytes === undefined) throw new GitError(`could not read input file '${typed}': No such file or directory`);
      texts.push(bytes.toString("latin1"));
    }
    if (files.length === 0) texts.push((yield* wholeInput(repository)).toString("latin1"));
    const isParse = options.has("--parse");
    const added = options.all("--trailer").flatMap((word) => {
      const trailer = typedTrailer(fromWord(word));
      if (trailer === undefined) complain(`error: empty trailer token in trailer '${fromWord(word)}'\n`);
      return trailer ?? [];
    });
    const onlyTrailers = isParse || options.has("--only-trailers");
    for (const text of texts) {
      const block = readBlock(text, mark, options.lastOf("--no-divider", "--divider") !== "--no-divider");
      const lines = block.lines
        .filter((line) => !line.text.startsWith(mark))
        .map((line): Line => (isParse || options.has("--unfold") ? unfolded(line) : line));
      for (const trailer of added) addTrailer(lines, trailer);
      if (!onlyTrailers) print(text.slice(0, block.start) + (block.hasGap ? "" : "\n"));
      for (const line of lines) {
        if ((options.has("--trim-empty") && line.value === "") || (onlyTrailers && line.key === undefined)) continue;
        print(
          line.key === undefined
            ? `${line.value}\n`
            : line.key === ""
              ? ""
              : `${line.key}${line.key.endsWith(":") ? "" : ": "}${line.value}\n`,
        );
      }
      if (!onlyTrailers) print(text.slice(block.end));
      yield;
    }
    return 0;
  },
});

/** Of `key: value` or `key=value`; all of it, where no separator is. Undefined where the key is empty. */
function typedTrailer(typed: string): Line | undefined {
  const [, key = typed, value = ""] = /^([A-Za-z0-9-]*[ \t]*)[:=]([^]*)$/.exec(typed) ?? [];
  return key === "" ? undefined : { key: withoutOuterSpace(key), value: withoutOuterSpace(value) };
}

/** Adds a trailer at the end, unless the last line says it already. */
function addTrailer(lines: Line[], trailer: Line): void {
  const last = lines.at(-1);
  const isSame =
    last?.key !== undefined && isSameKey(last.key, trailer.key ?? "") && last.value.toLowerCase() === trailer.value.toLowerCase();
  if (!isSame) lines.push(trailer);
}

/** One of them may be the beginning of the other. */
function isSameKey(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).toLowerCase() === b.slice(0, length).toLowerCase();
}
