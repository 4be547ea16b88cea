/**
 * uname, hostname, nproc, whoami, id and tty: who and where a line runs, as far as `ls -l` of the root tells it. Nothing of the
 * host's name, release, hardware or users shows. One file because they are one decision under several names.
 */
import { countReader } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type Invocation, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { toBytes } from "../../src/io/text.ts";

const COREUTILS = "GNU coreutils 9.1";
const HOST_NAME = "localhost";
const MACHINE = "the machine is not visible here, only the workspace";

export const uname = defineBuiltin({
  name: "uname",
  summary: "Print the system's name: Linux, on localhost.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/uname.html",
  reference: COREUTILS,
  operands: { kind: "none" },
  flags: {
    all: { kind: "switch", short: "a", help: "print all that there is: -s -n -o" },
    kernelName: { kind: "switch", short: "s", long: ["kernel-name", "sysname"], help: "print the kernel's name: Linux (default)" },
    nodename: { kind: "switch", short: "n", help: `print the host's name: ${HOST_NAME}` },
    kernelRelease: hidden("r", ["kernel-release", "release"], "the kernel's release", "uname"),
    kernelVersion: hidden("v", "kernel-version", "the kernel's version", "uname"),
    machine: hidden("m", "machine", "the hardware's name", "uname"),
    processor: hidden("p", "processor", "the type of processor", "uname"),
    hardwarePlatform: hidden("i", "hardware-platform", "the hardware platform", "uname"),
    operatingSystem: { kind: "switch", short: "o", help: "print the operating system: GNU/Linux" },
  },
  examples: [
    { command: "uname", stdout: "Linux\n" },
    { command: "uname -a", stdout: `Linux ${HOST_NAME} GNU/Linux\n` },
  ],
  deviations: [
    {
      from: COREUTILS,
      what: `the host is always ${HOST_NAME}; its release, version and hardware are refused, and left out by -a`,
      why: "a line learns of the machine no more than ls -l tells",
    },
  ],
  async *run({ flags }) {
    const { all, kernelName, nodename, operatingSystem, ...others } = flags;
    allFlagsRead(others);
    const isDefault = !all && !nodename && !operatingSystem;
    const words = [
      ...(all || kernelName || isDefault ? ["Linux"] : []),
      ...(all || nodename ? [HOST_NAME] : []),
      ...(all || operatingSystem ? ["GNU/Linux"] : []),
    ];
    yield toBytes(`${words.join(" ")}\n`);
    return 0;
  },
});

/** A flag that would show the machine. */
function hidden<const L extends string | readonly string[]>(short: string, long: L, what: string, suggestion: string) {
  return { kind: "refused", short, long, help: `print ${what}`, reason: MACHINE, suggestion } as const;
}

export const hostname = defineBuiltin({
  name: "hostname",
  summary: `Print the host's name, which is ${HOST_NAME} here.`,
  standard: "https://man7.org/linux/man-pages/man1/hostname.1.html",
  reference: "hostname 3.23",
  operands: { kind: "none" },
  usageExit: 255,
  flags: {
    short: { kind: "switch", short: "s", unread: true, help: "no effect: the name has no points" },
    fqdn: { kind: "switch", short: "f", long: ["fqdn", "long"], unread: true, help: "no effect: the name is printed whole" },
    alias: hidden("a", "alias", "other names of the host", "hostname"),
    allFqdns: hidden("A", "all-fqdns", "all of its names", "hostname"),
    boot: hidden("b", "boot", "and set the name", "hostname"),
    domain: hidden("d", "domain", "the domain", "hostname"),
    ipAddress: hidden("i", "ip-address", "its addresses", "hostname"),
    allIpAddresses: hidden("I", "all-ip-addresses", "all of its addresses", "hostname"),
    yp: hidden("y", ["yp", "nis"], "the NIS domain", "hostname"),
    file: { kind: "refused", short: "F", arg: "FILE", help: "set the name", reason: MACHINE, suggestion: "hostname" },
  },
  examples: [{ command: "hostname", stdout: `${HOST_NAME}\n` }],
  deviations: [
    {
      from: "hostname 3.23",
      what: `it prints ${HOST_NAME}; addresses and domains are refused, and so is a name to set`,
      why: "a line learns of the machine no more than ls -l tells",
    },
  ],
  async *run({ flags }) {
    allFlagsRead(flags);
    yield toBytes(`${HOST_NAME}\n`);
    return 0;
  },
});

export const nproc = defineBuiltin({
  name: "nproc",
  summary: "Print the number of processors that a line may count on: 1.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/nproc-invocation.html",
  reference: COREUTILS,
  operands: { kind: "none" },
  flags: {
    all: { kind: "refused", help: "print the number of installed processors", reason: MACHINE, suggestion: "nproc" },
    ignore: {
      kind: "value",
      arg: "N",
      read: countReader({ complaint: "invalid number" }),
      otherwise: undefined,
      unread: true,
      help: "no effect: one processor is always left",
    },
  },
  examples: [{ command: "nproc", stdout: "1\n" }],
  deviations: [
    {
      from: COREUTILS,
      what: "the number is always 1, and --all is refused",
      why: "the stages of a line share one processor, and the machine's others are not its own",
    },
  ],
  async *run({ flags }) {
    allFlagsRead(flags);
    yield toBytes("1\n");
    return 0;
  },
});

export const whoami = defineBuiltin({
  name: "whoami",
  summary: "Print the name of the user that the server runs as.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/whoami-invocation.html",
  reference: COREUTILS,
  operands: { kind: "none" },
  flags: {},
  examples: [{ command: "whoami | wc -l", stdout: "1\n", note: "the user that new files belong to" }],
  async *run({ files, warn }) {
    const name = files.userName(files.userId);
    if (name === undefined) {
      warn(`cannot find name for user ID ${files.userId}`);
      return 1;
    }
    yield toBytes(`${name}\n`);
    return 0;
  },
});

const ID_FLAGS = {
  ignored: { kind: "switch", short: "a", long: false, unread: true, help: "no effect, as in the reference tool" },
  context: { kind: "refused", short: "Z", help: "print the security context", reason: MACHINE, suggestion: "id" },
  group: { kind: "switch", short: "g", help: "print the group's number alone" },
  groups: { kind: "switch", short: "G", help: "print the numbers of the groups alone: that of the one" },
  name: { kind: "switch", short: "n", help: "with -u, -g or -G: print the name" },
  real: { kind: "switch", short: "r", help: "with -u, -g or -G: the real number, which is the same" },
  user: { kind: "switch", short: "u", help: "print the user's number alone" },
  zero: { kind: "switch", short: "z", help: "with -u, -g or -G: end in NUL" },
} as const satisfies FlagTable;

export const id = defineBuiltin({
  name: "id",
  summary: "Print the user and the group that the server runs as.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/id.html",
  reference: COREUTILS,
  operands: { kind: "none" },
  flags: ID_FLAGS,
  examples: [{ command: "id -u | wc -l", stdout: "1\n", note: "the number of the user that new files belong to" }],
  deviations: [
    {
      from: COREUTILS,
      what: "supplementary groups are left out, and no other user is looked up",
      why: "a line learns of the machine's users no more than ls -l tells",
    },
  ],
  check: requireOneChoice,
  async *run(invocation) {
    const { flags, files, warn } = invocation;
    const { group, groups, name, real, user, zero, ...others } = flags;
    allFlagsRead(others);
    requireOneChoice({ flags: { group, groups, name, real, user, zero } });
    // Server and files have one user, so that the real and the effective one are the same.
    if (!user && !group && !groups) {
      yield toBytes(`${full(invocation)}\n`);
      return 0;
    }
    const number = user ? files.userId : files.groupId;
    const found = name ? (user ? files.userName(number) : files.groupName(number)) : String(number);
    if (found === undefined) warn(`cannot find name for ${user ? "user" : "group"} ID ${number}`);
    yield toBytes(`${found ?? number}${zero ? "\0" : "\n"}`);
    return found === undefined ? 1 : 0;
  },
});

function full({ files }: Pick<Invocation, "files">): string {
  const named = (number: number, name: string | undefined): string => (name === undefined ? String(number) : `${number}(${name})`);
  return `uid=${named(files.userId, files.userName(files.userId))} gid=${named(files.groupId, files.groupName(files.groupId))}`;
}

/** Throws UsageError. */
function requireOneChoice({
  flags: { user, group, groups, name, real, zero },
}: {
  readonly flags: Pick<StaticInvocation<typeof ID_FLAGS>["flags"], "user" | "group" | "groups" | "name" | "real" | "zero">;
}): void {
  const choices = [user, group, groups].filter(Boolean).length;
  const wrong = (message: string): UsageError => new UsageError("bad-value", message);
  if (choices > 1) throw wrong('cannot print "only" of more than one choice');
  if (choices === 0 && (real || name)) throw wrong("cannot print only names or real IDs in default format");
  if (choices === 0 && zero) throw wrong("option --zero not permitted in default format");
}

export const tty = defineBuiltin({
  name: "tty",
  summary: "Tell that standard input is no terminal.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/tty.html",
  reference: COREUTILS,
  operands: { kind: "none" },
  usageExit: 2,
  flags: { silent: { kind: "switch", short: "s", long: ["silent", "quiet"], help: "print nothing, the exit status says it" } },
  examples: [{ command: "tty", stdout: "not a tty\n", exit: 1 }],
  async *run({ flags: { silent, ...others } }) {
    allFlagsRead(others);
    if (!silent) yield toBytes("not a tty\n");
    return 1;
  },
});
