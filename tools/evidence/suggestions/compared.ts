/** A refused line in the real bash and its `try:` here, each in the same tree at the same path: what they print, end with and leave. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DEFAULT_POLICY, type RedirectPolicy } from "../../../src/config/policy.ts";
import { Shell } from "../../../src/session/shell.ts";

/** Time for one line, in milliseconds. */
const LINE_MS = 10_000;
const MOST_OUTPUT_BYTES = 16 << 20;

export interface Done {
  readonly exit: number;
  /** latin1: one unit, one byte. */
  readonly stdout: string;
  readonly stderr: string;
  /** Every file of the tree with its content; the scratch in `.shelpa` and git's own index are left out. */
  readonly tree: ReadonlyMap<string, string>;
}

export type Verdict =
  | { readonly kind: "equal" }
  | { readonly kind: "differs"; readonly why: string }
  /** The real line's end shows nothing about the intention: a program that is not installed, no network, another output each time. */
  | { readonly kind: "not comparable"; readonly why: string };

export interface RealShell {
  /** Directories that PATH begins with. */
  readonly tools?: string | undefined;
  /** A script that holds a command in a directory (`SCRIPT DIR COMMAND…`); for lines that others wrote. */
  readonly sandbox?: string | undefined;
}

/** A tree that is put back as it was before each line. */
export class Place {
  readonly root: string;
  readonly #holder: string;
  readonly #prepare: () => void;
  #pristine: ReadonlyMap<string, string>;

  /** `setup`: a script of bash that prepares the tree, with $ROOT and $OUT set; it is run in the sandbox that is given with it. */
  constructor(source: string, setup?: { readonly script: string; readonly sandbox: string }) {
    this.#holder = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-try-")));
    // The root's own name is that of the tree: lines may hold it.
    this.root = join(this.#holder, basename(source));
    mkdirSync(this.root);
    this.#prepare = () => {
      execFileSync("cp", ["-a", "--", `${source}/.`, this.root]);
      if (setup === undefined) return;
      const env = { ...process.env, ROOT: this.root, OUT: `${this.root}-evil` };
      const script = setup.script.replaceAll("{root}", this.root);
      spawnSync("bash", [setup.sandbox, this.root, "bash", "-c", script], { env, stdio: "ignore", timeout: LINE_MS });
    };
    this.#prepare();
    this.#pristine = treeAt(this.root);
  }

  /** The tree as it was; nothing is copied where nothing has changed. */
  restore(): void {
    if (difference(this.#pristine, treeAt(this.root)) === undefined) return;
    removeAll(readdirSync(this.root).map((name) => join(this.root, name)));
    this.#prepare();
    this.#pristine = treeAt(this.root);
  }

  remove(): void {
    removeAll([this.#holder]);
  }
}

/** By rm, which goes down trees that are deeper than rmSync's recursion. */
const removeAll = (paths: readonly string[]): void => void execFileSync("rm", ["-rf", "--", ...paths]);

/** `line` in the real bash, with empty standard input. */
export function doneByBash(place: Place, line: string, cwd: string, { tools, sandbox }: RealShell): Promise<Done> {
  place.restore();
  const env = {
    PATH: `${tools === undefined ? "" : `${tools}:`}/usr/local/bin:/usr/bin:/bin`,
    HOME: place.root,
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    TERM: "dumb",
  };
  const bash = ["bash", "-c", 'cd -- "$1" && eval -- "$2"', "bash", join(place.root, cwd), line];
  const [command, ...words] = sandbox === undefined ? bash : ["bash", sandbox, place.root, ...bash];
  return new Promise((resolve, reject) => {
    const child = spawn(command as string, words, {
      cwd: place.root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LINE_MS,
      killSignal: "SIGKILL",
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let bytes = 0;
    const keep = (blocks: Buffer[]) => (block: Buffer) => {
      bytes += block.length;
      if (bytes > MOST_OUTPUT_BYTES) child.kill("SIGKILL");
      else blocks.push(block);
    };
    child.stdout.on("data", keep(out));
    child.stderr.on("data", keep(err));
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({
        exit: code ?? -1,
        stdout: Buffer.concat(out).toString("latin1"),
        stderr: Buffer.concat(err).toString("latin1"),
        tree: treeAt(place.root),
      }),
    );
  });
}

/** `line` here; undefined where it is refused or does not end by itself. */
export async function doneHere(place: Place, line: string, cwd: string, redirects: RedirectPolicy): Promise<Done | undefined> {
  place.restore();
  const shell = await Shell.open({
    root: place.root,
    isolation: "none",
    policy: { ...DEFAULT_POLICY, redirects },
    timeZone: "UTC",
    limits: { timeMs: LINE_MS },
  });
  try {
    const { result, stdout, stderr } = await shell.newSession().run(line, { cwd, keepBytes: MOST_OUTPUT_BYTES });
    if (result.kind !== "completed") return undefined;
    return { exit: result.exit, stdout: stdout.toString("latin1"), stderr: stderr.toString("latin1"), tree: treeAt(place.root) };
  } finally {
    await shell.close();
  }
}

export interface SuggestedLine {
  readonly line: string;
  readonly suggestion: string;
  readonly cwd: string;
  readonly redirects: RedirectPolicy;
}

export async function compared(place: Place, { line, suggestion, cwd, redirects }: SuggestedLine, real: RealShell): Promise<Verdict> {
  const want = await doneByBash(place, line, cwd, real);
  const open = notComparable(want);
  if (open !== undefined) return { kind: "not comparable", why: open };
  const got = await doneHere(place, suggestion, cwd, redirects);
  if (got === undefined) return { kind: "differs", why: "it does not run" };
  const why = unlike(want, got);
  if (why === undefined) return { kind: "equal" };
  const again = unlike(want, await doneByBash(place, line, cwd, real));
  return again === undefined ? { kind: "differs", why } : { kind: "not comparable", why: `it does not end the same twice: ${again}` };
}

/** Why the end of the real line shows nothing about the intention; undefined where it does. */
export function notComparable({ exit, stderr }: Done): string | undefined {
  if (exit === -1) return "it does not end in time, or prints too much";
  const missing = /: ([^\s:]+): (?:command not found|No such file or directory)\n/.exec(stderr)?.[1];
  if (exit === 127 || /: command not found\n/.test(stderr)) return `not installed: ${missing ?? "a program"}`;
  if (/network|resolve host|Temporary failure in name resolution/i.test(stderr)) return "it needs a network";
  return undefined;
}

/** The first thing that is not the same. */
function unlike(want: Done, got: Done): string | undefined {
  if (want.stdout !== got.stdout) return firstLine("standard output", want.stdout, got.stdout);
  if (want.exit !== got.exit) return `exit ${got.exit}, not ${want.exit}`;
  const changed = difference(want.tree, got.tree);
  return changed === undefined ? undefined : `the tree: ${changed}`;
}

function firstLine(what: string, want: string, got: string): string {
  const [wanted, gotten] = [want.split("\n"), got.split("\n")];
  const at = wanted.findIndex((text, index) => text !== gotten[index]);
  const from = at < 0 ? wanted.length : at;
  return `${what}, line ${from + 1}: ${shown(gotten[from])}, not ${shown(wanted[from])}`;
}

const MOST_SHOWN = 120;
const shown = (text: string | undefined): string => (text === undefined ? "its end" : JSON.stringify(text.slice(0, MOST_SHOWN)));

function difference(want: ReadonlyMap<string, string>, got: ReadonlyMap<string, string>): string | undefined {
  for (const [path, content] of want) if (got.get(path) !== content) return `${path}${got.has(path) ? "" : " is missing"}`;
  for (const path of got.keys()) if (!want.has(path)) return `${path} should not be there`;
  return undefined;
}

function treeAt(root: string): ReadonlyMap<string, string> {
  const tree = new Map<string, string>();
  const enter = (directory: string): void => {
    // Names are bytes: latin1 holds each as one unit.
    for (const name of readdirSync(bytesOf(join(root, directory)), { encoding: "latin1" }).sort()) {
      const path = directory === "" ? name : `${directory}/${name}`;
      if (path === ".shelpa" || path === ".git/index") continue;
      const whole = bytesOf(`${root}/${path}`);
      const stat = lstatSync(whole);
      if (stat.isDirectory()) {
        tree.set(path, "directory");
        enter(path);
      } else if (stat.isSymbolicLink()) tree.set(path, `link ${readlinkSync(whole, { encoding: "latin1" })}`);
      else tree.set(path, stat.isFile() ? `${stat.mode & 0o777} ${stat.size > MOST_DIGESTED_BYTES ? stat.size : digest(whole)}` : "other");
    }
  };
  enter("");
  return tree;
}

const bytesOf = (path: string): Buffer => Buffer.from(path, "latin1");
const MOST_DIGESTED_BYTES = 32 << 20;
const digest = (path: Buffer): string => createHash("sha256").update(readFileSync(path)).digest("hex");
