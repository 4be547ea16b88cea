/**
 * Commands that agents reach for and that are not builtins: for each a sentence, and the stage that does the intended work,
 * if there is one. The one place in the guard that names commands. A name that the registry knows is never looked up here,
 * so an entry does no harm once a builtin of that name exists.
 */
import {
  afterPrefix,
  countedLines,
  described,
  found,
  inPlace,
  known,
  oneByOne,
  sameAs,
  scriptOf,
  withFiles,
  type ForeignCall,
} from "./foreign-stages.ts";
import { perlScript } from "./foreign-perl.ts";
import { nodeScript, pythonScript } from "./foreign-scripts.ts";
import { whyReadOnly, writingToolOf } from "./reads-only.ts";
import type { GuardContext } from "./rule.ts";
import type { RuleId } from "./rule-catalogue.ts";
import { same, type Suggestion } from "./suggestion.ts";

export interface ForeignCommand {
  /** Reason that it is refused, and the command to use in its place: one or two sentences. */
  readonly why: string;
  /** Gives the stage that does the intended work, in shell syntax. A text lacks something: `lost`, or that it is another command. */
  readonly instead?: (call: ForeignCall) => Suggestion | string | undefined;
  readonly lost?: string;
  /** The catalogue's rule for the harm it would have done; absent for a command that does no harm. */
  readonly rule?: RuleId;
}

/** The table's entry for a command that is no builtin; undefined for a name that the table does not have. */
export function foreignCommand(name: string): ForeignCommand | undefined {
  return Object.hasOwn(TABLE, name) ? TABLE[name] : undefined;
}

/** The stage that does the intended work in place of `call`, and what it lacks. */
export function foreignSuggestion(call: ForeignCall): Suggestion | undefined {
  const command = foreignCommand(call.name);
  const instead = command?.instead?.(call);
  if (instead === undefined || typeof instead === "object") return instead;
  const isRest = instead !== "" && call.sources.join(" ").endsWith(instead);
  const other = isRest ? `without ${call.name}` : `${instead.split(" ")[0] ?? ""} in place of ${call.name}`;
  return { line: instead, lost: command?.lost ?? other };
}

/** `why`, with the writers that there are in this server. */
export function reasonOf({ why }: ForeignCommand, context: WritersHere): string {
  const { registry, readOnly, contentOnly } = context;
  const writingTool = writingToolOf(context);
  const here = ["tee", ...(contentOnly ? [] : ["sed -i", "sort -o", "patch", "cp", "mv"])].filter((each) =>
    registry.has(each.split(" ")[0] as string),
  );
  const list = here.join(", ").replace(/, (?=[^,]*$)/, " and ");
  const isNone = (readOnly && writingTool === undefined) || here.length === 0;
  const where = writingTool === undefined ? "" : `, with the tool ${writingTool}`;
  return why.replace(
    WRITERS,
    isNone ? sentence(whyReadOnly(writingTool === undefined ? context : {})) : `Files are written by ${list}${where}.`,
  );
}

const sentence = (clause: string): string => clause.slice(0, 1).toUpperCase() + clause.slice(1);

type WritersHere = Pick<GuardContext, "registry" | "readOnly" | "contentOnly" | "readsOnly">;

/** Every foreign command that is known. */
export const foreignNames = (): readonly string[] => Object.keys(TABLE);

const NO_PROGRAMS = "No program is ever started here: every stage is a builtin of this server.";
const NO_NETWORK = "There is no network here.";
const WRITERS = "Files are written by tee, sed -i, sort -o, patch, cp and mv.";

const runtime = (what: string, rule: RuleId = "cmd:runs-code"): ForeignCommand => ({ why: `${NO_PROGRAMS} ${what}`, rule });
const network: ForeignCommand = {
  why: `${NO_NETWORK} What is in the workspace can be read; anything else has to be fetched by other means.`,
  rule: "cmd:network",
};
const unpacks = runtime(
  "Of packed files only those of gzip can be read here, with zcat and tar -z, and of zip, with unzip -p.",
  "cmd:changes-files",
);
const asZcat: ForeignCommand = { why: "There is no terminal here to page on.", instead: sameAs("zcat") };
const process: ForeignCommand = {
  why: "There are no processes here to list, signal or wait for: a line runs to its end within its time limit.",
  rule: "cmd:processes",
};
const owner: ForeignCommand = {
  why: "Permissions and owners cannot be changed here; tee keeps those a file has.",
  rule: "cmd:permissions",
};
const remove: ForeignCommand = {
  why: "rm removes a file, recorded, so that it can be had back.",
  rule: "cmd:removes",
};
const privileges: ForeignCommand = {
  why: "There are no other users here, and none is needed.",
  instead: afterPrefix(["-u", "-g", "-h", "-p", "-C"]),
  rule: "cmd:privileges",
};
const editor: ForeignCommand = {
  why: "There is no terminal here, so nothing interactive. Read with cat, head, tail or grep -n; write with tee.",
  rule: "cmd:terminal",
};
const pager: ForeignCommand = {
  why: "There is no terminal here, so no pager: long output is cut and says how to go on.",
  instead: ({ sources }) => withFiles("cat", sources),
  rule: "cmd:terminal",
};
const build: ForeignCommand = runtime("Builds and tests have to be run by other means; their logs can be read here.");
const packages = runtime(
  "Packages are installed, and their scripts and tests are run, by other means; what is in the workspace can be read.",
  "cmd:installs",
);
const shell: ForeignCommand = {
  why: "There is no other shell here: the line itself is in shell syntax, so type the commands directly.",
  instead: (call) => (call.texts.at(-1) === scriptOf(call) ? scriptOf(call) : undefined),
  lost: "as bash reads it",
  rule: "cmd:runs-code",
};
const search: ForeignCommand = {
  why: "This search tool is not available; rg searches a directory, and shares most of its flags.",
  instead: sameAs("rg"),
};
const machine: ForeignCommand = { why: "The machine is not visible here, only the workspace." };
const gnu = (name: string): ForeignCommand => ({
  why: "The tools here are GNU's already, by their plain names.",
  instead: (call) => (call.sources.length === 0 ? undefined : sameAs(name)(call)),
});
const listing: ForeignCommand = { why: "ls lists a directory.", instead: ({ sources }) => withFiles("ls", sources) };
const lineCounter: ForeignCommand = { why: "wc -l counts the lines of each file.", instead: countedLines };
const table: ForeignCommand = { why: "Tables are read with cut -d, -f2 or awk -F, and shown with column -s, -t." };
const scheduler: ForeignCommand = { why: "Nothing runs later here: a line runs to its end." };
const soon = (name: string, use: string): ForeignCommand => ({ why: `${name} is not available yet; ${use}.` });

const SCRIPTS = runtime("Scripts have to be run by other means; text is worked on with jq, awk, sed, grep and the like.");

const TABLE: Readonly<Record<string, ForeignCommand>> = {
  gh: network,
  svn: network,
  hg: { why: `${NO_PROGRAMS} Files can be read as they are in the working directory.` },

  npm: packages,
  npx: packages,
  yarn: packages,
  pnpm: packages,
  bun: packages,
  pip: packages,
  pip3: packages,
  uv: packages,
  poetry: packages,
  apt: packages,
  "apt-get": packages,
  brew: packages,
  gem: packages,
  composer: packages,
  node: { ...SCRIPTS, instead: nodeScript },
  deno: SCRIPTS,
  tsc: build,
  tsx: runtime("Scripts have to be run by other means."),
  python: { ...SCRIPTS, instead: pythonScript },
  python3: { ...SCRIPTS, instead: pythonScript },
  ruby: SCRIPTS,
  perl: {
    ...runtime(
      "Scripts have to be run by other means; text is worked on with sed, awk, grep and the like, and files are edited with sed -i.",
    ),
    instead: perlScript,
  },
  php: runtime("Scripts have to be run by other means."),
  java: runtime("Programs have to be run by other means."),
  go: build,
  cargo: build,
  rustc: build,
  gcc: build,
  make: build,
  cmake: build,
  mvn: build,
  gradle: build,
  dotnet: build,
  pytest: build,
  jest: build,
  vitest: build,
  eslint: build,

  unlink: remove,
  shred: remove,
  install: { why: "cp copies, and mkdir -p makes the directories on the way.", rule: "cmd:changes-files" },
  dd: { why: `${WRITERS} Parts of a file are read with head -c and tail -c.`, rule: "cmd:changes-files" },
  ln: { why: "Links cannot be made here: a file has one name, so that its record is complete.", rule: "cmd:changes-files" },
  truncate: { why: WRITERS, rule: "cmd:changes-files" },
  chmod: owner,
  chown: owner,
  chgrp: owner,

  curl: network,
  wget: network,
  ssh: network,
  scp: network,
  rsync: network,
  nc: network,
  ping: network,
  docker: runtime("Containers have to be run by other means."),
  podman: runtime("Containers have to be run by other means."),
  kubectl: network,
  terraform: network,
  aws: network,
  gcloud: network,

  sftp: network,
  ftp: network,
  telnet: network,
  host: network,
  dig: network,
  nslookup: network,
  traceroute: network,
  ip: network,
  ifconfig: network,
  netstat: network,
  ss: network,

  ps: process,
  top: process,
  htop: process,
  kill: process,
  pkill: process,
  killall: process,
  jobs: process,
  fg: process,
  bg: process,
  nohup: { why: "It is read as nohup COMMAND, and changes nothing: a line runs to its end.", instead: afterPrefix([]) },
  watch: { why: "A line runs once and ends; run it again for a newer answer.", instead: afterPrefix(["-n", "--interval"]) },

  sudo: privileges,
  doas: privileges,
  su: { why: "There are no other users here, and none is needed.", instead: scriptOf, lost: "without su", rule: "cmd:privileges" },
  exec: {
    why: "A stage cannot take the place of the shell here. With redirections alone exec stands between the commands of the line or of a subshell, not behind && and in no group, function or loop: there, { COMMANDS; } 3>&1.",
    // What stands behind it would never run.
    instead: (call) => (call.isLast ? afterPrefix(["-a"])(call) : undefined),
  },
  time: { why: "The word time is the shell's own: time COMMAND, time -p COMMAND.", instead: afterPrefix(["-f", "-o"]) },
  timeout: {
    why: "It is read as timeout DURATION COMMAND, with literal -s, -k, --foreground and --preserve-status.",
    instead: afterPrefix(["-s", "-k", "--signal", "--kill-after"], 1),
  },
  nice: { why: "It is read as nice -n NUMBER COMMAND, and changes nothing: stages share one process.", instead: afterPrefix(["-n"]) },
  stdbuf: {
    why: "It is read as stdbuf -oL COMMAND, and changes nothing: stages pass blocks on as they come.",
    instead: afterPrefix(["-i", "-o", "-e"]),
  },

  zsh: shell,
  ksh: shell,
  fish: shell,
  eval: {
    why: "It takes text that stands in the line as it is (eval 'COMMAND'), and data is never read as commands: type the command itself.",
    // A variable that is set for it alone is set for what it runs, too, and not for the words of a command.
    instead: ({ texts, isAssigned }) => (isAssigned ? undefined : known(texts)?.join(" ")),
    lost: "its words as they stand",
    rule: "cmd:runs-code",
  },
  source: { why: "A script cannot be run here: type its commands.", rule: "cmd:runs-code" },
  ".": { why: "A script cannot be run here: type its commands.", rule: "cmd:runs-code" },
  ulimit: { why: "The limits here are fixed by whoever started the server." },
  bind: { why: "There is no terminal here whose keys could be bound." },
  complete: { why: "There is no terminal here at which anything is completed." },
  fc: { why: "There is no terminal here, and no list of earlier lines." },
  enable: { why: "The builtins are what they are: help lists them." },
  disown: process,
  suspend: process,
  logout: { why: "There is no login here: exit ends the line." },
  whereis: { why: "Every command here is a builtin; help lists them." },
  man: { why: "The manual of a builtin is its help.", instead: described, lost: "the page of the builtin" },
  info: { why: "The manual of a builtin is its help.", instead: described, lost: "the page of the builtin" },

  vim: editor,
  vi: editor,
  nvim: editor,
  nano: editor,
  emacs: editor,
  code: editor,
  ed: editor,
  most: pager,
  open: editor,
  tmux: editor,
  screen: editor,

  ag: search,
  ack: search,
  dc: { why: "$(( ... )) computes with whole numbers, bc with any." },
  split: { why: `${WRITERS} A part of a file is read with sed -n '1,100p', head or tail.`, rule: "cmd:changes-files" },
  csplit: { why: `${WRITERS} A part of a file is read with sed -n '/FROM/,/TO/p'.`, rule: "cmd:changes-files" },
  rename: { why: "mv renames one file, and in a loop many.", rule: "cmd:changes-files" },
  sponge: { why: "tee waits for the end of what it reads before it writes.", instead: (call) => `${sameAs("tee")(call)} >/dev/null` },
  dos2unix: { why: WRITERS, instead: inPlace("sed -i 's/\\r$//'"), rule: "cmd:changes-files" },
  unix2dos: { why: WRITERS, instead: inPlace("sed -i 's/$/\\r/'"), rule: "cmd:changes-files" },
  iconv: { why: "Bytes are passed on as they are. rg --encoding reads text in other encodings." },
  gsed: gnu("sed"),
  ggrep: gnu("grep"),
  gfind: gnu("find"),
  gxargs: gnu("xargs"),
  gdate: gnu("date"),
  gsort: gnu("sort"),
  gstat: gnu("stat"),
  gls: gnu("ls"),
  greadlink: gnu("readlink"),
  grealpath: gnu("realpath"),
  ghead: gnu("head"),
  gtail: gnu("tail"),
  eza: listing,
  exa: listing,
  lsd: listing,
  colordiff: { why: "There is no terminal here for colours.", instead: sameAs("diff") },
  sdiff: { why: "diff -y prints two files side by side.", instead: sameAs("diff -y") },
  vimdiff: { why: "There is no terminal here, so nothing interactive.", instead: ({ sources }) => withFiles("diff -u", sources) },
  diff3: { why: "diff compares two files at a time." },
  delta: { why: "There is no terminal here for colours.", instead: ({ sources }) => withFiles("cat", sources) },
  pv: { why: "There is no terminal here to show progress on.", instead: ({ sources }) => withFiles("cat", sources) },
  fzf: { why: "There is no terminal here to choose at; grep filters." },
  locate: { why: "There is no index of the files here; find looks through them.", instead: found },
  cloc: lineCounter,
  tokei: lineCounter,
  scc: lineCounter,
  xmllint: { why: "XML is read as the text it is.", instead: ({ sources }) => withFiles("cat", sources) },
  mlr: table,
  csvcut: table,
  csvgrep: table,
  xsv: table,
  qsv: table,
  csvlook: { why: "column lines up a table.", instead: ({ sources }) => withFiles("column -s, -t", sources) },
  md5: { why: "md5sum prints it.", instead: ({ sources }) => withFiles("md5sum", sources) },
  openssl: runtime("Checksums are printed by sha256sum and its like; base64 encodes."),
  parallel: { why: "xargs runs a builtin for each, one after the other.", instead: oneByOne },
  ts: { why: "awk puts the time in front of each line.", instead: () => `awk '{print strftime("%b %d %H:%M:%S"), $0}'` },
  entr: scheduler,
  at: scheduler,
  crontab: scheduler,
  systemctl: process,
  service: process,
  journalctl: machine,
  dmesg: machine,
  logger: machine,
  free: machine,
  uptime: machine,
  lscpu: machine,
  lsblk: machine,
  arch: machine,
  getconf: machine,
  locale: { why: "The locale here is C.UTF-8." },
  uuidgen: { why: "There is no source of names here; shuf -i 0-999999999 -n 1 picks a number." },
  sync: { why: "What tee wrote is on the disk when it ends.", instead: ({ sources }) => (sources.length === 0 ? same("true") : undefined) },
  tput: { why: "There is no terminal here.", instead: () => "true", lost: "nothing is printed" },
  stty: { why: "There is no terminal here.", instead: () => "true", lost: "nothing is printed" },
  reset: { why: "There is no terminal here.", instead: () => "true", lost: "nothing is printed" },
  cal: { why: "date -d computes with dates, and date +%a names the day." },
  apropos: { why: "help lists the builtins." },
  whatis: { why: "The manual of a builtin is its help.", instead: described, lost: "the page of the builtin" },
  yq: soon("yq", "grep -n finds a key and its line"),
  dir: { why: "ls lists a directory.", instead: sameAs("ls -C -b") },
  sl: { why: "ls lists a directory.", instead: sameAs("ls"), lost: "if ls was meant" },
  ll: { why: "There are no aliases here.", instead: sameAs("ls -l") },
  la: { why: "There are no aliases here.", instead: sameAs("ls -A") },
  df: { why: "The machine's disks are not visible here." },
  lsof: process,
  "7z": unpacks,
  rar: unpacks,
  unrar: unpacks,
  lz4: unpacks,
  zip: runtime("Archives have to be packed by other means.", "cmd:changes-files"),
  bzip2: unpacks,
  bunzip2: unpacks,
  bzcat: unpacks,
  xz: unpacks,
  unxz: unpacks,
  xzcat: unpacks,
  zstd: unpacks,
  zstdcat: unpacks,
  zless: asZcat,
  zmore: asZcat,
  sqlite3: runtime("Databases have to be read by other means."),
  psql: network,
  mysql: network,
  clear: { why: "There is no terminal here to clear.", instead: () => "true", lost: "nothing is printed" },
};
