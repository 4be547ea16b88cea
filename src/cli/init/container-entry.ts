/** Command line that runs the server in a container: made from the options that a server on the host has, and turned back into these. */
import { posix, win32 } from "node:path";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { bindMountOf, bindMountText, type BindMount } from "./bind-mount.ts";
import type { ContainerRun, RunOption } from "./container-run.ts";
import type { Engine } from "./engine-names.ts";
import type { Place } from "./place.ts";

/** A container that `init` writes entries for. Paths are of the host. */
export interface Container extends Pick<Place, "root" | "realRoot" | "platform" | "user"> {
  readonly engine: Engine;
  /** Reference of the image. */
  readonly image: string;
  /** The file that a server on the host reads where no option names one; undefined where there is none. */
  readonly configuration: string | undefined;
  /** Directories that the configuration file at a path puts beside the root. Throws ConfigurationError. */
  readonly mountsIn: (configuration: string) => readonly { readonly directory: string; readonly access: "read" | "write" }[];
}

/** Directory for the root, for other directories and for the configuration, where the host's paths cannot be a container's. */
const ROOT = "/workspace";
const MOUNTS = "/mounts";
const CONFIGURATION = "/usr/local/etc/shelpa.toml";

/**
 * Room for four calls at once at their own limit of 768 MiB, for the server, and for a /tmp of which sessions and sorts make little use
 * (docs/scaling.md).
 */
const MEMORY = "4g";
/** Threads count: a dozen for each of a server's processes, and those of tools in WebAssembly. */
const MOST_PROCESSES = "512";
/** Part of the memory. Nothing is executed there: every stage is code of the image. */
const SCRATCH = "/tmp:rw,noexec,nosuid,nodev,mode=1777,size=";
const SCRATCH_SIZE = "1g";

/** Variables of the policy, handed on where the client has them. The configuration's is a path, and has a mount of its own. */
export const POLICY_VARIABLES: readonly string[] = [
  "SHELPA_PROFILE",
  "SHELPA_READ_ONLY",
  "SHELPA_STRICT",
  "SHELPA_REDIRECTS",
  "SHELPA_TIME_SECONDS",
];

/** Options of the run that stay as somebody set them: none of them opens the container. */
const KEPT: ReadonlySet<string> = new Set(
  "cpus label memory memory-swap pids-limit platform ulimit user".split(" ").map((name) => `--${name}`),
);

/** Of these, limits that a number of zero or below takes away. */
const LIMITS: ReadonlySet<string> = new Set(["--cpus", "--memory", "--memory-swap", "--pids-limit"]);

/** Numbers as engines read them (docker's opts, go-units): "2", "+0.5", "512m", "1.5 GiB". Other texts ("1e-9", "0x0", "1/2") are none here. */
const NUMBER = /^\+?(\d+(?:\.\d*)?|\.\d+) ?(?:([kmgtp])?i?b?)$/i;

/** True for a number by which an engine limits something: bytes and processes are whole, so that "0.5" of them is none, and no limit. */
function isLimit(name: string, value: string): boolean {
  const [, digits, unit] = NUMBER.exec(value) ?? [];
  if (name === "--cpus") return Number(digits) > 0;
  const scale = unit === undefined ? 1 : 1024 ** ("kmgtp".indexOf(unit.toLowerCase()) + 1);
  return Number(digits) * scale >= 1;
}

/** True for an option of a run that an update leaves as it is. SELinux labels are the host's matter, and so is the size of /tmp. */
export const isKept = ({ name, value = "" }: RunOption): boolean =>
  (KEPT.has(name) && (!LIMITS.has(name) || isLimit(name, value))) ||
  (name === "--security-opt" && value.startsWith("label=")) ||
  (name === "--tmpfs" && value.startsWith(SCRATCH) && /^\d+[kmg]?$/.test(value.slice(SCRATCH.length)));

export interface ServerOptions {
  /** Options of a server on the host: "--root", "/home/a/p", "--mount", "/docs=/srv/docs", …. */
  readonly options: readonly string[];
  /** Options of the run that stay. */
  readonly kept: readonly RunOption[];
  /** $SHELPA_CONFIG in the entry's own environment. */
  readonly configuration: string | undefined;
}

/** Arguments of docker or podman that run a server with `options`. Throws ConfigurationError where a path has no place in a container. */
export function containerArguments(container: Container, { options, kept, configuration }: ServerOptions): readonly string[] {
  const unasked = hasOption(options, "--config") ? undefined : (configuration ?? container.configuration);
  const file = unasked === undefined ? undefined : configurationPlace(container, unasked);
  const inside = insideOf(container, options);
  return [
    ...["run", "--rm", "--interactive", "--read-only", "--network=none", "--cap-drop=ALL"],
    // Answers are the client's: no engine keeps them on the disk.
    ...["--security-opt=no-new-privileges", "--ipc=none", "--log-driver=none"],
    // Podman alone would add places that can be written.
    ...(container.engine === "podman" ? ["--read-only-tmpfs=false"] : []),
    ...setOptions(container, kept),
    ...POLICY_VARIABLES.map((name) => `--env=${name}`),
    ...(file === undefined ? [] : [`--env=SHELPA_CONFIG=${file.text}`]),
    `--workdir=${inside.root}`,
    ...withoutRepeats([...inside.binds, ...(file?.binds ?? [])]).map((bind) => `--mount=${bindMountText(bind)}`),
    container.image,
    ...inside.options,
  ];
}

/** Limits and the user, as somebody set them or else as they are without, and what else is kept. */
function setOptions({ engine, user }: Container, kept: readonly RunOption[]): readonly string[] {
  const own: readonly (readonly [string, string])[] = user === undefined ? [] : [["--user", `${user.uid}:${user.gid}`]];
  // Without root's rights podman has no other users: it gives the host's user the same number in the container.
  const identity = engine === "podman" && user?.uid !== 0 ? [["--userns", "keep-id"] as const, ...own] : own;
  const limits = [["--memory", MEMORY] as const, ["--pids-limit", MOST_PROCESSES] as const];
  const ours = [["--tmpfs", `${SCRATCH}${SCRATCH_SIZE}`] as const, ...identity, ...limits];
  return [
    ...ours.map(([name, value]) => `${name}=${kept.findLast((option) => option.name === name)?.value ?? value}`),
    ...kept.filter(({ name }) => !ours.some(([own]) => own === name)).map(optionText),
  ];
}

/** An option as one word, or as it stands. */
export const optionText = ({ name, value, words }: RunOption): string => (value === undefined ? words.join(" ") : `${name}=${value}`);

/**
 * Options of a run that init did not write: those of `kept` that an update by `container` leaves, and those that it takes out, because
 * `next`, the run that it writes, has none that says the same.
 */
export function foreignOptions(
  container: Container,
  { options }: ContainerRun,
  kept: readonly RunOption[],
  next: ContainerRun | undefined,
): { readonly kept: readonly string[]; readonly dropped: readonly string[] } {
  const own = setOptions(container, []);
  const written = new Set(next?.options.map(meaningOf));
  return {
    kept: kept.map(optionText).filter((text) => !own.includes(text)),
    dropped: options.filter((option) => !kept.includes(option) && !written.has(meaningOf(option))).map(namedOption),
  };
}

/** One text for the forms in which an option can be written. */
function meaningOf({ name, value, words }: RunOption): string {
  const binds = name === "--mount" && value !== undefined ? bindMountOf(value) : undefined;
  if (binds !== undefined) return `${name}=${bindMountText(binds)}`;
  if (value !== undefined) return `${name}=${value}`;
  // Of a cluster of letters ("-it") the first alone is known here.
  return words.join(" ") === "-i" ? "--interactive" : words.join(" ");
}

/** An option as it may be printed: the value of a variable is its user's. */
function namedOption(option: RunOption): string {
  const variable = option.name === "--env" ? /^[^=]*=/.exec(option.value ?? "")?.[0] : undefined;
  return variable === undefined ? optionText(option) : `${option.name}=${variable}…`;
}

interface Inside {
  /** Path of the root in the container. */
  readonly root: string;
  readonly options: readonly string[];
  readonly binds: readonly BindMount[];
}

/** The server's options with the paths of the container, and the mounts that bring these there. */
function insideOf(container: Container, options: readonly string[]): Inside {
  const binds: BindMount[] = [];
  let root = ROOT;
  const text = (placed: Placed): string => {
    binds.push(...placed.binds);
    return placed.text;
  };
  const inside = optionsOf(options).flatMap(({ name, value }): readonly string[] => {
    if (value === undefined) return [name];
    switch (name) {
      case "--root":
        root = isMoved(container) ? ROOT : value;
        binds.push({ source: value, target: root, access: "write" });
        return [name, root, ...otherNames(container, value, root).flatMap((other) => ["--alias", other])];
      case "--mount": {
        const { prefix, directory, access } = mountParts(value);
        const place = placeOf(container, directory, access === ":rw" ? "write" : "read", `${MOUNTS}${prefix.slice(0, -1)}`);
        return [name, `${prefix}${text(place)}${access}`];
      }
      case "--also-read":
        return [name, text(placeOf(container, value, "read", undefined))];
      case "--config":
        return [name, text(configurationPlace(container, value))];
      default:
        return [name, value];
    }
  });
  return { root, options: inside, binds };
}

/** The parts of "/docs=/srv/docs:rw"; other text is a directory. */
function mountParts(value: string): { readonly prefix: string; readonly directory: string; readonly access: string } {
  const [, prefix = "", directory = value, access = ""] = /^(\/[^=]*=)(.*?)(|:r[ow])$/s.exec(value) ?? [];
  return { prefix, directory, access };
}

/** Names by which agents may know the root `said` besides `inside`. A variable of the client's stands for one that is known to it alone. */
function otherNames(container: Container, said: string, inside: string): readonly string[] {
  const isOpen = said !== container.root;
  const names = isOpen && container.platform === "win32" ? [] : isOpen ? [said] : namesOfRoot(container);
  return names.filter((name) => name !== inside);
}

/** The absolute paths that mean the root, as Unix tools write them. */
export function namesOfRoot({ root, realRoot, platform }: Pick<Place, "root" | "realRoot" | "platform">): readonly string[] {
  const paths = [...new Set([root, realRoot])];
  if (platform !== "win32") return paths;
  return paths.flatMap((path) => {
    const [, drive, rest = ""] = /^([a-z]):[\\/]*(.*)$/is.exec(path) ?? [];
    const below = `${drive?.toLowerCase()}/${rest.replaceAll("\\", "/")}`;
    return drive === undefined ? [] : ["", "/mnt", "/cygdrive"].map((prefix) => `${prefix}/${below}`);
  });
}

interface Placed {
  /** The path as the server in the container is given it. */
  readonly text: string;
  readonly binds: readonly BindMount[];
}

/** The place of the host path `path` in a container: its own, or `otherwise` on a host whose paths have another form. */
function placeOf(container: Container, path: string, access: BindMount["access"], otherwise: string | undefined): Placed {
  const { root, platform } = container;
  // The client fills a variable in, with an absolute path.
  const isOpen = path.includes("${");
  const host = platform === "win32" ? win32 : posix;
  // Paths in an entry are from where the client starts it, which is the project.
  const source = isOpen ? path : host.resolve(root, path);
  const below = isOpen ? "" : host.relative(root, source);
  if (below !== "" && !below.startsWith("..") && !host.isAbsolute(below))
    return { text: isMoved(container) ? [ROOT, ...below.split(host.sep)].join("/") : path, binds: [] };
  if (platform !== "win32") {
    if (!isOpen && !hasOwnPlace(source, platform))
      throw new ConfigurationError(`${source} cannot be mounted in a container at its own path, where the image has files of its own`);
    return { text: isMoved(container) ? source : path, binds: [{ source, target: source, access }] };
  }
  if (otherwise !== undefined) return { text: otherwise, binds: [{ source, target: otherwise, access }] };
  throw new ConfigurationError(`${path} has no name in a container, whose paths have another form: give --mount /NAME=${path}`);
}

/** The place of a configuration, with mounts for the directories that it names. */
function configurationPlace(container: Container, path: string): Placed {
  const { text, binds } = placeOf(container, path, "read", CONFIGURATION);
  const host = container.platform === "win32" ? win32 : posix;
  const named = path.includes("${") ? [] : container.mountsIn(host.resolve(container.root, path));
  return { text, binds: [...binds, ...named.flatMap(({ directory, access }) => placeOf(container, directory, access, undefined).binds)] };
}

const isMoved = ({ root, platform }: Container): boolean => !hasOwnPlace(root, platform);

/** Directories of the image that a mount must leave visible, and those of the kernel's, below which nothing is mounted. */
const OF_THE_IMAGE = ["/bin", "/etc", "/lib", "/lib64", "/sbin", "/tmp", "/usr/bin", "/usr/lib", "/usr/local/bin"];
const OF_THE_KERNEL = ["/dev", "/proc", "/sys"];

/** True for a path of the host at which a directory can be mounted in a container. */
function hasOwnPlace(path: string, platform: NodeJS.Platform): boolean {
  if (platform === "win32" || !posix.isAbsolute(path)) return false;
  const has = (outer: string, inner: string): boolean => inner === outer || inner.startsWith(outer === "/" ? "/" : `${outer}/`);
  return (
    ![...OF_THE_IMAGE, ...OF_THE_KERNEL, "/usr/local/lib/shelpa-mcp"].some((own) => has(path, own)) &&
    !OF_THE_KERNEL.some((own) => has(own, path))
  );
}

/** One mount for each path of the container, for writing where one of several is. */
const withoutRepeats = (binds: readonly BindMount[]): readonly BindMount[] =>
  binds
    .filter(({ target }, index) => binds.findIndex((other) => other.target === target) === index)
    .map((bind) =>
      binds.some(({ target, access }) => target === bind.target && access === "write") ? { ...bind, access: "write" } : bind,
    );

/** The options of a server on the host which does as the one that `run` starts; without the names of its root in `names`. */
export function hostOptions({ options, server }: ContainerRun, names: readonly string[]): readonly string[] {
  const binds = options.flatMap(({ name, value }) => (name === "--mount" && value !== undefined ? (bindMountOf(value) ?? []) : []));
  const outside = (path: string): string => binds.find(({ target }) => target === path)?.source ?? path;
  const root = optionsOf(server).find(({ name }) => name === "--root")?.value ?? "";
  return optionsOf(server).flatMap(({ name, value }): readonly string[] => {
    if (value === undefined) return [name];
    switch (name) {
      case "--root":
      case "--also-read":
      case "--config":
        return [name, outside(value)];
      case "--alias":
        return [...names, outside(root)].includes(value) ? [] : [name, value];
      case "--mount": {
        const { prefix, directory, access } = mountParts(value);
        return [name, `${prefix}${outside(directory)}${access}`];
      }
      default:
        return [name, value];
    }
  });
}

/** Options of a server whose value is a path, and a word of its own. */
const VALUED: ReadonlySet<string> = new Set(["--root", "--config", "--mount", "--also-read", "--alias"]);

function optionsOf(words: readonly string[]): readonly { readonly name: string; readonly value: string | undefined }[] {
  const found: { name: string; value: string | undefined }[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const equals = word.indexOf("=");
    if (word.startsWith("--") && equals !== -1) found.push({ name: word.slice(0, equals), value: word.slice(equals + 1) });
    else if (VALUED.has(word) && words[at + 1] !== undefined) found.push({ name: word, value: words[++at] });
    else found.push({ name: word, value: undefined });
  }
  return found;
}

const hasOption = (words: readonly string[], name: string): boolean => optionsOf(words).some((option) => option.name === name);
