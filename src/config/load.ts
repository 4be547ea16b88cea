/**
 * Sources of the policy: flags over environment over the configuration file over the profile over defaults; and
 * last a file inside the root, which may only tighten. A value that is wrong stops the start.
 */
import { join, resolve } from "node:path";
import { FileError } from "../workspace/file-error.ts";
import { ruleFor } from "../glob/path-rules.ts";
import { hostEntryExists, hostFileText, placesInRoot } from "../host/host-file.ts";
import { ownFiles } from "../host/own-code.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { merged, tightened } from "./merge.ts";
import { checkMounts } from "./mounts.ts";
import type { PolicyLayer } from "./effective.ts";
import {
  DEFAULT_POLICY,
  PROFILES,
  profilePolicy,
  type Policy,
  type PolicyMount,
  type Profile,
  REDIRECT_POLICIES,
  type RedirectPolicy,
} from "./policy.ts";
import type { Configuration } from "./schema.ts";

/** The file inside the root. No agent may write it (src/audit/protected-paths.ts). */
export const ROOT_CONFIGURATION = ".shelpa.toml";

export interface PolicySources {
  /** Host directory. */
  readonly root: string;
  /** `--config`. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Host paths of files with secrets of the server itself: where they lie in the root they are neither read nor written. */
  readonly secretFiles?: readonly string[] | undefined;
  readonly flags: {
    readonly profile?: string | undefined;
    readonly readOnly?: boolean | undefined;
    readonly strict?: boolean | undefined;
    readonly redirects?: string | undefined;
    readonly structured?: boolean | undefined;
    readonly split?: boolean | undefined;
    /** Besides those of the file. */
    readonly mounts?: readonly PolicyMount[] | undefined;
  };
}

export interface LoadedPolicy {
  readonly policy: Policy;
  /** Host paths of the files that were read, in their order. */
  readonly files: readonly string[];
  /** The policy after each source, from the defaults on. */
  readonly layers: readonly PolicyLayer[];
}

/** Loads the policy. Rejects with ConfigurationError, which names the file or variable, the place in it, and a valid value. */
export async function loadPolicy({ root, file, environment, flags, secretFiles = [] }: PolicySources): Promise<LoadedPolicy> {
  const files: string[] = [];
  const main = mainFile(file, environment);
  const configuration = main === undefined ? undefined : await readConfiguration(main.path, main.isRequired);
  if (main !== undefined && configuration !== undefined) files.push(main.path);
  const profile = profileNamed(flags.profile ?? environment["SHELPA_PROFILE"]) ?? configuration?.profile ?? "standard";
  const layers: PolicyLayer[] = [{ source: "default", policy: DEFAULT_POLICY }];
  let policy = profilePolicy(profile);
  layers.push({ source: `profile ${profile}`, policy });
  if (configuration !== undefined && main !== undefined) {
    policy = inFile(main.path, () => merged(policy, configuration));
    layers.push({ source: main.path, policy });
  }
  policy = merged(policy, environmentConfiguration(environment));
  layers.push({ source: "environment", policy });
  const redirects = redirectsNamed("--redirects", flags.redirects);
  if (redirects !== undefined) policy = { ...policy, redirects };
  if (flags.split === true) policy = { ...policy, split: true };
  if (flags.structured === true) policy = { ...policy, answers: { structured: true } };
  if (flags.mounts !== undefined) policy = { ...policy, mounts: [...policy.mounts, ...flags.mounts] };
  const inRoot = join(root, ROOT_CONFIGURATION);
  const tightening = await readRootConfiguration(root, inRoot);
  if (tightening !== undefined) {
    files.push(inRoot);
    policy = inFile(inRoot, () => tightened(policy, tightening));
    layers.push({ source: inRoot, policy });
  }
  // A flag can only add to what a file forbids: somebody typed it to be safer.
  policy = { ...policy, readOnly: policy.readOnly || flags.readOnly === true, strict: policy.strict || flags.strict === true };
  layers.push({ source: "flag", policy });
  // No line may write a file that the next start reads or runs: it would be another policy, or another server.
  const own = [...secretFiles, ...(main === undefined ? [] : [main.path]), ...ownFiles(), process.execPath];
  policy = {
    ...policy,
    paths: {
      ...policy.paths,
      own: own.flatMap((path) => placesInRoot(root, path)),
      denyRead: [...policy.paths.denyRead, ...secretFiles.flatMap((path) => placesInRoot(root, path)).map(ruleFor)],
    },
    mounts: policy.mounts.map((mount) => ({
      ...mount,
      own: own.flatMap((path) => placesInRoot(mount.directory, path)),
      denyRead: secretFiles.flatMap((path) => placesInRoot(mount.directory, path)).map(ruleFor),
    })),
  };
  layers.push({ source: "the server's own files", policy });
  checkMounts(policy.mounts, root, []);
  return { policy, files, layers };
}

function mainFile(
  given: string | undefined,
  environment: PolicySources["environment"],
): { readonly path: string; readonly isRequired: boolean } | undefined {
  const named = given ?? environment["SHELPA_CONFIG"];
  if (named !== undefined && named !== "") return { path: named, isRequired: true };
  const home = environment["XDG_CONFIG_HOME"] || (environment["HOME"] === undefined ? undefined : join(environment["HOME"], ".config"));
  return home === undefined || home === "" ? undefined : { path: join(home, "shelpa", "config.toml"), isRequired: false };
}

/** The configuration in the file at the host path `path`; undefined where there is no file and none is required. */
async function readConfiguration(path: string, isRequired: boolean): Promise<Configuration | undefined> {
  let text: string | undefined;
  try {
    text = hostFileText(path);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new ConfigurationError(`${path}: ${thrown.message}`);
  }
  if (text === undefined) {
    if (isRequired) throw new ConfigurationError(`${path}: No such file or directory`);
    return undefined;
  }
  // Loaded here: without a file nobody waits for a parser and a schema.
  const { parseConfiguration } = await import("./parse-configuration.ts");
  return parseConfiguration(text, path, { isInRoot: false });
}

/** More than any configuration has. */
const MOST_BYTES = 1 << 20;

/**
 * The configuration in the file inside the root; undefined where there is no file. The author of the tree made it too, so it is
 * read as files of the tree are: by no link that leads out, and only if it is a regular file. One that cannot be read so stops
 * the start, because it may have been there to tighten.
 */
async function readRootConfiguration(root: string, path: string): Promise<Configuration | undefined> {
  if (!hostEntryExists(path)) return undefined;
  // Loaded here: most trees have none.
  const { Workspace: Opened } = await import("../workspace/workspace.ts");
  let workspace: Workspace;
  try {
    workspace = Opened.open(resolve(root));
  } catch (thrown) {
    // The error is reported by the code that opens the root for use.
    if (thrown instanceof FileError) return undefined;
    throw thrown;
  }
  let text: string;
  try {
    const file = workspace.open(ROOT_CONFIGURATION);
    if (file.size > MOST_BYTES) throw new ConfigurationError(`${path}: it is longer than ${MOST_BYTES} bytes`);
    text = Buffer.concat([...file.blocks()]).toString("utf8");
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    if (thrown.code === "ENOENT") return undefined;
    throw new ConfigurationError(`${path}: ${thrown.message}`);
  } finally {
    workspace.close();
  }
  const { parseConfiguration } = await import("./parse-configuration.ts");
  return parseConfiguration(text, path, { isInRoot: true });
}

function profileNamed(text: string | undefined): Profile | undefined {
  if (text === undefined || text === "") return undefined;
  const profile = PROFILES.find((name) => name === text);
  if (profile === undefined) throw new ConfigurationError(`there is no profile '${text}'; there are ${PROFILES.join(", ")}`);
  return profile;
}

/** undefined where nothing is given; `where` is the flag or the variable. */
function redirectsNamed(where: string, text: string | undefined): RedirectPolicy | undefined {
  if (text === undefined || text === "") return undefined;
  const redirects = REDIRECT_POLICIES.find((name) => name === text);
  if (redirects === undefined) throw new ConfigurationError(`${where}: '${text}' is none of ${REDIRECT_POLICIES.join(", ")}`);
  return redirects;
}

/** `SHELPA_READ_ONLY`, `SHELPA_STRICT`, `SHELPA_REDIRECTS`, `SHELPA_TIME_SECONDS`. */
function environmentConfiguration(environment: PolicySources["environment"]): Configuration {
  const time = environment["SHELPA_TIME_SECONDS"];
  if (time !== undefined && !(Number(time) > 0)) throw new ConfigurationError(`SHELPA_TIME_SECONDS: '${time}' is no number of seconds`);
  const readOnly = truth("SHELPA_READ_ONLY", environment);
  const strict = truth("SHELPA_STRICT", environment);
  const redirects = redirectsNamed("SHELPA_REDIRECTS", environment["SHELPA_REDIRECTS"]);
  return {
    ...(readOnly === undefined ? {} : { read_only: readOnly }),
    ...(strict === undefined ? {} : { strict }),
    ...(redirects === undefined ? {} : { redirects }),
    ...(time === undefined ? {} : { limits: { time_seconds: Number(time) } }),
  };
}

function truth(name: string, environment: PolicySources["environment"]): boolean | undefined {
  const text = environment[name];
  if (text === undefined || text === "") return undefined;
  if (["1", "true", "yes"].includes(text)) return true;
  if (["0", "false", "no"].includes(text)) return false;
  throw new ConfigurationError(`${name}: '${text}' is neither true nor false`);
}

function inFile(path: string, action: () => Policy): Policy {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) throw new ConfigurationError(`${path}: ${thrown.message}`);
    throw thrown;
  }
}
