/** The tool over stdio in a hostile tree: lines that read, lines of git, lines that write, and what each must come to. */
import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { GuardedPlace, type Leave } from "./guarded-place.ts";
import type { HostileTree } from "./hostile-tree.ts";
import { type Called, ServerClient } from "./server-client.ts";

export interface DoorResult {
  readonly problems: readonly string[];
  /** Number of doors that were tried. */
  readonly doors: number;
  readonly heldMs: number;
  readonly pingMs: number;
}

const READING_LINES: readonly string[] = [
  "ls -la",
  "find . | tail -n 3000",
  "cat *",
  "grep -rn needle .",
  "rg needle",
  "fd",
  "tree",
  "head *",
  "wc -l *",
  "stat * .[a-z]*",
  "file * .[a-z]*",
  "history",
  "policy",
  "jq . *.json .mcp.json",
  "sort *",
  "ls -laR .shelpa; cat .shelpa/@/* .shelpa/*",
  "cat */* .*/* | head -c 3000; readlink -f * .[a-z]*",
  "find -L . -type f -size -9k -exec head -c 100 {} +",
  'for f in * .[a-z]*; do echo "$f"; test -e "$f" || echo gone; done',
];

const GIT_LINES: readonly string[] = [
  "git status",
  "git log -p",
  "git diff",
  "git show",
  "git blame README.md",
  "git grep needle",
  "git branch -a",
  "git config -l",
  "git ls-files -s",
  "git log --all --stat --show-signature",
  "git diff --cached --textconv --ext-diff",
  "git submodule status; git remote -v; git stash list; git tag -n",
];

/** Never written unasked, wherever they are. */
const GUARDED = [".git/config", ".git/hooks/pre-commit", ".shelpa/x", ".shelpa.toml", ".mcp.json", ".envrc", ".vscode/tasks.json"] as const;

/** In which an answer must follow its limit; and what a machine may take that other work shares. */
const GRACE_MS = 1000;
const SHARED_MACHINE_MS = 10_000;
const MOST_HELD_MS = 250;

/** Extent of a trial: every line, and a look around after each; or every third, from one that differs with `turn`. */
export type Extent = { readonly isWhole: true } | { readonly isWhole: false; readonly turn: number };

function linesFor({ id, lines: own = [], isLarge }: HostileTree, extent: Extent): readonly string[] {
  if (extent.isWhole) return [...READING_LINES, ...GIT_LINES, ...own];
  const isTurn = (_: string, at: number): boolean => (at + extent.turn) % 3 === 0;
  if (isLarge === true) return [...READING_LINES.filter(isTurn), ...own];
  const all = id.startsWith("git")
    ? [...READING_LINES.filter(isTurn), "\n", ...GIT_LINES]
    : [...READING_LINES, ...GIT_LINES].filter(isTurn);
  return [...all.filter((line) => line !== "\n"), ...own];
}

export async function tryStdio(tree: HostileTree, extent: Extent): Promise<DoorResult> {
  const limitSeconds = extent.isWhole ? 3 : 1;
  const guarded = new GuardedPlace(tree);
  const client = new ServerClient(guarded.place, tree.serverArguments ?? []);
  const problems: string[] = [];
  let doors = 0;
  const waitMs = limitSeconds * 1000 + GRACE_MS + SHARED_MACHINE_MS;
  let said = "";
  const lookAround = (where: string, leave: Leave = "nothing"): void => {
    problems.push(...guarded.problems(said, leave).map((what) => `${where}: ${what}`));
    said = "";
  };
  const attempt = async (line: string, leave: Leave = "nothing"): Promise<Called> => {
    doors++;
    const answer = await client.call(line, limitSeconds, waitMs);
    if (answer === undefined) problems.push(`${line}: no answer in ${waitMs} ms`);
    problems.push(...spokenWrongly(answer).map((what) => `${line}: ${what}`));
    said += answer?.whole ?? "";
    if (extent.isWhole || leave !== "nothing") lookAround(line, leave);
    return answer;
  };
  try {
    const starts = await client.ready();
    if (starts !== (tree.starts ?? true))
      problems.push(starts ? "the server starts" : `the server does not start: ${client.program.stderr.slice(0, 300)}`);
    said += client.program.stdout + client.program.stderr;
    lookAround("start");
    if (starts) {
      for (const line of linesFor(tree, extent)) {
        // A server that is deaf stays so: one line says it.
        if ((await attempt(line)) === undefined) break;
      }
      lookAround("lines that read");
      await tryWrites(tree, guarded, attempt, problems);
      const after = await attempt("echo ok");
      if (after === undefined || after.tookMs > GRACE_MS + SHARED_MACHINE_MS)
        problems.push(`echo ok: not within ${GRACE_MS + SHARED_MACHINE_MS} ms`);
      lookAround("lines that are refused");
    }
    return { problems, doors, ...(await ending(client, starts, problems)) };
  } finally {
    client.program.kill();
    guarded.remove();
  }
}

async function tryWrites(
  tree: HostileTree,
  { place, tree: { writes = "done" } }: GuardedPlace,
  attempt: (line: string, leave?: Leave) => Promise<Called>,
  problems: string[],
): Promise<void> {
  for (const path of [...GUARDED, ...(tree.guarded ?? [])]) {
    if ((await attempt(`echo forged | tee '${path}'`)) === undefined) return;
    if (isFileOf(place.root, path, /^forged\n$/)) problems.push(`tee ${path}: written unasked`);
  }
  const made = await attempt("echo made | tee new.txt", ["new.txt"]);
  const more = await attempt("echo more | tee -a README.md", ["README.md", "second"]);
  const before = writes === "either" ? undefined : writes === "done";
  for (const [name, answer, wanted] of [
    ["new.txt", made, /^made\n$/],
    ["README.md", more, /more\n$/],
  ] as const) {
    const isDone = isFileOf(place.root, name, wanted);
    if (answer === undefined) continue;
    if (answer.isDone !== isDone) problems.push(`${name}: the answer and the file do not agree`);
    if (before !== undefined && name === "new.txt" && isDone !== before)
      problems.push(`${name}: ${isDone ? "written" : `not written: ${answer.text.slice(0, 200)}`}`);
  }
  await attempt("history");
}

async function ending(client: ServerClient, starts: boolean, problems: string[]): Promise<{ heldMs: number; pingMs: number }> {
  const { problems: wrong, heldMs } = await client.end();
  problems.push(...wrong);
  if (starts && heldMs > MOST_HELD_MS) problems.push(`the event loop was held for ${Math.round(heldMs)} ms`);
  return { heldMs: starts && Number.isFinite(heldMs) ? heldMs : 0, pingMs: client.longestPingMs };
}

/** Control characters, or half characters, in a text of the answer. */
function spokenWrongly(answer: Called): string[] {
  if (answer === undefined) return [];
  const raw = /[^\P{Cc}\n\t\r]|\r(?!\n)/u.exec(answer.text);
  return [
    ...(raw === null ? [] : [`a raw control character: ${JSON.stringify(answer.text.slice(Math.max(0, raw.index - 40), raw.index + 40))}`]),
    ...(/\\u[dD][89a-fA-F]/.test(answer.whole) && !JSON.stringify(JSON.parse(answer.whole)).isWellFormed()
      ? ["half a character on the wire"]
      : []),
    ...(hasLoneSurrogate(JSON.parse(answer.whole)) ? ["half a character in a string"] : []),
  ];
}

const hasLoneSurrogate = (value: unknown): boolean =>
  typeof value === "string"
    ? !value.isWellFormed()
    : typeof value === "object" && value !== null && Object.entries(value).flat().some(hasLoneSurrogate);

/** True if the root itself has a regular file there that `content` matches; no link is followed, nothing past 1 MiB is read. */
function isFileOf(root: string, name: string, content: RegExp): boolean {
  const path = `${root}/${name}`;
  // Where a file stands in a directory's place, lstat throws what existsSync passes over.
  const status = existsSync(path) ? lstatSync(path) : undefined;
  if (status?.isFile() !== true || status.size > 1 << 20 || realpathSync(path) !== path) return false;
  return content.test(readFileSync(path, "utf8"));
}
