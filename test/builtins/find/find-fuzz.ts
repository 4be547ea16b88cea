/** Random command lines of find: its whole grammar, and now and then words outside it. */
import type { Dice } from "../../fuzz/dice.ts";
import type { OddTree } from "../../fuzz/odd-tree.ts";
import type { Answer, FuzzCase } from "../tool-fuzz.ts";

export function findCase(dice: Dice, tree: OddTree): FuzzCase {
  const find = new FindWords(dice, tree);
  return { args: find.all(), stdin: dice.chance(3) ? "a\0src\0\0nope\0" : "" };
}

/**
 * Two mistakes in one line, of which one shows only in the file system: that one is GNU find's if it stands first. That a word too
 * many may have been a pattern GNU find says where there is such a file. In which order it asks its tests shows where one fails.
 */
export function isExplainedFind({ args }: FuzzCase, real: Answer, ours: Answer): boolean {
  // Our own help; a command that does not exist, which the guard refuses; a mistake in other words.
  if (/^Usage: find/.test(real.stdout) || /^find: (?:.-exec|invalid expression$)/m.test(real.stderr)) return true;
  const without = (text: string, line: RegExp): string => text.replace(line, "");
  if (real.exit === 1 && ours.exit === 1 && real.stdout === "" && ours.stdout === "") {
    if (
      /^find: (?:\u2018.*\u2019(?:: No such file| is not the name|: Not a dir|: Too many)|I cannot figure out|.*out of range)/.test(
        real.stderr,
      )
    )
      return true;
    if (/binary operator '-daystart'/.test(real.stderr)) return true;
    const hint = /find: possible unquoted pattern after predicate `.*'\?\n/;
    return without(real.stderr, hint) === without(ours.stderr, hint);
  }
  // With an empty starting point GNU find never runs what it gathered in the last directory.
  if (args.includes("") && args.includes("-execdir") && args.includes("+") && ours.stdout.startsWith(real.stdout)) return true;
  // It asks when a file was read last, which whoever is asked beside it changes.
  if (args.includes("-used") && real.stderr === ours.stderr && real.exit === ours.exit) return true;
  const loop = /^find: .*: Too many levels of symbolic links\n/gm;
  return args.includes("-xtype") && real.stdout === ours.stdout && without(real.stderr, loop) === without(ours.stderr, loop);
}

class FindWords {
  readonly #dice: Dice;
  readonly #tree: OddTree;

  constructor(dice: Dice, tree: OddTree) {
    this.#dice = dice;
    this.#tree = tree;
  }

  all(): string[] {
    const dice = this.#dice;
    const leading = dice.chance(15) ? dice.some(1, 2, () => dice.pick(["-H", "-L", "-P", "-O1", "-O3", "--", "-O", "-Ox"])) : [];
    const starts = dice.some(0, dice.pick([1, 1, 1, 3]), () => this.#start());
    const options = dice.chance(40) ? dice.some(1, 2, () => this.#option()).flat() : [];
    const expression = dice.chance(92) ? this.#expression(dice.below(4)) : [];
    const words = [...leading, ...starts, ...options, ...expression, ...(dice.chance(40) ? this.#action() : [])];
    if (!dice.chance(4)) return words;
    // One word lost, doubled, or out of place.
    const at = dice.below(words.length + 1);
    const some = [[], [words[at] ?? "("], [dice.pick(["(", ")", "!", "-o", "-a", ",", "-not", "-nope", "-nam", "x", "-typ", "", "-"])]];
    words.splice(at, dice.below(2), ...dice.pick(some));
    return words;
  }

  #path(): string {
    const { paths, directories, links } = this.#tree;
    const path = this.#dice.pick([paths, directories.length > 0 ? directories : paths, links.length > 0 ? links : paths]);
    return this.#dice.pick(path);
  }

  #start(): string {
    const path = this.#path();
    return this.#dice.pick([".", ".", ".", "./", `./${path}`, path, `${path}/`, `${path}//`, "nope", "..", "../work", "./.", ""]);
  }

  #option(): string[] {
    const dice = this.#dice;
    return dice.pick([
      ["-maxdepth", dice.pick(["0", "1", "2", "3", "1", "2", "-1", "x", "99999999999", "1k", "+1"])],
      ["-mindepth", dice.pick(["0", "1", "2", "1", "x"])],
      ["-maxdepth", String(dice.below(4))],
      ["-depth"],
      dice.pick([["-d"], ["-depth"], ["-follow"], ["-warn"], ["-nowarn"], ["-xdev"], ["-mount"], ["-noleaf"], ["-daystart"]]),
      ["-ignore_readdir_race"],
      ["-noignore_readdir_race"],
      ["-regextype", dice.pick([...REGEX_TYPES, "nope"])],
      ...(dice.chance(10) ? [["-files0-from", dice.pick(["-", "nope", "b.txt", "."])]] : []),
    ]);
  }

  #expression(depth: number): string[] {
    const dice = this.#dice;
    if (depth === 0 || dice.chance(30)) return dice.chance(25) ? [dice.pick(["!", "-not", "!"]), ...this.#test()] : this.#test();
    const left = this.#expression(depth - 1);
    const right = this.#expression(depth - 1);
    switch (dice.below(7)) {
      case 0:
        return ["(", ...left, ")", dice.pick(["-o", "-a", "-or", "-and"]), ...right];
      case 1:
        return [...left, dice.pick(["-o", "-or"]), "(", ...right, ...(dice.chance(40) ? this.#action() : []), ")"];
      case 2:
        return [...left, "-prune", "-o", ...right];
      case 3:
        return ["!", "(", ...left, "-o", ...right, ")"];
      case 4:
        // Of two sides of a comma without a side effect GNU find asks the cheaper one first, and takes the other's answer.
        return dice.chance(50) ? [...left, ...this.#action(), dice.pick(["-o", ","]), ...right] : [...left, "-o", ...right];
      default:
        return [...left, ...(dice.chance(20) ? ["-a"] : []), ...right];
    }
  }

  #test(): string[] {
    const dice = this.#dice;
    const sign = (): string => dice.pick(["", "+", "-", "+", "-"]);
    switch (dice.below(19)) {
      case 0:
      case 1:
      case 2:
        return [dice.pick(["-name", "-name", "-iname"]), this.#glob()];
      case 3:
        return [dice.pick(["-path", "-wholename", "-ipath", "-iwholename"]), this.#pathGlob()];
      case 4:
        return [dice.pick(["-regex", "-iregex"]), this.#regex()];
      case 5:
        return dice.chance(50)
          ? ["-regextype", dice.pick(REGEX_TYPES), "-regex", this.#regex()]
          : [dice.pick(["-lname", "-ilname"]), this.#glob()];
      case 6:
      case 7:
        return [
          dice.pick(["-type", "-type", "-xtype"]),
          dice.pick(["f", "f", "d", "d", "l", "p", "s", "b", "f,d", "l,f", "d,", "fd", "x", "f,f", "D", "", "f,d,l,p"]),
        ];
      case 8:
        return ["-size", dice.pick(SIZES.map((size) => sign() + size))];
      case 9:
        return [dice.pick(["-empty", "-true", "-false", "-executable", "-readable", "-writable", "-nouser", "-nogroup"])];
      case 10:
        return [dice.pick(["-mtime", "-mtime", "-atime", "-ctime", "-used"]), `${sign()}${dice.pick(DAYS)}`];
      case 11:
        return [dice.pick(["-mmin", "-mmin", "-amin", "-cmin"]), `${sign()}${dice.pick(MINUTES)}`];
      case 12:
        return ["-perm", dice.pick(["", "-", "/", "-", "/"]) + dice.pick(MODES)];
      case 13:
        return [
          dice.pick(["-links", "-uid", "-gid", "-inum"]),
          `${sign()}${dice.pick(["0", "1", "2", "3", "12345", "x", "", "1.5", "99999999999999999999"])}`,
        ];
      case 14:
        return [dice.pick(["-user", "-group"]), dice.pick(["root", "daemon", "0", "1", "12345", "54321", "nope", "", "0x0", "-1", "+1"])];
      case 15:
        return [
          dice.pick(["-newer", "-anewer", "-cnewer", "-samefile", "-newermm", "-neweram", "-newercm", "-newerBm", "-newerma", "-newerac"]),
          this.#start(),
        ];
      case 16:
        return [dice.pick(["-newermt", "-newerat", "-newerct"]), dice.pick(DATES)];
      case 17:
        return dice.chance(60) ? ["-prune"] : ["-daystart", "-mtime", `${sign()}${dice.pick(DAYS)}`];
      default:
        return dice.pick([["-quit"], ["-maxdepth", "2"], ["-warn"], ["-follow"], ["-nowarn"], ["-type", "f"], ["-name", "*"]]);
    }
  }

  #name(): string {
    return this.#path().split("/").at(-1) ?? "";
  }

  #glob(): string {
    const dice = this.#dice;
    const name = this.#name();
    switch (dice.below(6)) {
      case 0:
        return name;
      case 1: {
        const at = dice.below(name.length + 1);
        return `${name.slice(0, at)}*${name.slice(at + dice.below(3))}`;
      }
      case 2: {
        const at = dice.below(name.length + 1);
        return `${name.slice(0, at)}?${name.slice(at + 1)}`;
      }
      case 3:
        return dice.pick(["*.txt", "*.ts", ".*", "f*", "[a-f]*", "*[0-9]", "[!a]*", "*.*", "*", "?", "??", "[^.]*", "*~"]);
      case 4:
        return name.toUpperCase();
      default:
        return dice.some(1, 4, () => dice.pick(GLOB_PIECES)).join("");
    }
  }

  #pathGlob(): string {
    const dice = this.#dice;
    const path = this.#path();
    return dice.pick([
      `./${path}`,
      `*/${this.#glob()}`,
      `./${this.#glob()}/*`,
      `*${this.#glob()}*`,
      `${path}*`,
      "*/src/*",
      `./*/${this.#glob()}`,
      "*/",
      "./.*",
    ]);
  }

  #regex(): string {
    const dice = this.#dice;
    return (
      dice.pick([".*", ".*/", "\\./", "", ""]) +
      dice.some(0, 4, () => dice.pick(REGEX_PIECES)).join("") +
      dice.pick(["", ".*", "$", "\\.txt", ".*"])
    );
  }

  #action(): string[] {
    const dice = this.#dice;
    switch (dice.below(9)) {
      case 0:
        return ["-print"];
      case 1:
        return ["-print0"];
      case 2:
      case 3:
      case 4:
        return ["-printf", this.#format()];
      case 5:
        return ["-ls"];
      case 6:
        return [dice.pick(["-exec", "-exec", "-execdir"]), ...dice.pick(ONE_BY_ONE), ";"];
      case 7:
        return [dice.pick(["-exec", "-exec", "-execdir"]), ...dice.pick(MANY), "{}", "+"];
      default:
        return dice.pick([
          ["-print", "-quit"],
          ["-fprint", "/dev/stdout"],
          ["-quit"],
          ["-exec", "true", ";"],
          ["-exec", "basename", "{}"],
          ["-exec", ";"],
          ["-print", "-print0"],
        ]);
    }
  }

  #format(): string {
    const dice = this.#dice;
    const flags = (): string =>
      dice.chance(25)
        ? dice.pick(["-", "0", "+", " ", "#", "-0", ""]) + dice.pick(["", "1", "5", "12"]) + dice.pick(["", "", ".2", ".", ".0"])
        : "";
    const directive = (): string => {
      if (dice.chance(20))
        return `%${flags()}${dice.pick(["T", "T", "A", "C"])}${dice.pick([..."@aAbBcdDHIjklmMpSTUVwWxXyYZ+rGgsehn", ""])}`;
      if (dice.chance(6)) return dice.pick(["%", "%%", "%q", "%{", "%é", "%5%", "%E", "%-"]);
      return `%${flags()}${dice.pick([..."ppffffhhPPHssskbmMMdDyYYlugUGinS"])}`;
    };
    const piece = (): string =>
      dice.chance(65)
        ? directive()
        : dice.pick([" ", "\\t", "\\n", "\\0", "x", ":", "\\\\", "\\101", "\\q", "é", "\\c", "\\a", "\\8", "\\", "\\x41", '\\"']);
    return dice.some(1, 5, piece).join("") + dice.pick(["\\n", "\\n", "\n", "\\0", ""]);
  }
}

const REGEX_TYPES = [
  ...["findutils-default", "ed", "emacs", "gnu-awk", "grep", "posix-awk", "awk", "posix-basic", "posix-egrep", "egrep"],
  ...["posix-extended", "posix-minimal-basic", "sed"],
];
const REGEX_PIECES = [
  ...[
    "a",
    "b",
    "f",
    "\\.",
    "[a-z]",
    "[^/]",
    "[0-9]+",
    "*",
    "+",
    "?",
    "\\(",
    "\\)",
    "\\|",
    "(",
    ")",
    "|",
    "\\{1,2\\}",
    "{2}",
    "^",
    "$",
    "[[:alpha:]]",
    "\\w",
  ],
  ...[
    "\\b",
    "é",
    ".",
    "/",
    "[^/]*",
    "(a|b)",
    "\\(a\\|b\\)",
    "\\1",
    "[",
    "]",
    "\\+",
    "\\?",
    "ts",
    "md",
    "\\<",
    "\\>",
    "\\'",
    "\\`",
    "{",
    "}",
    "x*",
    "[]a]",
    "\\/",
  ],
];
const GLOB_PIECES =
  "* ? [ ] a f . [a-z] [!x] [[:alpha:]] [[:upper:]] \\ \\* \\? é ü 日 [0-9] [a []] [^a] / \udcff ** - [z-a] [a\\]b] T".split(" ");
const SIZES =
  "0 ~ 1 ~ 2 ~ 1k ~ 2k ~ 1M ~ 5G ~ 1c ~ 0c ~ 513c ~ 1b ~ 1w ~ 100 ~ 0k ~ x ~  ~ k ~ 1x ~ 1kk ~ 1.5k ~ 99999999999999999999 ~ 10000c ~ 5M".split(
    " ~ ",
  );
const DAYS = ["0", "1", "2", "7", "30", "100", "365", "0.5", "1.5", "1e1", "x", "", ".5", "5000", "0x2", "1d"];
const MINUTES = ["0", "1", "5", "10", "60", "90", "1440", "0.5", "43200", "x", "5."];
const MODES =
  "644 ~ 755 ~ 0 ~ 111 ~ 4000 ~ 6000 ~ 7777 ~ u+x ~ u=rw ~ a+r ~ g+w ~ o-r ~ u=rwx,g=rx ~ +x ~ =r ~ u+s ~ g+s ~ +t ~ a ~  ~ 8 ~ 00644 ~ u=g ~ X ~ a+X ~ u+x, ~ 10000 ~ -644 ~ 022 ~ ug+w ~ o=,u+w".split(
    " ~ ",
  );
const DATES =
  "2023-11-14 ~ 2023-11-14 22:13:20 ~ @1700000000 ~ yesterday ~ 2000-01-01 ~ 1 week ago ~ -2 days ~ 1970-01-01 ~ 2200-01-01 ~ nope ~  ~ @0 ~ now ~ 2023-11-14T22:13:21Z ~ 100 days ago".split(
    " ~ ",
  );
const ONE_BY_ONE = [
  ["echo", "{}"],
  ["echo", "a{}b", "{}"],
  ["basename", "{}"],
  ["dirname", "{}"],
  ["wc", "-c", "-"],
  ["test", "-s", "{}"],
  ["grep", "-c", "o", "/dev/null"],
  ["false"],
  ["true"],
  ["printf", "%s|", "{}"],
  ["stat", "-c", "%n %s", "{}"],
  ["ls", "-d", "{}"],
  ["readlink", "{}"],
  ["echo"],
];
const MANY = [
  ["echo"],
  ["echo", "x"],
  ["ls", "-dF"],
  ["stat", "-c", "%F %N"],
  ["printf", "[%s]\\n"],
  ["basename", "-a"],
  ["false"],
  ["dirname"],
];
