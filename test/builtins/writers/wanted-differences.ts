/** Differences of the editors from the real tools that are meant: the rows of docs/deviations.md that random lines meet. */
import type { Case, Ended } from "./writers-differential.test.ts";

/** The reason of a difference; undefined where it is not meant. */
export function wantedDifference(example: Case, real: Ended, ours: Ended): string | undefined {
  const { writer, line } = example;
  if (ours.refused !== undefined && real.exit !== 0) return `refused (${ours.refused}), and the tool fails`;
  if (ours.refused === "SYMLINK_ESCAPE") return "a link out of the workspace";
  if (/Symbolic link leaves the workspace/.test(ours.stderr) && real.exit === ours.exit) return "a link out of the workspace";
  if (/specified more than once|cannot create hard link '(.*)' to '\1'/.test(real.stderr)) return "one source twice, and it fails";
  switch (writer) {
    case "sed":
      if (/is a symbolic link; write to|is a symbolic link to nothing/.test(ours.stderr)) return "a link is not replaced by a file";
      if (/sed: cannot rename [^]* its copy would be/.test(ours.stderr)) return "the backup of what not everybody may read";
      return onlyDiffer(real, ours, (path) => isSameContent(path, example, ours) || path.endsWith(".bak") || isDirectory(path, ours))
        ? "a file whose content stays is left alone, a backup is a new file"
        : undefined;
    case "sort":
    case "cp":
      if (onlyDiffer(real, ours, (path) => isDirectory(path, real) && isDirectory(path, ours) && isInside(path, ours)))
        return "a file is replaced, and not written over";
      if (/into itself/.test(real.stderr) || (/into itself/.test(ours.stderr) && real.exit === ours.exit))
        return "nothing is copied into itself";
      if (/Too many levels of sym/.test(real.stderr) && /Too many levels of sym/.test(ours.stderr)) return "words about a link to itself";
      if (/One command cannot/.test(ours.stderr)) return "what the command has changed itself";
      if (writer === "sort" && real.stderr === ours.stderr && real.exit === 2) return "no file is made where an input cannot be read";
      if (/\/['"]?: (Is a directory|Not a directory|No such file)/.test(ours.stderr)) return "words about a name with a slash after it";
      if (/is a symbolic link; write to|is a symbolic link to nothing|not writing through/.test(ours.stderr))
        return "a link as the destination";
      return undefined;
    case "touch":
      if (/Device or resource busy/.test(ours.stderr)) return "the root";
      if (/is a symbolic link/.test(ours.stderr)) return "a link to nothing";
      if (/\/\.\.\/.*: Not a dir/.test(real.stderr) && /: No such/.test(ours.stderr)) return "named through a file that it makes";
      return /\/'?( |$)/.test(line) ? "words about a name with a slash after it" : undefined;
    case "patch":
      if (/\.rej/.test(real.stdout) || /no file was changed/.test(ours.stderr)) return "all hunks or none, and no .rej";
      if (/Can't create temporary file|Can't rename file [^]* to [^]*\/'? :/.test(real.stderr))
        return "words about a name with a slash after it";
      return undefined;
    case "rm":
      return /\/': Not a directory/.test(ours.stderr) ? "what a link with a slash after it leads to is not emptied" : undefined;
    case "rmdir":
      return /\.\.’?'?: No such file/.test(real.stderr) ? "named through a directory that it removes" : undefined;
    case "mkdir":
      return /\.\.(\/.*)?’: No such file/.test(ours.stderr) || isThroughLinkToMade(example, real, ours)
        ? "named through a directory that it makes"
        : undefined;
    case "mv":
      if (ours.refused === "CONFLICT" || /One command cannot/.test(ours.stderr)) return "what the command has changed itself";
      if (/cannot (move|stat) .*\/'.*: Not a directory/.test(ours.stderr)) return "words about a name with a slash after it";
      if (/to a subdirectory of itself/.test(ours.stderr) && real.exit === ours.exit) return "below a link to nothing";
      if (/--strip-trailing-slashes .*\//.test(line) && /cannot move .*: (Not a|No such file or) directory/.test(real.stderr))
        return "a file with slashes that are stripped";
      return onlyDiffer(real, ours, (path) => isDirectory(path, ours) && real.state.get(path)?.text === ours.state.get(path)?.text)
        ? "a directory onto an empty one"
        : undefined;
    default:
      return undefined;
  }
}

/** True if output and status agree and every name that differs passes. */
function onlyDiffer(real: Ended, ours: Ended, passes: (path: string) => boolean): boolean {
  if (real.stdout !== ours.stdout || real.stderr !== ours.stderr || real.exit !== ours.exit || ours.refused !== undefined) return false;
  const paths = new Set([...real.state.keys(), ...ours.state.keys()]);
  return [...paths].every((path) => {
    const [its, own] = [real.state.get(path), ours.state.get(path)];
    return (
      (its?.text === own?.text && (its?.kind === "symlink" || its?.modifiedUs === own?.modifiedUs)) ||
      isBothNew(its?.modifiedUs, own?.modifiedUs, its?.text === own?.text) ||
      passes(path)
    );
  });
}

const isBothNew = (its: number | undefined, own: number | undefined, isSame: boolean): boolean => {
  const oldUs = Date.now() * 1000 - 100_000_000;
  return isSame && its !== undefined && own !== undefined && its > oldUs && own > oldUs;
};

/** True if all that ours says besides is that nothing is there below a symbolic link to nothing. */
function isThroughLinkToMade({ line, planted }: Case, real: Ended, ours: Ended): boolean {
  const others = ours.stderr.split("\n").filter((each) => !real.stderr.split("\n").includes(each));
  return leadsToNothing(line, planted) && others.length > 0 && others.every((each) => /: No such file or directory$/.test(each));
}

/** True if the line names something below a symbolic link to nothing. */
const leadsToNothing = (line: string, planted: Case["planted"]): boolean =>
  planted.some(({ kind, path, text }) => kind === "symlink" && line.includes(`${path}/`) && !planted.some((other) => other.path === text));

const isDirectory = (path: string, { state }: Ended): boolean => state.get(path)?.kind === "directory";

/** True if there is a file in the directory, which may have been replaced. */
const isInside = (path: string, { state }: Ended): boolean =>
  [...state].some(([name, { kind }]) => kind === "file" && name.slice(0, name.lastIndexOf("/")) === path);

/** True if the file holds what it was planted with. */
function isSameContent(path: string, { planted }: Case, { state }: Ended): boolean {
  const entry = planted.find((each) => each.path === path);
  const source = entry?.kind === "hard link" ? planted.find((each) => each.path === entry.text) : entry;
  return (
    source?.kind === "file" && state.get(path)?.text.endsWith(` ${JSON.stringify(Buffer.from(source.text).toString("latin1"))}`) === true
  );
}
