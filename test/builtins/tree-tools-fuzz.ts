/** Command lines of ls, stat, du, tree, fd, file, readlink and realpath from dice: each of their flags, on what odd-tree.ts made. */
import type { Dice } from "../fuzz/dice.ts";
import type { OddTree } from "../fuzz/odd-tree.ts";
import type { Answer, FuzzCase } from "./tool-fuzz.ts";

/** Makes some flags: a text is a switch, or a value joined to its flag; of a list, the flag and one of its values. */
type Flags = readonly (string | readonly [flag: string, ...values: string[]])[];

function some(dice: Dice, flags: Flags, most: number, joins = true): string[] {
  return dice
    .some(0, most, () => dice.pick(flags))
    .flatMap((flag) => {
      if (typeof flag === "string") return [flag];
      const [name, ...values] = flag;
      const value = dice.pick(values);
      return name.endsWith("=") ? [name + value] : joins && dice.chance(30) && !name.startsWith("--") ? [name + value] : [name, value];
    });
}

function pathIn(dice: Dice, tree: OddTree): string {
  const { paths, directories, links, files } = tree;
  const lists = [paths, directories, links, files].filter((list) => list.length > 0);
  const path = dice.pick(dice.pick(lists));
  return dice.pick([path, path, path, `./${path}`, `${path}/`, `${path}//`, `${path}/.`, `./${path}/..`]);
}

const operands = (dice: Dice, tree: OddTree, least: number, most: number): string[] =>
  dice.some(least, most, () =>
    dice.chance(12) ? dice.pick(["nope", ".", "..", "./", "", "../work", "nope/x", ".git", "n o\npe"]) : pathIn(dice, tree),
  );

/** After `--` where one begins with a dash. */
const safe = (args: readonly string[]): string[] => (args.some((path) => path.startsWith("-")) ? ["--", ...args] : [...args]);

const SIZES = "K ~ M ~ 1 ~ 1k ~ kB ~ KB ~ MiB ~ human-readable ~ si ~ 0 ~ x ~ 512 ~ '1 ~ G ~ 3 ~ KiBx ~ +1 ~ 1Y ~ -1 ~ ".split(" ~ ");
const TIME_STYLES =
  "full-iso ~ long-iso ~ iso ~ locale ~ +%Y ~ +%s.%N ~ +%F %T\n+%H ~ posix-iso ~ posix-locale ~ x ~ + ~ full ~ l ~ +%-d/%_m|%^a".split(
    " ~ ",
  );
const GLOBS = "*.txt ~ *.ts ~ ? ~ ?? ~ [a-f]* ~ * ~ .* ~ b* ~ src ~ *ü* ~ *.d ~ f1|f9 ~  ~ a\\*b ~ [!a-m]* ~ *[ ~ x.tar.gz".split(" ~ ");

const LS_FLAGS: Flags = [
  ..."-l -l -l -a -A -h -t -S -r -R -1 -d -F -p -i -s -X -v -k -Q -b -q -N -m -x -C -g -G -n -o -u -c -H -L -B -Z -D -U".split(" "),
  ...["--author", "--group-directories-first", "--full-time", "--si", "--file-type", "--zero", "--show-control-chars", "--color=never"],
  ...["--dereference-command-line-symlink-to-dir", "--color=always", "--classify=never", "--classify", "--hyperlink=never", "--color"],
  ["--time-style=", ...TIME_STYLES],
  ["--sort=", "none", "size", "time", "version", "extension", "width", "x", "s", ""],
  ["--time=", "atime", "access", "use", "ctime", "status", "birth", "creation", "x", "a"],
  ["--format=", "across", "commas", "horizontal", "long", "single-column", "verbose", "vertical", "x", "v"],
  ["--indicator-style=", "none", "slash", "file-type", "classify", "x"],
  [
    "--quoting-style=",
    "literal",
    "locale",
    "shell",
    "shell-always",
    "shell-escape",
    "shell-escape-always",
    "c",
    "escape",
    "clocale",
    "c-maybe",
    "x",
  ],
  ["--block-size=", ...SIZES],
  ["-w", "0", "1", "20", "40", "80", "200", "x", "-1", "010"],
  ["-T", "0", "1", "4", "8", "x"],
  ["-I", ...GLOBS],
  ["--hide=", ...GLOBS],
];

export function lsCase(dice: Dice, tree: OddTree): FuzzCase {
  const flags = some(dice, LS_FLAGS, dice.pick([1, 2, 4, 6]));
  // Where the kernel keeps `.` and `..` among the names of a directory is not to be seen here.
  const hasNone = flags.some((flag) => /^-[^-]*U/.test(flag) || /^--sort=n/.test(flag));
  const kept = hasNone ? flags.filter((flag) => flag !== "-a") : flags;
  return { args: [...kept, ...safe(operands(dice, tree, 0, dice.pick([0, 1, 1, 2, 5])))], stdin: "" };
}

export function statCase(dice: Dice, tree: OddTree): FuzzCase {
  const field = (): string => {
    const sizes = dice.chance(35)
      ? dice.pick(["-", "0", "+", " ", "#", "'", "-0", ""]) + dice.pick(["", "1", "5", "12"]) + dice.pick(["", ".2", ".", ".0", ".12"])
      : "";
    return `%${sizes}${dice.pick([..."aAbBdDfFgGhinNorRstTuUwWxXyYzZCHL", "Hd", "Ld", "Hr", "Lr", "n", "s", "s", "a", "y", "Y", "%", "q", "", "é"])}`;
  };
  const text = (): string =>
    dice.pick([" ", "|", "\\n", "\\t", "x", "é", "\\101", "\\x41", "\\q", "\\", "%%", "\\0", '\\"', "\\xg", "\\e", "\\8"]);
  const format = (): string => dice.some(1, 5, () => (dice.chance(65) ? field() : text())).join("");
  const flags = dice.pick([
    ["-c", format()],
    ["-c", format()],
    ["-c", format()],
    [`--printf=${format()}`],
    [`--format=${format()}`],
    ["-t"],
    [],
    [dice.pick(["--terse", "--cached=never", "--cached=x", "-c"])],
  ]);
  const follows = dice.chance(25) ? [dice.pick(["-L", "--dereference"])] : [];
  const isBare = dice.chance(3);
  return { args: [...follows, ...flags, ...safe(isBare ? [] : operands(dice, tree, 1, dice.pick([1, 1, 3])))], stdin: "" };
}

const DU_FLAGS: Flags = [
  ..."-0 -a -a -b -c -D -H -h -k -L -l -m -P -S -s -s -x".split(" "),
  ...["--apparent-size", "--inodes", "--si", "--time", "-sh", "--total"],
  ["-B", ...SIZES],
  ["--block-size=", ...SIZES],
  ["-d", "0", "1", "2", "x", "-1", "", "1k"],
  ["--max-depth=", "0", "1", "3"],
  ["-t", "0", "1", "-1", "1K", "5K", "-5K", "x", "1M", "-0", "1.5"],
  ["--time=", "atime", "access", "use", "ctime", "status", "x"],
  ["--time-style=", "full-iso", "long-iso", "iso", "+%Y", "+%s", "x", "locale", "+"],
  ["--exclude=", ...GLOBS],
  ["-X", "nope", ".gitignore", "b.txt"],
];

export function duCase(dice: Dice, tree: OddTree): FuzzCase {
  const isListed = dice.chance(4);
  const names = operands(dice, tree, 0, dice.pick([0, 1, 2, 3]));
  // A list that is a FIFO, or a link that may lead to one, would be waited for without end.
  const isWaitedFor = (name: string): boolean =>
    tree.paths.includes(name) && !tree.files.includes(name) && !tree.directories.includes(name);
  const flags = some(dice, DU_FLAGS, 4).map((flag) => {
    const [, list = flag] = /^-X(.*)$/s.exec(flag) ?? [];
    return isWaitedFor(list) ? flag.replace(list, "nope") : flag;
  });
  if (isListed) return { args: [...flags, "--files0-from=-"], stdin: names.map((name) => `${name}\0`).join("") };
  return { args: [...flags, ...safe(names)], stdin: "" };
}

const TREE_FLAGS: Flags = [
  ..."-a -a -d -f -p -u -g -s -h -D -F -q -N -Q -v -t -c -U -r -i -J -n -x".split(" "),
  ...["--ignore-case", "--matchdirs", "--metafirst", "--prune", "--noreport", "--si", "--du", "--inodes", "--dirsfirst"],
  ...["--filesfirst", "--charset=ascii", "--charset=utf-8"],
  ["-L", "1", "2", "3", "0", "x", "-1"],
  ["-P", ...GLOBS],
  ["-I", ...GLOBS],
  ["--filelimit", "1", "3", "10", "x"],
  ["--timefmt", "%Y", "%F %T", "%s", ""],
  ["--sort=", "name", "version", "size", "mtime", "ctime"],
  ["--gitfile=", "nope"],
];

export function treeCase(dice: Dice, tree: OddTree): FuzzCase {
  const flags = some(dice, TREE_FLAGS, dice.pick([2, 4, 6]), false);
  return { args: [...flags, ...safe(operands(dice, tree, 0, dice.pick([0, 1, 1, 3])))], stdin: "" };
}

const FD_FLAGS: Flags = [
  ..."-H -H -I -I -s -i -g -F -p -a -L -0 -u -1 -q".split(" "),
  ...["--strip-cwd-prefix", "--no-ignore-vcs", "--no-ignore-parent", "--no-require-git", "--prune", "--unrestricted", "--and=a"],
  ...[
    "--strip-cwd-prefix=never",
    "--show-errors",
    "--one-file-system",
    "--no-hidden",
    "--no-follow",
    "--absolute-path",
    "--regex",
    "-ut",
    "-HI",
  ],
  ["-d", "0", "1", "2", "3", "x"],
  ["--min-depth", "1", "2"],
  ["--exact-depth", "1", "2"],
  ["-E", "*.txt", "src", "a*", "/src", "[ab]", "*.{ts,py}", "[", "**/f1"],
  ["-t", "f", "d", "l", "x", "e", "p", "s", "file", "directory", "z", "empty"],
  ["-e", "txt", "ts", ".txt", "gz", "tar.gz", "TXT", "d", ""],
  ["-S", "+1k", "-1k", "1b", "+0b", "+1Mi", "-10", "x", "+1G", "512b"],
  ["--changed-within", "1d", "2weeks", "1h", "2023-11-14", "@1700000000", "100 days", "x", "2023-11-14 22:13:20"],
  ["--changed-before", "1d", "1y", "2023-11-15", "30min", "x"],
  ["-o", "root", "daemon", "!root", ":root", "1:1", "0:0", "nope", "12345:!0"],
  ["-c", "never", "auto", "x"],
  ["--max-results", "1000", "x"],
  ["--format", "{}", "{/}", "{//}|{.}", "{/.}x", "a{{}}"],
  ["--base-directory", "src", "nope", ".", "dist"],
  ["--path-separator", "/"],
  ["--search-path", "src", ".", "nope"],
  ["--ignore-contain", ".git", "f1", "b.txt"],
  ["--ignore-file", ".ignore", "nope"],
];
const FD_PATTERNS =
  "a ~ . ~ ^f ~ \\.ts$ ~ txt ~ A ~ [0-9]+ ~ *.txt ~ é ~ ü ~ (a|b) ~ [ ~ ^\\. ~  ~ \\d ~ x* ~ src/ ~ **/f* ~ f1 ~ (?i)readme ~ \\p{L} ~ {a,b}* ~ ^.$ ~ 日本 ~ b.?txt ~ ( ~ .*\\.(ts|py)$".split(
    " ~ ",
  );

/** Results in any order: fd's is that of its threads. */
export function fdCase(dice: Dice, tree: OddTree): FuzzCase {
  const flags = some(dice, FD_FLAGS, dice.pick([1, 2, 4])).filter((flag) => flag !== "-1");
  const { directories } = tree;
  const paths = dice.some(0, dice.pick([0, 0, 1, 2]), () =>
    dice.chance(85) && directories.length > 0 ? dice.pick(directories) : dice.pick([".", "./", "nope", "..", "b.txt"]),
  );
  const commands = [["-x", "echo", "{/}"], ["-x", "basename"], ["-X", "ls", "-d"], ["-x", "stat", "-c", "%s %n", "{}"], ["-l"]];
  const command = dice.chance(6) && !flags.includes("-0") ? dice.pick(commands) : [];
  const words = paths.length > 0 || dice.chance(70) ? [dice.pick(FD_PATTERNS), ...paths] : [];
  const isOwnPath = flags.includes("--search-path");
  return { args: [...flags, ...safe(isOwnPath ? words.slice(0, 1) : words), ...command], stdin: "" };
}

export function sortedLines({ stdout, stderr, exit }: Answer): unknown {
  const end = stdout.includes("\0") ? "\0" : "\n";
  return { stdout: stdout.split(end).sort(), stderr: stderr.split("\n").sort(), exit };
}

export function fileCase(dice: Dice, tree: OddTree): FuzzCase {
  const flags: Flags = [
    "-b",
    "-i",
    "--mime-type",
    "--mime-encoding",
    "-L",
    "-h",
    "-0",
    "-N",
    "-r",
    "-n",
    "-E",
    "-00",
    ["-F", ":", " =", ""],
  ];
  const { files, directories, links, paths } = tree;
  const lists = [files, directories, links, paths].filter((list) => list.length > 0);
  const names = dice.some(1, 3, () => (dice.chance(10) ? dice.pick(["nope", ".", "..", "./"]) : dice.pick(dice.pick(lists))));
  const list = dice.chance(10) ? ["-f", dice.pick(["-", "nope"])] : [];
  return { args: [...new Set(some(dice, flags, 3)), ...list, ...(list.length > 0 ? [] : safe(names))], stdin: "b.txt\nnope\n" };
}

export function realpathCase(dice: Dice, tree: OddTree): FuzzCase {
  const flags: Flags = [
    "-e",
    "-m",
    "-L",
    "-P",
    "-q",
    "-s",
    "-z",
    "--canonicalize-existing",
    ["--relative-to=", ".", "src", "nope", ".."],
    ["--relative-base=", ".", "src", "..", "nope"],
  ];
  return { args: [...some(dice, flags, 3), ...safe(operands(dice, tree, dice.chance(3) ? 0 : 1, 3))], stdin: "" };
}

export function readlinkCase(dice: Dice, tree: OddTree): FuzzCase {
  const flags: Flags = ["-f", "-e", "-m", "-n", "-q", "-s", "-v", "-z", "-f"];
  return { args: [...some(dice, flags, 3), ...safe(operands(dice, tree, dice.chance(3) ? 0 : 1, 3))], stdin: "" };
}
