/**
 * The workspaces of a server: the directories of one directory, each under its name, or those of a file (server-schema.ts) that also has
 * the limits, the callers and the rest. Nothing of a workspace is opened here.
 */
import { dirname, join, resolve } from "node:path";
import { hostDirectoryNames, hostFileText, isHostDirectory, isPlainDirectory, realPlace } from "../../host/host-file.ts";
import { FileError } from "../../workspace/file-error.ts";
import { ConfigurationError } from "../configuration-error.ts";
import { mountAt } from "../mounts.ts";
import type { PolicyMount, Profile } from "../policy.ts";
import { checkedValue, tomlValue } from "../toml-file.ts";
import { serverCallers, type ServerCallers } from "./callers.ts";
import { serverSchema, WORKSPACE_NAME, type ServerFile } from "./server-schema.ts";

/** A workspace as its owner has set it up. */
export interface WorkspaceEntry {
  readonly name: string;
  /** Host directory, absolute. */
  readonly root: string;
  /** Host path of its policy's file; undefined: the server's. */
  readonly config: string | undefined;
  readonly profile: Profile | undefined;
  readonly readOnly: boolean;
  readonly mounts: readonly PolicyMount[];
}

export interface ServerSetup {
  /** Host path of the file; undefined where there is only a directory. */
  readonly path: string | undefined;
  readonly file: ServerFile;
  /** Host directory to which its paths are relative. */
  readonly base: string;
  /** Host path of the policy's file of workspaces that name none; undefined: as of a server of one. */
  readonly config: string | undefined;
  readonly callers: ServerCallers;
  /** The file itself and those with secrets that it names: no workspace reads or writes them. */
  readonly secretFiles: readonly string[];
  /** The workspace of this name; undefined where there is none. A directory that was made meanwhile is one. */
  find(name: string): WorkspaceEntry | undefined;
  /** Names of the workspaces that there are now, in byte order. */
  names(): readonly string[];
}

/** `place`: the host path of a directory or a file. Throws ConfigurationError. */
export function loadServer(place: string): ServerSetup {
  const here = resolve(place);
  const isDirectory = isHostDirectory(realPlace(here) ?? here);
  const file = isDirectory ? { directory: here } : fileAt(here);
  const path = isDirectory ? undefined : here;
  const base = path === undefined ? here : dirname(path);
  const directory = file.directory === undefined ? undefined : resolve(base, file.directory);
  if (directory !== undefined && !isHostDirectory(realPlace(directory) ?? directory))
    throw new ConfigurationError(`${here}: '${directory}' is no directory`);
  const entries = new Map(Object.entries(file.workspaces ?? {}).map(([name, given]) => [name, entryOf(name, given, base)]));
  if (directory === undefined && entries.size === 0)
    throw new ConfigurationError(`${here}: it names no workspace; give it a table [workspaces.NAME] with a root, or 'directory'`);
  checkApart([...entries.values()], directory, here);
  const inDirectory = (name: string): WorkspaceEntry | undefined =>
    directory !== undefined && WORKSPACE_NAME.test(name) && isPlainDirectory(directory, name)
      ? { name, root: join(directory, name), config: undefined, profile: undefined, readOnly: false, mounts: [] }
      : undefined;
  const names = (): readonly string[] => {
    const there = directory === undefined ? [] : hostDirectoryNames(directory).filter((name) => inDirectory(name) !== undefined);
    return [...new Set([...entries.keys(), ...there])].sort();
  };
  const config = file.config === undefined ? undefined : resolve(base, file.config);
  const callers = serverCallers(file, base);
  return {
    path,
    file,
    base,
    config,
    callers,
    secretFiles: secretsOf(path, file),
    find: (name) => entries.get(name) ?? inDirectory(name),
    names,
  };
}

function fileAt(path: string): ServerFile {
  let text: string | undefined;
  try {
    text = hostFileText(path);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new ConfigurationError(`${path}: ${thrown.message}`);
  }
  if (text === undefined) throw new ConfigurationError(`${path}: there is no such directory or file`);
  return checkedValue(tomlValue(text, path), serverSchema, path);
}

function entryOf(name: string, given: NonNullable<ServerFile["workspaces"]>[string], base: string): WorkspaceEntry {
  const { root, config, profile, read_only: readOnly = false, mounts = {} } = given;
  return {
    name,
    root: resolve(base, root),
    config: config === undefined ? undefined : resolve(base, config),
    profile,
    readOnly,
    mounts: Object.entries(mounts).map(([at, place]) => mountAt(at, place, base)),
  };
}

/** Throws ConfigurationError where a root lies in another: what one workspace's policy keeps would have a second name. */
function checkApart(entries: readonly WorkspaceEntry[], directory: string | undefined, path: string): void {
  const places = entries
    .flatMap(({ name, root }) => {
      const real = realPlace(root);
      return real === undefined ? [] : [{ name, real: `${real.replace(/\/+$/, "")}/` }];
    })
    .sort((one, other) => (one.real < other.real ? -1 : 1));
  for (const [at, { name, real }] of places.entries()) {
    const before = places[at - 1];
    if (before !== undefined && real.startsWith(before.real))
      throw new ConfigurationError(`${path}: the roots of '${before.name}' and '${name}' lie in each other`);
  }
  const all = directory === undefined ? undefined : realPlace(directory);
  if (all === undefined) return;
  for (const { name, real } of places) {
    if (real === `${all}/${name}/` || !(real.startsWith(`${all}/`) || `${all}/`.startsWith(real))) continue;
    throw new ConfigurationError(`${path}: the root of '${name}' and the directory of all workspaces lie in each other`);
  }
}

function secretsOf(path: string | undefined, { callers = {}, audit = {} }: ServerFile): readonly string[] {
  if (path === undefined) return [];
  const headers = (audit.sinks ?? []).map(({ headers_file: file }) => file);
  const named = [...Object.values(callers).map(({ token_file: file }) => file), audit.anchor_key_file, ...headers];
  return [path, ...named.flatMap((file) => (file === undefined ? [] : [resolve(dirname(path), file)]))];
}
