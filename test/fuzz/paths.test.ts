/**
 * Random trees with links, changed again and again, and random paths through every method of the Workspace: each reaches
 * the file that the model predicts, or is refused as the model predicts. `npm run fuzz -- paths RUNS SEED`: RUNS trees.
 */
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRecorder } from "../../src/audit/recorder.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { corpus, Dice, fuzzRuns, isLongRun } from "./dice.ts";
import { type Found, isFound, PathModel, type Refusal } from "./path-model.ts";

const TREES = fuzzRuns(12, 12);
const STEPS = 40;
const LONG = "n".repeat(255);
const NAMES: readonly string[] = ["a", "b", "A", "c", "é", "e\u0301", "x y", "-n", "...", ".h", "\\", "*", LONG, "a\nb", "root", "outside"];
const SECRET = "CANARY_OUTSIDE_9d20";

/** A row of the corpus: links by name, a path, and what it must be. */
interface Row {
  readonly note: string;
  readonly links: Readonly<Record<string, string>>;
  readonly path: string;
  readonly is: string;
}

test("what once failed, and what shows a rule best", () => {
  for (const { note, links, path, is } of corpus<Row>("paths")) {
    const bed = new TestBed(new Dice("corpus"));
    try {
      bed.file(["d", "f"]);
      bed.file(["f"]);
      for (const [name, target] of Object.entries(links)) bed.link([name], target.replaceAll("ROOT", bed.model.rootPath));
      const typed = path.replaceAll("ROOT", bed.model.rootPath);
      const found = bed.model.resolve(typed, true);
      expect(isFound(found) ? found.names.join("/") : found, `the model: ${note}`).toBe(is);
      bed.expectSame(typed, []);
    } finally {
      bed.close();
    }
  }
});

test(`${TREES} trees: every door as the model says`, { timeout: 60_000 + TREES * 20_000 }, () => {
  let operations = 0;
  for (let at = 0; at < TREES; at++) {
    const dice = new Dice(`paths ${at}`);
    const bed = new TestBed(dice);
    try {
      bed.grow(12 + dice.below(20));
      for (let step = 0; step < STEPS; step++) {
        if (dice.chance(25)) bed.change();
        const from = dice.chance(30) ? dice.pick(bed.model.directories()) : [];
        operations += bed.expectSame(bed.path(), from);
      }
    } finally {
      bed.close();
    }
  }
  if (isLongRun) console.log(`${TREES} trees, ${operations} operations`);
});

class TestBed {
  readonly model: PathModel;
  readonly #place = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-paths-")));
  readonly #dice: Dice;
  readonly #workspace: Workspace;
  #written = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
    mkdirSync(`${this.#place}/root`);
    mkdirSync(`${this.#place}/outside`);
    mkdirSync(`${this.#place}/root-evil`);
    for (const name of ["outside/f", "outside/a", "f", "root-evil/f"]) writeFileSync(`${this.#place}/${name}`, SECRET);
    this.model = new PathModel(`${this.#place}/root`);
    this.#workspace = Workspace.open(this.model.rootPath);
  }

  close(): void {
    this.#workspace.close();
    rmSync(this.#place, { recursive: true });
  }

  #host(names: readonly string[]): string {
    return [this.model.rootPath, ...names].join("/");
  }

  file(names: readonly string[], content = `content of ${names.join("/")}\n`): void {
    const directory = this.#directory(names.slice(0, -1));
    directory.entries.set(names.at(-1) as string, { kind: "file", content });
    writeFileSync(this.#host(names), content);
  }

  link(names: readonly string[], target: string): void {
    this.#directory(names.slice(0, -1)).entries.set(names.at(-1) as string, { kind: "symlink", target });
    symlinkSync(target, this.#host(names));
  }

  #directory(names: readonly string[]) {
    let here = this.model.top;
    for (const name of names) {
      let next = here.entries.get(name);
      if (next === undefined) here.entries.set(name, (next = { kind: "directory", entries: new Map() }));
      if (next.kind !== "directory") throw new Error("not a directory");
      here = next;
    }
    mkdirSync(this.#host(names), { recursive: true });
    return here;
  }

  grow(count: number): void {
    for (let at = 0; at < count; at++) {
      const parent = this.#dice.pick(this.model.directories().filter((names) => names.length < 5));
      const names = [...parent, this.#dice.pick(NAMES)];
      const node = this.model.node(parent);
      if (node.kind !== "directory" || node.entries.has(names.at(-1) as string)) continue;
      const what = this.#dice.below(10);
      if (what < 3) this.#directory(names);
      else if (what < 6) this.file(names);
      else this.link(names, this.path().slice(0, 600) || ".");
    }
  }

  /** Removes, renames or adds something, in the model and on disk. */
  change(): void {
    const parent = this.#dice.pick(this.model.directories());
    const node = this.model.node(parent);
    if (node.kind !== "directory") return;
    const names = [...node.entries.keys()].filter((name) => name !== ".shelpa");
    const name = names.length === 0 ? undefined : this.#dice.pick(names);
    if (name === undefined || this.#dice.chance(40)) return this.grow(2);
    const child = node.entries.get(name);
    if (child === undefined) return;
    node.entries.delete(name);
    const to = this.#dice.pick(NAMES);
    if (this.#dice.chance(50) && !node.entries.has(to)) {
      node.entries.set(to, child);
      renameSync(this.#host([...parent, name]), this.#host([...parent, to]));
    } else rmSync(this.#host([...parent, name]), { recursive: true });
  }

  /** A path: of names that are there and of such as are not, `.`, `..`, `//`, absolute at times, too long at times. */
  path(): string {
    const dice = this.#dice;
    if (dice.chance(2))
      return dice.pick([
        "",
        "/",
        "//",
        ".",
        "..",
        "n".repeat(256),
        `${"a/".repeat(2100)}a`,
        `${"./".repeat(2047)}a`,
        "/etc/passwd",
        "/proc/self/root/etc/passwd",
        "~",
        "/dev/fd/0",
      ]);
    const known = dice.chance(70) ? [...dice.pick(this.model.directories())] : [];
    const names = [
      ...known.slice(0, 1 + dice.below(4)),
      ...dice.some(0, 4, () => (dice.chance(70) ? dice.pick(NAMES) : dice.pick(["..", ".", "", "..", "nothing", "f"]))),
    ];
    if (names.length === 0) names.push(dice.pick(NAMES));
    const text = names.join("/") + (dice.chance(12) ? "/" : "");
    if (dice.chance(75)) return text.replace(/^\/+/, "") || ".";
    const prefix = dice.pick([
      this.model.rootPath,
      this.model.rootPath,
      `${this.#place}//root`,
      `${this.#place}/./root`,
      `${this.#place}/root-evil`,
      `${this.#place}/outside/../root`,
      this.#place,
      "",
      `${this.model.rootPath}/..`,
    ]);
    return `${prefix}/${text}`;
  }

  /** Every door, from the directory `from`. Gives how many. */
  expectSame(path: string, from: readonly string[]): number {
    if (path.includes("\0")) return 0;
    const view = this.#workspace.at(from.join("/"));
    const followed = this.model.resolve(path, true, from);
    const itself = this.model.resolve(path, false, from);
    const where = `${JSON.stringify(path)} from ${JSON.stringify(from.join("/"))}`;
    const check = (door: string, ours: () => string, theirs: string): void => {
      expect(answer(ours), `${door} ${where}`).toBe(theirs);
    };
    check(
      "status",
      () => view.status(path).kind,
      describe(followed, ({ node }) => node.kind),
    );
    check(
      "lstat",
      () => view.status(path, { follow: false }).kind,
      describe(itself, ({ node }) => node.kind),
    );
    check(
      "realPath",
      () => view.realPath(path),
      describe(followed, ({ names }) => names.join("/")),
    );
    check(
      "readLink",
      () => view.readLink(path),
      describe(itself, ({ node }) => (node.kind === "symlink" ? node.target : "EINVAL")),
    );
    check(
      "open",
      () => [...view.open(path).blocks()].map((block) => toText(block)).join(""),
      describe(followed, ({ node }) => (node.kind === "file" ? node.content : "EISDIR")),
    );
    check(
      "list",
      () => {
        const directory = view.openDirectory(path);
        const names = [...directory.entries()].map(({ name }) => name);
        const below = names.map((name) => answer(() => directory.statusOf(name, { follow: true }).kind));
        directory.close();
        return names
          .map((name, at) => `${name} ${below[at]}`)
          .sort()
          .join("\n");
      },
      describe(followed, ({ names, node }) =>
        node.kind !== "directory"
          ? "ENOTDIR"
          : [...node.entries.keys()]
              .filter((name) => names.length > 0 || name !== ".shelpa")
              .map((name) => `${name} ${describe(this.#listed(names, name), (found) => found.node.kind)}`)
              .sort()
              .join("\n"),
      ),
    );
    if (this.#dice.chance(10)) this.#expectWrite(path, from, itself, followed);
    return 6;
  }

  /** A name in a directory that is held: a link in it is read by where the directory is, not by how it was reached. */
  #listed(names: readonly string[], name: string): Found | Refusal {
    const found = this.model.resolve([...names, name].join("/"), true);
    // Whatever the path is that was typed, a link that leads above the root leaves it by the link.
    return found === "PATH_ESCAPE" ? "SYMLINK_ESCAPE" : found;
  }

  /** Writing: to a file or a free name alone, never through a link, and to what the model says. */
  #expectWrite(path: string, from: readonly string[], itself: Found | Refusal, followed: Found | Refusal): void {
    const text = `written ${++this.#written}\n`;
    const recorder = createRecorder(this.#workspace, { session: "s", client: "c", line: "tee", confirmOversize: false });
    let canonical: string | undefined;
    const said = answer(() => {
      const transaction = recorder.begin([path], "overwrite", from.join("/"));
      transaction.write(toBytes(text));
      canonical = transaction.commit()[0]?.path;
      return "written";
    });
    const where = `writing ${JSON.stringify(path)} from ${JSON.stringify(from.join("/"))}`;
    if (said === "written") {
      const names = (canonical as string).split("/");
      const parent = isFound(itself) ? itself.names.slice(0, -1) : undefined;
      if (parent !== undefined) expect(names, where).toEqual((itself as Found).names);
      expect(isFound(itself) ? itself.node.kind : itself, where).toMatch(/^(file|ENOENT)$/);
      this.file(names, text);
    } else if (
      isFound(followed) &&
      followed.node.kind === "file" &&
      isFound(itself) &&
      itself.node.kind === "file" &&
      !path.endsWith("/")
    ) {
      expect(`${where}: ${said}`).toMatch(/AUDIT_UNAVAILABLE|PROTECTED_PATH|NEEDS_APPROVAL|ENAMETOOLONG/);
    }
  }
}

const describe = (result: Found | Refusal, show: (found: Found) => string): string => (isFound(result) ? show(result) : result);

function answer(action: () => string): string {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof FileError) return thrown.code;
    throw thrown;
  }
}
