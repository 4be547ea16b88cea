/** Differences between awk here and gawk, with the reason of each. */
import type { Deviation } from "../../src/builtin/definition.ts";

export const DEVIATIONS: readonly Deviation[] = [
  {
    from: "gawk 5.3.2",
    what: "a command (system(), print |, | getline) is text that the program spells out, joins or assigns to a variable; one that data is part of, and any of a program in a file, is refused",
    why: "commands are checked with the line, and data is never read as commands",
  },
  {
    from: "gawk 5.3.2",
    what: "coprocesses (|&) and @load are refused",
    why: "a command is only read or only written to, and there are no libraries",
  },
  {
    from: "gawk 5.3.2",
    what: "a command in BEGINFILE or ENDFILE, in the patterns of a range, or in a function that sorts or is called by a computed name ends the program",
    why: "a command cannot be waited for there",
  },
  {
    from: "gawk 5.3.2",
    what: "a command does not start once the program has changed ENVIRON",
    why: "a command has the environment that was checked with the line",
  },
  {
    from: "gawk 5.3.2",
    what: "a command that the program prints to runs when it is closed, or has had 64 KiB, or with fflush() and system()",
    why: "with gawk the two run beside each other, and the order of what they print is chance",
  },
  { from: "gawk 5.3.2", what: "at most 100 commands are open at once", why: "each holds memory" },
  {
    from: "gawk 5.3.2",
    what: 'print > FILE is refused, but for /dev/stdout, /dev/stderr, /dev/null and files in /tmp; with redirects = "record" it is a recorded write',
    why: "what it prints is given to tee, which records what it replaces",
  },
  {
    from: "gawk 5.3.2",
    what: "files that are recorded change when awk has ended, all together: where one must not be written, none does; one to which nothing was printed stays where awk failed (CONFLICT). A file that is written is not read again, by awk or by a command of the program that looks at files, nor written under two names: the line is refused",
    why: "what a line changes is one change, which can be undone; the old bytes would be a wrong answer",
  },
  {
    from: "gawk 5.3.2",
    what: "a program in a file (-f, -i) prints to files in /tmp alone",
    why: "what a line writes is checked with the line",
  },
  {
    from: "gawk 5.3.2",
    what: "at most 1024 files are open at once, and 1000 of the workspace are written by one command",
    why: "each is held until the end",
  },
  {
    from: "gawk 5.3.2",
    what: "getline from a file outside the root is an error, not -1",
    why: "-1 says that there is no such file, and the host may have it",
  },
  {
    from: "gawk 5.3.2",
    what: "getline from standard input by a name that comes out of a record is a mistake",
    why: "input is read on between statements, and there it must be known whose",
  },
  {
    from: "gawk 5.3.2",
    what: "ENVIRON holds the variables that the line exports, and PROCINFO says nothing of the process",
    why: "nothing of the host is shown",
  },
  {
    from: "gawk 5.3.2",
    what: "-c, -P, -M, -d, -D, -o, -p, -I, -g and -l are refused",
    why: "they make another language of it, or write files",
  },
  {
    from: "gawk 5.3.2",
    what: "messages name a variable of the namespace awk without `awk::`",
    why: "gawk names it as it stood where it was met first",
  },
  {
    from: "gawk 5.3.2",
    what: "messages name a program of the command line `cmd. line`, also once it has included a file",
    why: "gawk then names all of the program's text",
  },
  {
    from: "gawk 5.3.2",
    what: "a wrong flag is named before the usage, and one without its value as getopt names it",
    why: "gawk's usage alone does not say what was wrong",
  },
  {
    from: "gawk 5.3.2",
    what: "break and continue outside of a loop are always a mistake",
    why: "behind a do loop gawk lets them stand, and crashes",
  },
  { from: "gawk 5.3.2", what: "-L and -t warn of nothing, and say so", why: "programs are run here, not judged" },
  { from: "gawk 5.3.2", what: "a function may call itself some thousand times deep, not more", why: "the stack is limited" },
  { from: "gawk 5.3.2", what: "the sign of a NaN is always minus", why: "JavaScript does not keep it" },
  {
    from: "gawk 5.3.2",
    what: "a dynamic regular expression is read anew whenever its text is another one",
    why: "gawk keeps the last one of a place while the new one is the same number: after `1` it takes `1.0` for it, and 0 for nothing",
  },
  {
    from: "gawk 5.3.2",
    what: "an infinite number or a NaN that is assigned to a field ($1, …) is its text when $0 is made of the fields",
    why: "gawk prints memory for it",
  },
  {
    from: "gawk 5.3.2",
    what: "where an array has an integer and a number that looks like it in CONVFMT (333333 and 1e6 / 3), a subscript that a loop visited, or that is deleted, is the integer",
    why: "gawk takes it for one or the other, by how the array came about",
  },
  {
    from: "gawk 5.3.2",
    what: "with --csv a record's last field counts, where it and the one before are empty, whichever field is asked for first",
    why: "gawk does not count it once the one before was asked for",
  },
  {
    from: "gawk 5.3.2",
    what: "with --csv an assignment to RS, FS, FPAT or FIELDWIDTHS has no effect, and nothing is said of it",
    why: "gawk warns once of each; the answer is the same",
  },
  {
    from: "gawk 5.3.2",
    what: "exp, log, sin, cos, atan2 and a power that is no whole number may differ past the fifteenth digit",
    why: "they are V8's, and glibc's are nearer: int(log(243) / log(3)) is 5 here and 4 there",
  },
  {
    from: "gawk 5.3.2",
    what: "patsplit takes a number for its text",
    why: "gawk finds nothing in it, but where the number was used as text before",
  },
  {
    from: "gawk 5.3.2",
    what: "with IGNORECASE, fields of FIELDWIDTHS compare as other texts do",
    why: "for gawk the first of two fields is never less than the second",
  },
  {
    from: "gawk 5.3.2",
    what: "gsub and gensub find the empty matches behind a NUL too",
    why: "gawk finds none, and with gsub goes on for ever",
  },
  {
    from: "gawk 5.3.2",
    what: "NF that was assigned a fraction is whole again once a record is read",
    why: "gawk keeps the fraction where the new record has as many fields",
  },
  {
    from: "gawk 5.3.2",
    what: "what is said of an invalid expression out of a field shows that field",
    why: "gawk shows the rest of the record, as it stands in memory",
  },
  {
    from: "gawk 5.3.2",
    what: "a field is as it was when its turn came in a statement, whatever the rest of that assigns or reads",
    why: "gawk may take what the field became, or memory",
  },
  {
    from: "gawk 5.3.2",
    what: "split and patsplit keep what is around an empty match (gawk loses some of it), and patsplit takes a number for its text",
    why: "gawk's answer there is a mistake of its own",
  },
  {
    from: "gawk 5.3.2",
    what: "an element that is an array, where a scalar is wanted, ends the program before the other operand is worked out",
    why: "gawk calls what the other operand calls first, and names the line where that ended; or it ends with an internal error",
  },
  {
    from: "gawk 5.3.2",
    what: "an operator behind ^ or $ within a regular expression (`a$*`) is a character",
    why: "gawk takes it for one in sub, gensub, match and split, and with ~ for a repetition of nothing",
  },
  {
    from: "gawk 5.3.2",
    what: "what fails within a statement that goes over several lines is told of the line where the statement begins",
    why: "gawk names the line of the operator or the function",
  },
  {
    from: "gawk 5.3.2",
    what: "a program that is not complete is told of the line where it ends",
    why: "where no newline ends it, gawk may count one more or read on a number such as `1e+`, by what stands in memory behind it",
  },
  {
    from: "gawk 5.3.2",
    what: "NR and FNR that were assigned 2^53 or more go on in steps that a double can take",
    why: "numbers are doubles here; gawk counts records in a long",
  },
];
