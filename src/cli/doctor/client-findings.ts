/** The entries of clients that start this server, each tried as its client would start it, and files that no client could read. */
import { delimiter, dirname, isAbsolute } from "node:path";
import { executableIn, realHostPath } from "../../host/host-file.ts";
import { conversationWith } from "../../exec/own-server.ts";
import { FileError } from "../../workspace/file-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { CLIENT_NAMES } from "../init/client-names.ts";
import { CLIENTS, filesOf, isBelow, type Client, type Wish } from "../init/clients.ts";
import { valueOf } from "../init/configuration-file.ts";
import { editedFile } from "../init/edited-file.ts";
import { entryAt, rootIn, startedEntry, type StartedEntry } from "../init/entry.ts";
import { UneditableFile } from "../init/json-edit.ts";
import type { Place } from "../init/place.ts";
import { answerIn, CONVERSATIONS, isAnswered, noAnswer, ownEnvironment, START_MS } from "./conversation.ts";
import type { Finding } from "./finding.ts";
import { inOrder } from "./ordered-tasks.ts";

/** The PATH of a program that was started from a desktop. */
const DESKTOP_PATH = "/usr/bin:/bin:/usr/sbin:/sbin";

const NO_WISH: Wish = {
  launch: { terminal: { program: ["shelpa-mcp"] }, desktop: { program: ["shelpa-mcp"] } },
  mounts: [],
  steer: false,
  hook: false,
};

/** What is found about each client that has a file; `project` is the root, open. */
export async function* clientFindings(place: Place, project: Workspace): AsyncGenerator<Finding, void> {
  const found = CLIENT_NAMES.map((name) => ({ client: CLIENTS[name], read: entryOf(CLIENTS[name], place, project) }));
  yield* inOrder(
    found.flatMap(({ client, read }) => {
      if (read === undefined) return [];
      return [async (): Promise<Finding> => ("state" in read ? read : tried(client, read.path, read.entry, place))];
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
async function tried(client: Client, path: string, { words, env }: StartedEntry, place: Place): Promise<Finding> {
  const inProject = isBelow(place.root, path);
  const environment = inProject ? { ...ownEnvironment(), ...ownVariables(env) } : { HOME: place.home, PATH: DESKTOP_PATH, ...env };
  const filled = words.map((word) => filledIn(word, client, place));
  const [program = "", ...args] = filled;
  const where = `${client.title}: ${path}`;
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
  const root = rootIn(filled);
  if (root !== undefined && isAbsolute(root) && realHostPath(root) === undefined)
    return { state: "fail", what: `${where}: its root ${root} is not there: where the project was moved, run shelpa-mcp init in it again` };
  const started = performance.now();
  const { output, errors, failure } = await conversationWith({
    words: [found, ...args],
    directory: inProject ? place.root : place.home,
    environment,
    input: CONVERSATIONS["2025-11-25"],
    timeoutMs: START_MS,
  });
  if (!isAnswered(answerIn(output))) {
    return { state: "fail", what: `${where}: started as its client would, it gave ${noAnswer(failure, errors)}` };
  }
  const took = `${Math.round(performance.now() - started)} ms`;
  if (root !== undefined && realHostPath(root) !== realHostPath(place.root))
    return { state: "note", what: `${where}: starts and answers (${took}), for another root: ${root}` };
  return { state: "ok", what: `${where}: starts and answers (${took})` };
}

/** `word` with the client's variable for the project filled in, and Claude Code's default. */
const filledIn = (word: string, { variable }: Client, { root }: Place): string =>
  variable === undefined ? word : word.replaceAll(variable, root);

/** Of the variables that a project's file sets, those of ours: the others, of Node say, could make it run a stranger's code. */
const ownVariables = (env: StartedEntry["env"]): StartedEntry["env"] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("SHELPA_")));

/** True where `found` is this program, or Node with this program's script as its first argument. Host paths free of links. */
function isThisProgram(found: string, [script = ""]: readonly string[]): boolean {
  const own = realHostPath(process.argv[1] ?? "");
  return own !== undefined && (found === own || (found === realHostPath(process.execPath) && realHostPath(script) === own));
}
