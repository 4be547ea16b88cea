/** The entries of clients that start this server, each tried as its client would start it, and files that no client could read. */
import { delimiter, dirname, isAbsolute, resolve } from "node:path";
import { executableIn, realHostPath } from "../../host/host-file.ts";
import { FileError } from "../../workspace/file-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { CLIENT_NAMES } from "../init/client-names.ts";
import { CLIENTS, filesOf, isBelow, type Client } from "../init/clients.ts";
import { containerRunOf } from "../init/container-run.ts";
import { valueOf } from "../init/configuration-file.ts";
import { editedFile } from "../init/edited-file.ts";
import { entryAt, rootIn, startedEntry, type StartedEntry } from "../init/entry.ts";
import { UneditableFile } from "../init/json-edit.ts";
import type { Place } from "../init/place.ts";
import { NO_WISH } from "../init/wish.ts";
import { containerFinding } from "./container-finding.ts";
import { trial } from "./conversation.ts";
import { ownEnvironment } from "../own-environment.ts";
import type { Finding } from "./finding.ts";
import { inOrder } from "./ordered-tasks.ts";
import { obstacleTo } from "./trial.ts";

/** The PATH of a program that was started from a desktop. */
const DESKTOP_PATH = "/usr/bin:/bin:/usr/sbin:/sbin";

/** What is found about each client that has a file; `project` is the root, open. */
export async function* clientFindings(place: Place, project: Workspace): AsyncGenerator<Finding, void> {
  const found = CLIENT_NAMES.map((name) => ({ client: CLIENTS[name], read: entryOf(CLIENTS[name], place, project) }));
  yield* inOrder(
    found.flatMap(({ client, read }) => {
      if (read === undefined) return [];
      return [async (): Promise<Finding> => ("state" in read ? read : tried(client, read.path, read.entry, place, project))];
    }),
    MOST_AT_ONCE,
  );
  if (!found.some(({ read }) => read !== undefined && !("state" in read)))
    yield { state: "note", what: "no client knows of this server: shelpa-mcp init" };
}

/** Servers that are started at once. */
const MOST_AT_ONCE = 4;

/** The entry that starts the server; a finding where the file cannot be read; undefined where there is no file or no such entry. */
function entryOf(client: Client, place: Place, project: Workspace): Finding | { path: string; entry: StartedEntry } | undefined {
  const { path, keys, shape } = client.registration(place);
  const [file] = filesOf(client, place, NO_WISH);
  try {
    const text = editedFile(project, path).text();
    if (text === undefined || file === undefined) return undefined;
    const held = entryAt(valueOf(file, text), keys);
    const entry = startedEntry(held, shape);
    if (entry !== undefined) return { path, entry };
    return held !== undefined
      ? { state: "note", what: `${client.title}: ${path} leads to a server by its address, which was not tried` }
      : undefined;
  } catch (thrown) {
    if (thrown instanceof UneditableFile)
      return { state: "fail", what: `${client.title}: ${path} cannot be read by it: ${thrown.message}` };
    if (thrown instanceof FileError) return { state: "note", what: `${client.title}: ${thrown.path}: ${thrown.message}` };
    throw thrown;
  }
}

/** A program that is not this one is never started: the file may be a stranger's. */
async function tried(client: Client, path: string, entry: StartedEntry, place: Place, project: Workspace): Promise<Finding> {
  const { words, env } = entry;
  const inProject = isBelow(place.root, path);
  // A variable of the project's could make it run a stranger's code (Node's), or read what the project names (ours).
  const environment = inProject ? ownEnvironment() : { HOME: place.home, PATH: DESKTOP_PATH, ...env };
  const directory = inProject ? place.root : place.home;
  const fill = (word: string): string => filledIn(word, client, place);
  const filled = words.map(fill);
  const [program = "", ...args] = filled;
  const where = `${client.title}: ${path}`;
  const run = containerRunOf(words);
  if (run !== undefined) {
    const started = inProject ? { words, env: {} } : entry;
    return containerFinding({ where, entry: started, run, fill, environment, directory, place, project, isOfProject: inProject });
  }
  const directories = (environment["PATH"] ?? "").split(delimiter);
  const found = /[\\/]/.test(program)
    ? executableIn([dirname(program)], program.split(/[\\/]/).at(-1) ?? "")
    : executableIn(directories, program);
  if (found === undefined) {
    const why = inProject || /[\\/]/.test(program) ? "is not there" : "is not found by a program that is started from a desktop";
    return { state: "fail", what: `${where}: '${program}' ${why}: run shelpa-mcp init again, which writes where the program is now` };
  }
  if (args.includes("shelpa-mcp")) return { state: "note", what: `${where}: '${program}' fetches the program, which was not tried` };
  if (!isThisProgram(found, args))
    return { state: "note", what: `${where}: starts '${program}', which is not this program and was not tried` };
  const options = isOwnScript(args) ? args.slice(1) : args;
  const obstacle = obstacleTo(options, place, inProject);
  if (obstacle !== undefined) return { ...obstacle, what: `${where}: ${obstacle.what}` };
  const root = rootIn(filled);
  if (root !== undefined && isAbsolute(root) && realHostPath(root) === undefined)
    return { state: "fail", what: `${where}: its root ${root} is not there: where the project was moved, run shelpa-mcp init in it again` };
  const { lack, took } = await trial([found, ...args], directory, environment);
  if (lack !== undefined) return { state: "fail", what: `${where}: started as its client would, it gave ${lack}` };
  if (root !== undefined && realHostPath(resolve(directory, root)) !== place.realRoot)
    return { state: "note", what: `${where}: starts and answers (${took}), for another root: ${root}` };
  return { state: "ok", what: `${where}: starts and answers (${took})${leftOut(inProject ? Object.keys(env) : [], entry.directory)}` };
}

/** `word` with the client's variable for the project filled in, and Claude Code's default. */
const filledIn = (word: string, { variable }: Client, { root }: Place): string =>
  variable === undefined ? word : word.replaceAll(variable, root);

/** What the entry says besides, and the trial was without. */
function leftOut(variables: readonly string[], directory: string | undefined): string {
  const parts = [...variables, ...(directory === undefined ? [] : [`the directory ${directory}`])];
  return parts.length === 0 ? "" : `; without what the entry says besides: ${parts.join(", ")}`;
}

/** True where `found` is this program, or Node with this program's script as its first argument. Host paths free of links. */
function isThisProgram(found: string, args: readonly string[]): boolean {
  return found === ownScript() || (found === realHostPath(process.execPath) && isOwnScript(args));
}

const ownScript = (): string | undefined => realHostPath(process.argv[1] ?? "");

/** True where the first argument is this program's script. */
const isOwnScript = ([script = ""]: readonly string[]): boolean => ownScript() !== undefined && realHostPath(script) === ownScript();
