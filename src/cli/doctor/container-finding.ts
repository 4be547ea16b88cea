/**
 * An entry that runs the server in a container, tried as its client would. A container is started only by docker or podman as PATH has it,
 * with exactly the arguments that `init` writes, and from an image that is there and calls itself this program: a project's file may be a
 * stranger's, and so may the image that it names.
 */
import { delimiter } from "node:path";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { conversationWith } from "../../exec/own-server.ts";
import { executableIn, realHostPath } from "../../host/host-file.ts";
import { FileError } from "../../workspace/file-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { containerOf, isImageReference } from "../init/container-choice.ts";
import { containerArguments, hostOptions, isKept, namesOfRoot } from "../init/container-entry.ts";
import type { ContainerRun } from "../init/container-run.ts";
import { rootIn, type StartedEntry } from "../init/entry.ts";
import type { Place } from "../init/place.ts";
import { noAnswer, trial } from "./conversation.ts";
import type { Finding } from "./finding.ts";

export interface ContainerStart {
  /** Beginning of the finding: the client and its file. */
  readonly where: string;
  readonly entry: StartedEntry;
  readonly run: ContainerRun;
  /** Puts paths in the place of the client's variables. */
  readonly fill: (word: string) => string;
  /** Environment and directory in which the client starts it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly place: Place;
  readonly project: Workspace;
}

/** The finding about an entry that runs a container. */
export async function containerFinding(start: ContainerStart): Promise<Finding> {
  const { where, entry, run, fill, environment, directory } = start;
  const note = (what: string): Finding => ({ state: "note", what: `${where}: ${what}, and was not tried` });
  const [program = "", ...args] = entry.words.map(fill);
  if (!isImageReference(run.image)) return note("runs a container of an image that has no such name");
  if (!isAsWritten(start))
    return note(`runs a container in another way than 'shelpa-mcp init --container ${run.engine} --image ${run.image}' writes`);
  const found = executableIn((environment["PATH"] ?? "").split(delimiter), run.engine);
  if (found === undefined) return { state: "fail", what: `${where}: ${run.engine} is not on PATH, so no container starts` };
  if (/[\\/]/.test(program) && realHostPath(program) !== found) return note(`'${program}' is not the ${run.engine} on PATH`);
  const missing = await imageFinding(start, found);
  if (missing !== undefined) return missing;
  const { lack, took } = await trial([found, ...args], directory, environment);
  if (lack !== undefined) return { state: "fail", what: `${where}: the container, started as its client would, gave ${lack}` };
  return { state: "ok", what: `${where}: a container of ${run.engine} starts and answers (${took})` };
}

/** True where the entry is for this root, and has the arguments that init would write for it now. */
function isAsWritten({ entry, run, fill, place, project, environment }: ContainerStart): boolean {
  const options = hostOptions(run, namesOfRoot(place));
  const root = rootIn(options);
  const container = containerOf(run.engine, run.image, { place, project, path: [], environment });
  if (root === undefined || container === undefined || realHostPath(fill(root)) !== place.realRoot) return false;
  const configuration = entry.env["SHELPA_CONFIG"] || undefined;
  try {
    const written = containerArguments(container, { options, kept: run.options.filter(isKept), configuration });
    const [, ...words] = entry.words;
    return words.length === written.length && words.every((word, at) => word === written[at]);
  } catch (thrown) {
    // A configuration, or a path that has no place in a container.
    if (thrown instanceof ConfigurationError || thrown instanceof FileError) return false;
    throw thrown;
  }
}

/** Time for an engine to say what it knows of an image. */
const IMAGE_MS = 15_000;
const TITLE = '{{index .Config.Labels "org.opencontainers.image.title"}}';

/** The obstacle that the image is, where it is one. */
async function imageFinding({ where, run, environment, directory }: ContainerStart, found: string): Promise<Finding | undefined> {
  const { output, errors, failure } = await conversationWith({
    words: [found, "image", "inspect", `--format=${TITLE}`, run.image],
    directory,
    environment,
    input: "",
    timeoutMs: IMAGE_MS,
  });
  if (failure === undefined && output.trim() === "shelpa-mcp") return undefined;
  if (failure === undefined) return { state: "note", what: `${where}: the image ${run.image} is not this program's, and was not tried` };
  if (/no such image|image not known|no such object/i.test(errors))
    return { state: "fail", what: `${where}: the image ${run.image} is not there: ${run.engine} pull ${run.image}` };
  return { state: "fail", what: `${where}: ${run.engine} was asked for the image ${run.image}: ${noAnswer(failure, errors)}` };
}
