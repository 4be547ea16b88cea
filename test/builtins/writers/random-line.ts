/** Random lines of the commands that change files, about names that are there, or nearly. */
import { readFileSync } from "node:fs";
import { quoteWord } from "../../../src/display/quote.ts";
import type { Dice } from "../../fuzz/dice.ts";
import { NAMES, randomText } from "./random-tree.ts";
import type { TreeState } from "./tree-state.ts";

/** A tree as lines are made for it. */
export interface LineContext {
  readonly dice: Dice;
  readonly root: string;
  readonly state: TreeState;
  /** Of the line in its history: its content is found in no other's. */
  readonly number: number;
}

export type Writer = keyof typeof WRITERS;

/** Most names of a tree before lines only remove. */
const MOST_NAMES = 60;

/** One command of the writer. */
export const randomCommand = (writer: Writer, context: LineContext): string => WRITERS[writer](context);

export function randomWriter({ dice, state }: LineContext, of: readonly Writer[]): Writer {
  return dice.pick(state.size > MOST_NAMES ? (["rm", "find"] as const) : of);
}

export const EDITORS = ["sed", "sort", "patch", "cp", "mv", "rm", "mkdir", "rmdir", "touch", "find"] as const;
export const ALL_WRITERS = [...EDITORS, "tee", "redirect"] as const;

const WRITERS = {
  tee: (context: LineContext) => `${text(context)} | tee ${flags(context, ["-a"])}-- ${files(context)} >/dev/null`,
  redirect: (context: LineContext) => `${text(context)} ${context.dice.pick([">", ">>"])} ${file(context)}`,
  sed: (context: LineContext) => `sed ${context.dice.pick(["-i", "-i", "-i", "-i.bak", "-ni"])} ${script(context)} -- ${files(context)}`,
  sort(context: LineContext) {
    const [name] = [file(context)];
    return `sort ${flags(context, ["-r", "-u"])}-o ${context.dice.chance(70) ? name : file(context)} -- ${name}`;
  },
  patch: patchLine,
  cp(context: LineContext) {
    const { dice } = context;
    const chosen = flags(context, ["-r", "-r", "-r", "-a", "-p", "-v", "-n", "-u", "-f", "-d", "-L", "-P", "-T", "--remove-destination"]);
    return `cp ${chosen}${transferred(context, dice.chance(15))}`;
  },
  mv(context: LineContext) {
    return `mv ${flags(context, ["-v", "-n", "-u", "-f", "-T", "--strip-trailing-slashes"])}${transferred(context, context.dice.chance(15))}`;
  },
  rm: (context: LineContext) => `rm ${flags(context, ["-r", "-r", "-f", "-v", "-d", "-rf"])}-- ${names(context)}`,
  mkdir: (context: LineContext) =>
    `mkdir ${flags(context, ["-p", "-p", "-v", "-m 700", "-m 2755", "-m u=rwx,go="])}-- ${newNames(context)}`,
  rmdir: (context: LineContext) => `rmdir ${flags(context, ["-p", "-v", "--ignore-fail-on-non-empty"])}-- ${directories(context)}`,
  touch: touchLine,
  find: findLine,
};

/** None to two of these flags, each with a space after it. */
function flags({ dice }: LineContext, of: readonly string[]): string {
  const chosen = new Set(dice.some(0, 2, () => dice.pick(of)));
  return [...chosen].map((flag) => `${flag} `).join("");
}

const text = ({ dice, number }: LineContext): string =>
  `printf ${quoteWord(randomText(dice, number).replaceAll("\\", "").replaceAll("%", ""))}`;

function script({ dice, number }: LineContext): string {
  return quoteWord(
    dice.pick([
      `s/a/<${number}>/`,
      "s/^/> /",
      "$d",
      "1d",
      "/alpha/d",
      "/beta/!d",
      `1i\\\nfirst ${number}`,
      "$a last",
      "s/nothing such/x/",
      "y/abg/ABG/",
      "2q",
    ]),
  );
}

function touchLine(context: LineContext): string {
  const { dice } = context;
  const time = dice.pick(["", "", "-d '2020-02-03 04:05:06' ", "-t 201001020304.05 ", "-d @1234567890.5 ", `-r ${path(context, "file")} `]);
  return `touch ${dice.pick(["", "", "-c ", "-a ", "-m "])}${time}-- ${dice.chance(50) ? names(context) : newNames(context)}`;
}

function findLine(context: LineContext): string {
  const { dice } = context;
  const start = dice.pick([".", ".", path(context, "directory"), path(context, "directory")]);
  const test = dice.pick([
    "-name a",
    "-name '*.txt'",
    "-type l",
    "-type f -size 0",
    "-empty",
    "-type f -name '?'",
    "-type d -name b",
    "-path '*/c*'",
    "-maxdepth 1 -type f",
    "-mindepth 2 -name '*[ad]*'",
    "-type f -newermt 2019-01-01",
  ]);
  // A name with a dash would be read as a test.
  return `find ${start.startsWith("-") || start.startsWith("'-") ? `./${start}` : start} ${test} -delete${dice.chance(30) ? " -print" : ""}`;
}

function transferred(context: LineContext, intoDirectory: boolean): string {
  const { dice } = context;
  if (intoDirectory) return `-t ${path(context, "directory")} -- ${names(context)}`;
  const to = dice.pick([() => path(context, "directory"), () => path(context, "file"), () => newName(context), () => newName(context)])();
  return `-- ${dice.chance(75) ? path(context, undefined) : names(context)} ${to}`;
}

/** A change of a file's lines as a unified or normal diff, sometimes of lines that are no longer there. */
function patchLine(context: LineContext): string {
  const { dice, number } = context;
  const target = somePath(context, "file");
  const content = contentOf(context, target);
  const old = content.replace(/\n$/, "").split("\n");
  const at = dice.below(old.length);
  const added = `patched ${number}`;
  const isEnded = content.endsWith("\n");
  if (content === "")
    return `printf '%s\\n' '--- /dev/null' '+++ f' '@@ -0,0 +1 @@' '+${added}' | patch ${flags(context, ["-s", "-N"])}${spelled(context, target)}`;
  const end = (index: number): readonly string[] => (index === old.length - 1 && !isEnded ? ["\\ No newline at end of file"] : []);
  const removesAll = dice.chance(15);
  const body = old.flatMap((line, index) => {
    if (removesAll) return [`-${line}`, ...end(index)];
    return index === at ? [`-${dice.chance(10) ? "not so" : line}`, ...end(index), `+${added}`] : [` ${line}`, ...end(index)];
  });
  const counts = removesAll ? `-1,${old.length} +0,0` : `-1,${old.length} +1,${old.length}`;
  const diff = [`--- f`, removesAll ? "+++ /dev/null" : "+++ f", `@@ ${counts} @@`, ...body];
  return `printf '%s\\n' ${diff.map(quoteWord).join(" ")} | patch ${flags(context, ["-s", "-N", "-E", "-t"])}${spelled(context, target)}`;
}

function contentOf({ root, state }: LineContext, target: string): string {
  return state.get(target)?.kind === "file" ? readFileSync(`${root}/${target}`, "utf8") : "";
}

const file = (context: LineContext): string => (context.dice.chance(70) ? path(context, "file") : newName(context));
const files = (context: LineContext): string => context.dice.some(1, 3, () => file(context)).join(" ");
const names = (context: LineContext): string => context.dice.some(1, 3, () => path(context, undefined)).join(" ");
const directories = (context: LineContext): string =>
  context.dice.some(1, 2, () => (context.dice.chance(85) ? path(context, "directory") : path(context, undefined))).join(" ");
const newNames = (context: LineContext): string => context.dice.some(1, 3, () => newName(context)).join(" ");

/** A name in a directory that is there, or sometimes in one that is not; it may be taken. */
function newName(context: LineContext): string {
  const { dice } = context;
  const directory = dice.chance(50) ? "" : `${somePath(context, "directory")}/`;
  const deeper = dice.chance(15) ? `${dice.pick(NAMES)}/` : "";
  return spelled(context, `${directory}${deeper}${dice.pick(NAMES)}`);
}

/** A path of that kind, or of any, as a word; sometimes one that is not there. */
const path = (context: LineContext, kind: "file" | "directory" | undefined): string =>
  spelled(context, context.dice.chance(4) ? context.dice.pick(NAMES) : somePath(context, kind));

function somePath({ dice, state }: LineContext, kind: "file" | "directory" | undefined): string {
  // A link is taken for what it may lead to.
  const sought = kind !== undefined && dice.chance(8) ? "symlink" : kind;
  const found = [...state].filter(([, { kind: its }]) => sought === undefined || its === sought).map(([path]) => path);
  return found.length === 0 ? dice.pick(NAMES) : dice.pick(found);
}

/** The path as a word, sometimes in other words. */
function spelled({ dice, state }: LineContext, path: string): string {
  const slash = path.indexOf("/");
  const other = dice.below(20);
  if (other === 0) return quoteWord(`./${path}`);
  if (other === 1 && (state.get(path)?.kind === "directory" || dice.chance(15))) return quoteWord(`${path}/`);
  if (other === 2 && slash > 0) return quoteWord(`${path.slice(0, slash)}/../${path}`);
  if (other === 3 && slash > 0) return quoteWord(path.replace("/", "//"));
  if (path.startsWith("-") && dice.chance(70)) return quoteWord(`./${path}`);
  return quoteWord(path);
}
