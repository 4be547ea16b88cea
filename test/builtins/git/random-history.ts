/**
 * Histories put together by chance, and lines that limit them to paths, dates and ranges: merges that keep one side, both or neither,
 * several roots, and dates that are equal or run backwards.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { ENVIRONMENT, type Made } from "./git-repositories.ts";

const FILES = ["a", "b", "d/c", "d/e"] as const;
const FIRST_SECONDS = 1_700_000_000;

type Random = (below: number) => number;

function randomOf(seed: number): Random {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const commitCount = (random: Random): number => 10 + random(30);

interface Drawn {
  readonly files: ReadonlyMap<string, string>;
  readonly seconds: number;
}

/** Ten to forty commits: `side0`, `side1` and so on, every fourth also tagged `c0`, `c4`; `main` is the last. No file is checked out. */
export function makeRandomHistory(seed: number): Made {
  const random = randomOf(seed);
  const path = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-git-history-`));
  const drawn: Drawn[] = [];
  let input = "";
  for (let at = 0, count = commitCount(random); at < count; at++) {
    const isRoot = at === 0 || random(25) === 0;
    const parents = isRoot ? [] : drawnParents(random, at);
    const [first, ...others] = parents.map((parent) => drawn[parent] as Drawn);
    const files = new Map(first?.files ?? []);
    for (const name of FILES) for (const other of others) if (random(3) === 0) take(files, name, other.files.get(name));
    if (parents.length < 2 || random(6) === 0)
      for (const name of FILES) if (random(4) === 0) take(files, name, random(8) === 0 ? undefined : `${random(3)}\n`);
    const newest = Math.max(FIRST_SECONDS, ...parents.map((parent) => drawn[parent]?.seconds ?? 0));
    const seconds = newest + (random(12) === 0 ? -random(500) : random(3) * 60);
    drawn.push({ files, seconds });
    const who = `${["ada", "bob"][random(2)] ?? ""} <x@example.org> ${seconds} +0000`;
    input += `commit refs/heads/side${at}\nmark :${at + 1}\nauthor ${who}\ncommitter ${who}\ndata <<E\nc${at}\nE\n`;
    parents.forEach((parent, nth) => void (input += `${nth === 0 ? "from" : "merge"} :${parent + 1}\n`));
    input += "deleteall\n";
    for (const [name, text] of files) input += `M 644 inline ${name}\ndata <<E\n${text}E\n`;
    input += "\n";
    if (at % 4 === 0) input += `reset refs/tags/c${at}\nfrom :${at + 1}\n\n`;
    if (at === count - 1) input += `reset refs/heads/main\nfrom :${at + 1}\n\n`;
  }
  const git = (args: readonly string[], given = ""): void => {
    execFileSync("/usr/bin/git", args, { cwd: path, env: ENVIRONMENT, input: given, stdio: ["pipe", "ignore", "ignore"] });
  };
  git(["init", "-q", "-b", "main"]);
  git(["fast-import", "--quiet"], input);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function take(files: Map<string, string>, name: string, text: string | undefined): void {
  if (text === undefined) files.delete(name);
  else files.set(name, text);
}

/** Of the commits before: near ones, each once. */
function drawnParents(random: Random, at: number): readonly number[] {
  const count = random(3) === 0 ? 2 + (random(5) === 0 ? 1 : 0) : 1;
  return [...new Set(Array.from({ length: count }, () => Math.max(0, at - 1 - random(5))))];
}

const PATHS = ["", "", "-- a", "-- a", "-- d", "-- d/c", "-- b d", "-- a b", "-- nope", "-- ':!a'"] as const;
const SHAPES = ["--full-history", "--simplify-merges", "--ancestry-path", "--dense", "--sparse", "--first-parent"] as const;
const PARENTS = ["--parents", "--children", "--graph", "--boundary", "--left-right", "--simplify-by-decoration"] as const;
const ORDERS = ["--topo-order", "--date-order", "--author-date-order", "--reverse"] as const;
const SIDES = ["--cherry-pick", "--cherry-mark", "--cherry", "--left-only", "--right-only", "--left-right"] as const;
const FILTERS = ["--merges", "--no-merges", "--author=ada", "--skip=2", "-n 5", "--since=1700000300", "--until=1700000500"] as const;
const FORMS = [
  "git rev-list",
  "git log --format='%s: %p'",
  "git log --oneline",
  "git log --raw --oneline",
  "git log --raw --oneline --full-diff",
  "git log --name-status --oneline -m",
  "git log -p --cc --oneline",
  "git log --format=%m%s%d --source",
  "git rev-list --count",
  "git shortlog -s",
] as const;

/** Lines for the repository of the same seed. */
export function historyLines(seed: number, count: number): readonly string[] {
  const random = randomOf(seed + 7919);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const names = Array.from({ length: commitCount(randomOf(seed)) }, (_, at) =>
    at % 4 === 0 ? [`side${at}`, `c${at}`] : [`side${at}`],
  ).flat();
  return Array.from({ length: count }, () => {
    const flags: string[] = [];
    if (random(2) === 0) flags.push(pick(SHAPES));
    if (random(6) === 0) flags.push(pick(SHAPES));
    if (random(2) === 0) flags.push(pick(PARENTS));
    if (random(8) === 0) flags.push(pick(PARENTS));
    if (random(3) === 0) flags.push(pick(ORDERS));
    if (random(4) === 0) flags.push(pick(FILTERS));
    if (random(6) === 0) flags.push(pick(SIDES));
    const [one, other] = [pick(names), pick(names)];
    const ranges = [
      "main",
      "main",
      "--all",
      `${one}..main`,
      `${one}..${other}`,
      `${one}...${other}`,
      `${one} ${other}`,
      `main ^${one} ^${other}`,
    ];
    const range = flags.includes("--ancestry-path") ? pick(ranges.filter((text) => /\.\.|\^/.test(text))) : pick(ranges);
    return [pick(FORMS), ...new Set(flags), range, pick(PATHS)].filter((word) => word !== "").join(" ");
  });
}
