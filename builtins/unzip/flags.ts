/** The flags of UnZip 6.00: those about reading, and those that are refused by name. */
import type { FlagTable, RefusedFlag } from "../../src/builtin/definition.ts";

const refused = (letter: string, help: string, reason: string): RefusedFlag => ({
  kind: "refused",
  short: letter,
  long: false,
  help,
  reason,
});
const writes = (letter: string, help: string): RefusedFlag => refused(letter, help, "no file is extracted here: -p prints members");
const text = (value: string): string => value;

export const FLAGS = {
  list: { kind: "switch", short: "l", long: false, help: "list the members" },
  verbose: { kind: "switch", short: "v", long: false, help: "list the members with methods, sizes and checksums" },
  print: { kind: "switch", short: "p", long: false, help: "print members to standard output" },
  test: { kind: "switch", short: "t", long: false, help: "unpack members and compare their checksums" },
  names: { kind: "switch", short: "1", long: false, help: "with -Z, and for zipinfo: list names alone" },
  zipinfo: { kind: "switch", short: "Z", long: false, help: "as the first flag: be zipinfo" },
  quiet: { kind: "switch", short: "q", long: false, counts: true, help: "print no archive's name and comment; twice, no headings" },
  ignoreCase: { kind: "switch", short: "C", long: false, help: "members match in either case" },
  exclude: {
    kind: "value",
    short: "x",
    long: false,
    arg: "PATTERN...",
    read: text,
    otherwise: "",
    repeats: true,
    help: "behind the archive: leave out members",
  },
  never: { kind: "switch", short: "n", long: false, unread: true, help: "no effect where no file is written" },
  always: { kind: "switch", short: "o", long: false, unread: true, help: "no effect where no file is written" },
  junkPaths: { kind: "switch", short: "j", long: false, unread: true, help: "no effect where no file is written" },
  binary: { kind: "switch", short: "b", long: false, unread: true, help: "no effect: members are printed as they are" },
  directory: { ...writes("d", "extract into DIR"), arg: "DIR" },
  freshen: writes("f", "freshen files"),
  update: writes("u", "update files"),
  timestamp: writes("T", "set the archive's time"),
  restore: writes("XKDVB:^", "restore owners, permissions or times"),
  contents: refused("c", "print names and members", "-p prints the members, and -l their names"),
  comment: refused("z", "print the archive's comment", "-l prints it above the members"),
  convert: refused("a", "convert ends of lines", "-p prints a member as it is, and tr -d '\\r' converts it"),
  password: { ...refused("P", "decrypt with PASSWORD", "nothing is decrypted here"), arg: "PASSWORD" },
  lowerCase: refused("L", "print names in lower case", "tr '[:upper:]' '[:lower:]' does so"),
  unicode: refused("U", "escape names, or ignore those in Unicode", "names are printed as they are"),
  wildcards: refused("W", "wildcards match no slash", "an asterisk matches slashes here"),
  pager: refused("M", "print through a pager", "there is no terminal here"),
  spaces: refused("s", "list as zipinfo does", "unzip -v lists methods and sizes"),
  other: refused("mh2", "list as zipinfo does", "unzip -v lists methods and sizes"),
} as const satisfies FlagTable;
