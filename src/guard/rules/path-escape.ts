/**
 * Rule against a path that certainly leads out of the root. Symbolic links are judged by the workspace when it walks the
 * path.
 */
import { isAbsolutePath, withSlashes } from "../../glob/absolute-path.ts";
import { isWindowsName, NO_WINDOWS_NAME } from "../../glob/windows-name.ts";
import { isWindows } from "../../io/platform.ts";
import { leaves, namesNoFile } from "../paths.ts";
import { quoteWord } from "../../display/quote.ts";
import { spliced, type GuardContext, type PathUse, type StageFacts, type StageRule } from "../rule.ts";
import { near } from "../suggestion.ts";

export const pathEscape: StageRule = {
  id: "path:escape",
  reason: "PATH_ESCAPE",
  refuses: [
    { line: "cat /etc/passwd" },
    { line: "ls /" },
    { line: "ls .." },
    { line: "cat ../secret" },
    { line: "cd src && cat ../../secret" },
    { line: "cat a.txt | tee /var/tmp/b.txt" },
    { line: "grep -f /etc/passwd a.txt" },
  ],
  allows: [
    "cat a.txt",
    "cat src/../a.txt",
    "cd src && cat ../a.txt",
    "cat /dev/null",
    "cat -",
    "ls ~/src",
    "echo /etc/passwd",
    "echo ../..",
  ],
  check: (stage, context) =>
    stage.paths
      .filter((use) => !namesNoFile(use) && escapes(stage, use, context))
      .map((use) => ({
        span: use.span,
        detail: `'${use.path}'${expandedFrom(stage, use)} is outside the workspace, whose root is ${context.rootPath}; nothing outside it${besides(context)} exists here.`,
        candidates: () =>
          use.replaceable || isTypedPattern(stage, use)
            ? insteadOf(stage, use, context).map((path) => near(spliced(stage.line, use.span, path), `if ${path} was meant`))
            : [],
      }))
      .concat(isWindows ? devicesOfWindows(stage) : []),
};

/**
 * Files that would be made under a name that Windows has for a device, for a stream of another file, or for none at all. A pattern stands for
 * names that are there; one that matches none is a name like any other when it is made.
 */
const devicesOfWindows = ({ paths }: StageFacts) =>
  paths
    .filter((use) => use.access === "write" && use.change !== "remove" && !namesNoFile(use) && !isPattern(use))
    .filter(({ path }) => !hasWindowsNames(path))
    .map(({ path, span }) => ({ span, detail: `'${path}' cannot be written: ${NO_WINDOWS_NAME}.`, candidates: () => [] }));

const isPattern = ({ word }: PathUse): boolean => word?.parts.some(({ kind }) => kind === "glob") === true;

const hasWindowsNames = (path: string): boolean =>
  withSlashes(path)
    .split("/")
    .every((name) => name === "" || name === "." || name === ".." || isWindowsName(name));

/** The mounts, as words after "outside it"; "" where there are none. */
function besides({ mountNames = [] }: GuardContext): string {
  const last = mountNames.at(-1);
  if (last === undefined) return "";
  return mountNames.length === 1 ? ` and ${last}` : `, ${mountNames.slice(0, -1).join(", ")} and ${last}`;
}

/** Tells whether the path leaves the root from every directory the stage may start in. */
function escapes({ directories }: StageFacts, { path }: PathUse, context: GuardContext): boolean {
  if (isAbsolutePath(path)) return leaves("", path, context);
  return directories !== undefined && directories.length > 0 && directories.every((directory) => leaves(directory, path, context));
}

/** Clause that names the variables the path came from; "" for none. Those of the host's environment are not set here. */
function expandedFrom({ line }: StageFacts, { span }: PathUse): string {
  const source = line.slice(span.start, span.end);
  const names = [...new Set(source.match(/\$\{?[A-Za-z_]\w*/g) ?? [])].map((name) => name.replace("{", ""));
  return names.length === 0 ? "" : ` (with ${names.join(", ")} as the line sets it; the environment of the host is not seen here)`;
}

/** True for a pattern without quotes, of files that are read. */
const isTypedPattern = ({ line }: StageFacts, { path, access, span, word }: PathUse): boolean =>
  word !== undefined && access !== "write" && PATTERN.test(path) && line.slice(span.start, span.end) === path;

const PATTERN = /^[\w./-]*[*?][\w./*?-]*$/;

/** The components before the first pattern. */
const fixedPart = (components: readonly string[]): readonly string[] => {
  const at = components.findIndex((component) => /[*?]/.test(component));
  return at < 0 ? components : components.slice(0, at);
};

/** Paths inside that were likely meant, best first, as they would be typed. */
function insteadOf(stage: StageFacts, { path, access }: PathUse, context: GuardContext): readonly string[] {
  const components = path.split("/").filter((component) => component !== "" && component !== "." && component !== "..");
  const fromRoot = (tail: readonly string[]): string => {
    const atRoot = stage.directories?.length === 1 && stage.directories[0] === "";
    if (tail.length === 0) return "~";
    return `${atRoot ? "" : "~/"}${typed(tail.join("/"))}`;
  };
  const typed = (meant: string): string => (PATTERN.test(path) ? meant : quoteWord(meant));
  // What is above the root cannot be meant for the root, and least of all by what changes files.
  if (components.length === 0) return isAbsolutePath(path) && access !== "write" ? ["~"] : [];
  const meant: string[] = [];
  const rootName = context.rootPath.split("/").at(-1);
  const below = isAbsolutePath(path) ? components.lastIndexOf(rootName ?? "") : -1;
  if (below >= 0 && (access !== "write" || below + 1 < components.length)) meant.push(fromRoot(components.slice(below + 1)));
  if (context.probe !== undefined && access !== "write") {
    // A name alone is too little to tell which file was meant, unless no more was typed.
    for (let from = 0; from < Math.max(1, components.length - 1); from++) {
      const tail = components.slice(from);
      const fixed = fixedPart(tail);
      if (fixed.length > 0 && context.probe(fixed.join("/"), "") === "exists") meant.push(fromRoot(tail));
      for (const mount of context.mountNames ?? [])
        if (context.probe([mount, ...fixed].join("/"), "") === "exists") meant.push(typed([mount, ...tail].join("/")));
    }
  }
  return meant;
}
