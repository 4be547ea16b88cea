/**
 * An entry that runs the server in a container, tried as its client would. A container is started only by docker or podman as PATH has it,
 * with exactly the arguments that `init` writes but `--pull=never`, and from an image that is there and calls itself this program: a project's file may be a
 * stranger's, and so may the image that it names.
 */
import { delimiter } from "node:path";
import { showName } from "../../display/visible.ts";
import { executableIn, isInHostDirectory, realHostPath } from "../../host/host-file.ts";
import { isImageReference } from "../init/container-choice.ts";
import { hostOptions, namesOfRoot } from "../init/container-entry.ts";
import { imageState, wayToImage } from "../init/engine-image.ts";
import { repositoryOf } from "../init/repository.ts";
import { containerDifferences, type HeldContainer } from "./container-differences.ts";
import { noAnswer, trial } from "./conversation.ts";
import type { Finding } from "./finding.ts";
import { obstacleTo } from "./trial.ts";

export interface ContainerStart extends HeldContainer {
  /** Beginning of the finding: the client and its file. */
  readonly where: string;
  /** The directory in which the client starts it, in `environment`. */
  readonly directory: string;
}

/** The finding about an entry that runs a container. */
export async function containerFinding(start: ContainerStart): Promise<Finding> {
  const { where, entry, run, fill, environment, directory } = start;
  const note = (what: string): Finding => ({ state: "note", what: `${where}: ${what}, and was not tried` });
  const [program = "", subcommand = "", ...args] = entry.words.map(fill);
  if (!isImageReference(run.image)) return note("runs a container of an image that has no such name");
  const differences = differenceFinding(start);
  if (differences !== undefined) return differences;
  const { place, isOfProject } = start;
  const obstacle = isOfProject ? obstacleTo(hostOptions(run, namesOfRoot(place)).map(fill), place, true) : undefined;
  if (obstacle !== undefined) return { ...obstacle, what: `${where}: ${obstacle.what}` };
  const found = executableIn((environment["PATH"] ?? "").split(delimiter), run.engine);
  if (found === undefined) return { state: "fail", what: `${where}: ${run.engine} is not on PATH, so no container starts` };
  if (isInHostDirectory(repositoryOf(place.root), found)) return note(`the ${run.engine} on PATH lies in the project`);
  if (/[\\/]/.test(program) && realHostPath(program) !== found) return note(`'${program}' is not the ${run.engine} on PATH`);
  const missing = await imageFinding(start, found);
  if (missing !== undefined) return missing;
  // An image that has gone since it was asked for is not fetched.
  const { lack, took } = await trial([found, subcommand, "--pull=never", ...args], directory, environment);
  if (lack !== undefined) return { state: "fail", what: `${where}: the container, started as its client would, gave ${lack}` };
  return { state: "ok", what: `${where}: a container of ${run.engine} starts and answers (${took})` };
}

/** The words by which the container is another than init writes. */
function differenceFinding(start: ContainerStart): Finding | undefined {
  const { where, run } = start;
  const found = containerDifferences(start);
  if (found === "same") return undefined;
  const command = `'shelpa-mcp init --container ${run.engine} --image ${run.image}'`;
  const note = (what: string): Finding => ({ state: "note", what: `${where}: ${what}, and was not tried` });
  if (found === "root") return note("runs a container for another root");
  if (found === "unwritten") return note(`runs a container in another way than ${command} writes`);
  const shown = (words: readonly string[]): string => words.map(showName).join(", ");
  if (found.opening.length > 0)
    return {
      state: "fail",
      what: `${where}: the container is open: ${shown(found.opening)}; it was not tried, and ${command} writes it anew`,
    };
  return note(
    found.others.length > 0
      ? `runs a container in another way than ${command} writes (${shown(found.others)})`
      : `runs a container with the words that ${command} writes, in another order`,
  );
}

/** The obstacle that the image is, where it is one. */
async function imageFinding({ where, run, environment, directory }: ContainerStart, program: string): Promise<Finding | undefined> {
  const state = await imageState({ program, image: run.image, directory, environment });
  switch (state.kind) {
    case "there":
      return undefined;
    case "other":
      return { state: "note", what: `${where}: the image ${run.image} is not this program's, and was not tried` };
    case "missing":
      return { state: "fail", what: `${where}: the image ${run.image} is not there: ${wayToImage(run.engine, run.image)}` };
    case "unknown":
      return {
        state: "fail",
        what: `${where}: ${run.engine} was asked for the image ${run.image}: ${noAnswer(state.failure, state.errors)}`,
      };
  }
}
