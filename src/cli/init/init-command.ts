/** `shelpa-mcp init`: writes the server into the configuration files of MCP clients, and takes it out again. */
import { delimiter, dirname, relative, resolve } from "node:path";
import { alsoRead, checkMounts, mountOf } from "../../config/mounts.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { unifiedDiff } from "../../compare/unified-diff.ts";
import { quoteWord } from "../../display/quote.ts";
import { showName } from "../../display/visible.ts";
import { FileError } from "../../workspace/file-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Given } from "../command.ts";
import { CommandLineError } from "../command-line-error.ts";
import { INIT } from "../commands.ts";
import { ownEnvironment } from "../own-environment.ts";
import { openRoot } from "../open-root.ts";
import { INTERRUPTED_EXIT } from "../run-line.ts";
import { completed } from "../read-command.ts";
import { rootOrHere } from "../root-or-here.ts";
import { complain, print, printContent } from "../print.ts";
import { clientsChosen, clientsFound, clientsNamed, type ChosenClient, type Question } from "./client-choice.ts";
import { CLIENT_NAMES, type ClientName } from "./client-names.ts";
import { CLIENTS, entryWish, filesOf, isBelow, newEntry, type Client, type Registration } from "./clients.ts";
import { editedContent, restoredContent, valueOf, type ConfigurationFile } from "./configuration-file.ts";
import { COPY_ENDING, editedFile, type EditedFile } from "./edited-file.ts";
import { containerNotes, containerOf, engineChosen, imageWanted, noImage } from "./container-choice.ts";
import { entryAt, NO_REMAINS, remainsOf, SERVER, startedEntry, type Remains } from "./entry.ts";
import { UneditableFile } from "./json-edit.ts";
import { heldImage } from "./held-entry.ts";
import { launchHere } from "./own-launch.ts";
import { placeOf, type Place } from "./place.ts";
import { isOwnEntry } from "./replaced-entry.ts";
import { isForAllProjects, servedElsewhere } from "./served-root.ts";
import type { Wish } from "./wish.ts";

/** Runs it and gives the exit status. Rejects with CommandLineError and ConfigurationError. */
export async function init({ values, argv }: Given<typeof INIT.options>): Promise<number> {
  const typed = { command: INIT, argv };
  const chosen = engineChosen(values, typed);
  // To take an entry out, no image is needed.
  const engine = values.remove ? undefined : chosen;
  const wanted = engine && imageWanted(values.image, typed);
  const place = placeOf(resolve(rootOrHere(values.root)), process.platform, process.env);
  const path = (process.env["PATH"] ?? "").split(delimiter);
  const launch = launchHere();
  const project = openRoot(place.root);
  try {
    const imageFor = (name: ClientName): string | undefined => wanted ?? heldImage(CLIENTS[name], place, project);
    // Nobody is asked about clients for which there is none.
    if (engine !== undefined && !CLIENT_NAMES.some((name) => imageFor(name) !== undefined)) throw noImage(engine, typed);
    const mounts = mountArguments(values, place.root);
    const clients = await clientsWanted({ named: values.client, removes: values.remove, argv }, place, path, project);
    if (typeof clients === "string") {
      complain("init: nothing was written");
      return clients === "interrupted" ? INTERRUPTED_EXIT : 1;
    }
    // Everything that may have been asked for is taken out.
    const wish = { launch, mounts, steer: values.steer || values.remove, hook: values.hook || values.remove };
    const tasks = clients.map(({ name, isMeant }) => {
      const image = engine && imageFor(name);
      if (engine !== undefined && image === undefined) throw noImage(engine, typed);
      const container = engine && image && containerOf(engine, image, { place, project, path, environment: process.env });
      const task = {
        project,
        place,
        wish: { ...wish, container: container || undefined },
        removes: values.remove,
        printsOnly: values.print,
      };
      return { name, image, task: { ...task, isMeant } };
    });
    let isDone = true;
    for (const { name, image, task } of tasks) {
      if (image !== undefined && wanted === undefined) print(`${CLIENTS[name].title}: the image of its entry stays: ${showName(image)}\n`);
      isDone = applied(CLIENTS[name], othersRoot(name, task)) && isDone;
    }
    if (engine !== undefined) {
      const images = tasks.flatMap(({ image }) => image ?? []);
      const notes = await containerNotes(engine, images, { path, directory: place.root, environment: ownEnvironment() });
      for (const note of [...notes, ...(values.hook ? ["Hooks run on this machine, not in the container."] : [])]) print(`${note}\n`);
    }
    return isDone ? 0 : 1;
  } finally {
    project.close();
  }
}

/** Rejects with CommandLineError. A word where the person who was asked has ended it. */
async function clientsWanted(
  { named, removes, argv }: { readonly named: readonly string[]; readonly removes: boolean; readonly argv: readonly string[] },
  place: Place,
  path: readonly string[],
  project: Workspace,
): Promise<readonly ChosenClient[] | "interrupted" | "ended"> {
  const found = (): readonly ClientName[] => clientsFound(place, path);
  if (named.length > 0) return clientsNamed(named, found);
  const there = found();
  if (there.length > 0 && process.stdin.isTTY && process.stdout.isTTY)
    return clientsChosen(there.map((name) => ({ name, ...questionFor(CLIENTS[name], removes, place, project) })));
  const command = (client: string | undefined): string => completed(INIT, argv, `--client ${client}`);
  if (there.length === 0) throw new CommandLineError("init: no client was found here: name one with --client", command("claude-code"));
  throw new CommandLineError(`init: for which client? Found here: ${there.join(", ")}`, command(there.length === 1 ? there[0] : "found"));
}

/** The mounts with absolute directories: a client starts the server where it likes. Throws ConfigurationError. */
function mountArguments({ mount, "also-read": read }: Given<typeof INIT.options>["values"], root: string): readonly string[] {
  const here = resolve(".");
  const named = mount.map((text) => mountOf(text, here));
  const ownNames = read.map((directory) => alsoRead(directory, here));
  checkMounts([...named, ...ownNames], root, []);
  return [
    ...named.flatMap(({ name, directory, access }) => ["--mount", `${name}=${directory}${access === "write" ? ":rw" : ""}`]),
    ...ownNames.flatMap(({ directory }) => ["--also-read", directory]),
  ];
}

/** The question whether a client is meant, which names its file and its reach. */
function questionFor(client: Client, removes: boolean, place: Place, project: Workspace): Omit<Question, "name"> {
  const served = removes ? undefined : servedElsewhere(client, place, project);
  const file = shortName(client.registration(place).path, place);
  if (served !== undefined) {
    const text = `${client.title} has one entry for all projects (${file}), which serves ${served}. Have it serve ${place.root} instead?`;
    return { text, isYesByDefault: false };
  }
  const reach = isForAllProjects(client, place) ? ", for all your projects" : "";
  return { text: `${removes ? "Take it out of" : "Set up"} ${client.title} (${file}${reach})?`, isYesByDefault: true };
}

/** The task for a client, after it was said if its entry serves another project. */
function othersRoot(name: ClientName, task: Task): Task {
  const { place, project, removes, isMeant } = task;
  const client = CLIENTS[name];
  const served = servedElsewhere(client, place, project);
  if (served === undefined) return task;
  const serves = `${client.title}: its one entry for all projects serves ${showName(served)}`;
  if (isMeant && !removes) {
    print(`${serves} now; this makes it serve ${showName(place.root)}.\n`);
    return task;
  }
  const command = `shelpa-mcp init${removes ? " --remove" : ""} --client ${name} --root ${quoteWord(removes ? served : place.root)}`;
  print(`${serves}, and stays. To ${removes ? "take it out" : `have it serve ${showName(place.root)}`}: ${showName(command)}\n`);
  return { ...task, leavesEntry: true };
}

interface Task {
  readonly project: Workspace;
  readonly place: Place;
  readonly wish: Wish;
  readonly removes: boolean;
  readonly printsOnly: boolean;
  /** A person has named the client, or agreed to it. */
  readonly isMeant: boolean;
  /** The entry of the server serves another project and stays as it is. */
  readonly leavesEntry?: true;
}

interface Change {
  /** As it is printed: from the root, where the file is below it. */
  readonly name: string;
  readonly file: EditedFile;
  readonly isInProject: boolean;
  readonly before: string | undefined;
  /** Undefined where the file goes. */
  readonly after: string | undefined;
  /** The copy is what the file becomes again, so that it goes. */
  readonly endsCopy: boolean;
  /** The server's entry, in the file that has it: taken out, or as it was before init. */
  readonly entry?: "gone" | "back" | undefined;
  /** The copy that stays, as it is printed. */
  readonly copy?: string | undefined;
}

/** Changes the client's files, or says why not. All are looked at before the first is written. */
function applied(client: Client, task: Task): boolean {
  const done: Change[] = [];
  let needed: readonly Change[] = [];
  let remains = NO_REMAINS;
  let failure: FileError | undefined;
  try {
    if (task.leavesEntry !== true) remains = remainsIn(client, task);
    needed = changesOf(client, task);
    for (const change of needed) {
      if (!task.printsOnly) write(change);
      done.push(change);
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    failure = thrown;
  }
  for (const { name, before, after } of done) printContent(differenceOf(name, before, after));
  if (failure !== undefined) {
    complain(`${client.title}: ${failure.path}: ${failure.message}`);
    return false;
  }
  report(client, task, needed, remains);
  return true;
}

function report(
  client: Client,
  { place, wish, removes, printsOnly, leavesEntry, isMeant }: Task,
  needed: readonly Change[],
  { kept, dropped, foreign, leaves, isReplaced }: Remains,
): void {
  const { title } = client;
  const cannot = removes ? undefined : client.cannot?.(wish);
  // To one of many of which nothing changes it was said when it was set up.
  if (cannot !== undefined && (isMeant || needed.length > 0)) print(`${title} ${cannot}.\n`);
  if (needed.length === 0 && leavesEntry === true) return;
  if (needed.length === 0) print(`${title}: nothing to change.\n`);
  else if (printsOnly) print(`${title}: nothing was written (--print).\n`);
  else if (!removes) print(`${title}: ${client.restart}\n`);
  else {
    const isBack = needed.some(({ entry }) => entry === "back");
    const now = isBack ? "the entry is again what it was before init" : "the server is out of it";
    print(`${title}: ${now}; a client that is running keeps ours until it is started anew.\n`);
  }
  if (removes) {
    const copy = needed.find(({ entry }) => entry === "gone")?.copy;
    const went = [...kept, ...foreign];
    if (went.length > 0 && needed.some(({ entry }) => entry === "gone"))
      print(
        `${title}: with the entry went ${went.map(showName).join(" ")}${copy === undefined ? "" : `; as it was before, the file is ${showName(copy)}`}\n`,
      );
    if (!printsOnly)
      for (const name of emptied(needed)) print(`${title}: ${showName(name)} is empty now, and stays: it may have been there before.\n`);
    return;
  }
  if (client.deniesShell === true && wish.steer) print(shellDenied(title, wish.hook, cannot === undefined));
  if (kept.length > 0) print(`${title}: the entry that was there keeps ${kept.map(showName).join(" ")}\n`);
  if (foreign.length > 0)
    print(`${title}: taken out of the entry, whose file is the project's and may be a stranger's: ${foreign.map(showName).join(", ")}\n`);
  if (isReplaced === true) print(`${title}: the entry that was there could start nothing, and is replaced whole.\n`);
  if (leaves !== undefined)
    print(`${title}: the server leaves its container and runs on the host; --container ${leaves} keeps it there.\n`);
  if (dropped.length > 0) print(`${title}: taken out of the container's options: ${dropped.map(showName).join(" ")}\n`);
  for (const [what, isNamed] of Object.entries(OF_THIS_MACHINE)) {
    const own = needed.filter(({ isInProject, after }) => isInProject && isNamed(after, place, wish)).map(({ name }) => showName(name));
    if (own.length === 0) continue;
    print(`${title}: ${own.join(", ")} ${own.length === 1 ? "names" : "name"} ${what} of this machine: not for a commit.\n`);
  }
  if (printsOnly && client.link !== undefined) print(`${title}: or open ${client.link(newEntry(client, place, wish))}\n`);
}

/** The directories that are empty without the files that went, as they are printed; none of them is the root. */
const emptied = (done: readonly Change[]): ReadonlySet<string> =>
  new Set(
    done
      .filter(({ name, after, file }) => after === undefined && dirname(name) !== "." && file.isDirectoryEmpty())
      .map(({ name }) => dirname(name)),
  );

/** The effect of --steer that somebody may not have thought of; `canHook`: the client has hooks. */
function shellDenied(title: string, hasHook: boolean, canHook: boolean): string {
  const programs = `${title}: its own shell is denied, so that the agent can run no other program (npm test, git commit)`;
  if (hasHook && canHook)
    return `${programs}, and a hook has nothing to answer: give --hook without --steer to leave it the shell for these.\n`;
  return `${programs}${canHook ? "; --hook instead of --steer leaves it the shell for these" : ""}.\n`;
}

type IsNamed = (text: string | undefined, place: Place, wish: Wish) => boolean;
const OF_THIS_MACHINE: Readonly<Record<string, IsNamed>> = {
  paths: (text, { root }, { launch }) =>
    [root, ...launch.terminal.program.filter((word) => resolve(word) === word)].some(
      (path) => text?.includes(JSON.stringify(path).slice(1, -1)) === true,
    ),
  "the user": (text, _place, { container }) => container?.user !== undefined && text?.includes(`--user=${container.user.uid}:`) === true,
};

function write({ file, before, after, endsCopy }: Change): void {
  if (endsCopy || after === undefined) file.restore(after, endsCopy);
  // A copy of a file in which the server stands already is none from before it.
  else file.replace(after, before?.includes(SERVER) !== true);
}

/** The client's files whose content must change. Throws FileError, also for a file that cannot be edited. */
function changesOf(client: Client, { project, place, wish, removes, leavesEntry }: Task): readonly Change[] {
  const registration = client.registration(place);
  const { path: registered, keys } = registration;
  const files = filesOf(client, place, wish).filter(({ path }) => leavesEntry !== true || path !== registered);
  const changes = files.map((configuration): Change => {
    const { path } = configuration;
    const file = editedFile(project, path);
    const before = file.text();
    const name = nameOf(path, place);
    try {
      const isInProject = isBelow(place.root, path);
      if (removes) {
        const taken = removal(configuration, file, before, registration);
        const isLeft = taken.after !== undefined && entryAt(valueOf(configuration, taken.after), keys) !== undefined;
        const copy = taken.endsCopy || file.copied() === undefined ? undefined : `${name}${COPY_ENDING}`;
        return { name, file, isInProject, before, ...taken, ...(path === registered ? { entry: isLeft ? "back" : "gone", copy } : {}) };
      }
      return { name, file, isInProject, before, after: editedContent(configuration, before), endsCopy: false };
    } catch (thrown) {
      // The latter for what stands in the entry that is there, and has no place in a container.
      if (!(thrown instanceof UneditableFile || thrown instanceof ConfigurationError)) throw thrown;
      throw new FileError("EINVAL", name, thrown.message);
    }
  });
  return changes.filter(({ before, after }) => before !== after);
}

function removal(
  configuration: ConfigurationFile,
  file: EditedFile,
  text: string | undefined,
  { keys, shape }: Registration,
): Pick<Change, "after" | "endsCopy"> {
  if (text === undefined) return { after: undefined, endsCopy: false };
  const copied = file.copied();
  const whole = restoredContent(configuration, text, copied);
  if (copied === undefined || whole === copied) return { after: whole, endsCopy: copied !== undefined && whole !== text };
  // A copy of nothing but an entry that init writes was made of a file that init had made.
  const isOurs =
    isOwnEntry(startedEntry(entryAt(valueOf(configuration, copied), keys), shape)) &&
    restoredContent(configuration, copied, undefined) === undefined;
  const after = isOurs ? restoredContent(configuration, text, undefined) : whole;
  return { after, endsCopy: isOurs && after !== text && after === undefined };
}

/**
 * Parts of the client's entry besides what init writes. Throws FileError; a file that is not of its language, and a path that has no place
 * in a container, are told of later.
 */
function remainsIn(client: Client, { project, place, wish }: Task): Remains {
  const { path, keys, shape, fixed } = client.registration(place);
  const [file] = filesOf(client, place, wish);
  const text = editedFile(project, path).text();
  if (text === undefined || file === undefined) return NO_REMAINS;
  try {
    return remainsOf(entryAt(valueOf(file, text), keys), shape, entryWish(client, path, place, wish), fixed);
  } catch (thrown) {
    if (thrown instanceof UneditableFile || thrown instanceof ConfigurationError) return NO_REMAINS;
    throw thrown;
  }
}

/** The path from the root or, with `~`, from the home directory, where it is below one of them. */
function shortName(path: string, place: Place): string {
  return !isBelow(place.root, path) && isBelow(place.home, path) ? `~/${relative(place.home, path)}` : nameOf(path, place);
}

function nameOf(path: string, { root }: Place): string {
  return isBelow(root, path) ? relative(root, path) : path;
}

function differenceOf(name: string, before: string | undefined, after: string | undefined): Buffer {
  return unifiedDiff(Buffer.from(before ?? ""), Buffer.from(after ?? ""), [
    before === undefined ? "/dev/null" : name,
    after === undefined ? "/dev/null" : name,
  ]);
}
