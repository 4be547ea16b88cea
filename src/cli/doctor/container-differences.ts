/** Differences between the container that an entry runs and the one that `init` would write in its place. */
import { ConfigurationError } from "../../config/configuration-error.ts";
import { realHostPath } from "../../host/host-file.ts";
import { FileError } from "../../workspace/file-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { containerOf } from "../init/container-choice.ts";
import { containerArguments, hostOptions, isKept, namesOfRoot, optionText } from "../init/container-entry.ts";
import { isKeptOfProject } from "../init/project-entry.ts";
import { containerRunOf, type ContainerRun, type RunOption } from "../init/container-run.ts";
import { rootIn, type StartedEntry } from "../init/entry.ts";
import type { Place } from "../init/place.ts";

export interface HeldContainer {
  readonly entry: StartedEntry;
  readonly run: ContainerRun;
  /** Puts paths in the place of the client's variables. */
  readonly fill: (word: string) => string;
  readonly environment: Readonly<Record<string, string>>;
  readonly place: Place;
  readonly project: Workspace;
  /** The client's file is the project's. */
  readonly isOfProject: boolean;
}

export interface ContainerDifferences {
  /** Words that open the container, and words without which it is open ("without --read-only"). */
  readonly opening: readonly string[];
  /** Other words that init would not write, or would write besides. */
  readonly others: readonly string[];
}

/**
 * The words that differ; none in either list where they only stand in another order. "same" where the entry is as init writes it, "root"
 * where it is for another root, "unwritten" where init would write none (a path that has no place in a container, a faulty configuration).
 */
export function containerDifferences({
  entry,
  run,
  fill,
  place,
  project,
  environment,
  isOfProject,
}: HeldContainer): ContainerDifferences | "same" | "root" | "unwritten" {
  const options = hostOptions(run, namesOfRoot(place));
  const root = rootIn(options);
  const container = containerOf(run.engine, run.image, { place, project, path: [], environment });
  if (root === undefined || container === undefined || realHostPath(fill(root)) !== place.realRoot) return "root";
  const configuration = entry.env["SHELPA_CONFIG"] || undefined;
  try {
    const written = containerArguments(container, {
      options,
      kept: run.options.filter(isOfProject ? isKeptOfProject : isKept),
      configuration,
    });
    const [, ...words] = entry.words;
    if (words.length === written.length && words.every((word, at) => word === written[at])) return "same";
    const wanted = containerRunOf([run.engine, ...written]);
    return wanted === undefined ? "unwritten" : differencesOf(run, wanted);
  } catch (thrown) {
    if (thrown instanceof ConfigurationError || thrown instanceof FileError) return "unwritten";
    throw thrown;
  }
}

function differencesOf(held: ContainerRun, wanted: ContainerRun): ContainerDifferences {
  const extra = without(held.options, wanted.options);
  const lacking = without(wanted.options, held.options);
  const server = [
    ...withoutWords(held.server, wanted.server),
    ...withoutWords(wanted.server, held.server).map((word) => `without ${word}`),
  ];
  return {
    opening: [...extra.filter((option) => !isHarmless(option)).map(optionText), ...lacking.filter(isWall).map(lack)],
    others: [...extra.filter(isHarmless).map(optionText), ...lacking.filter((option) => !isWall(option)).map(lack), ...server],
  };
}

const lack = (option: RunOption): string => `without ${optionText(option)}`;

const without = (options: readonly RunOption[], others: readonly RunOption[]): readonly RunOption[] =>
  options.filter((option) => !others.some((other) => optionText(other) === optionText(option)));

const withoutWords = (words: readonly string[], others: readonly string[]): readonly string[] =>
  words.filter((word) => !others.includes(word));

/** Options that init writes to take something away. */
const WALL: ReadonlySet<string> = new Set(
  "read-only read-only-tmpfs network cap-drop security-opt ipc user userns".split(" ").map((name) => `--${name}`),
);
const isWall = ({ name }: RunOption): boolean => WALL.has(name);

/** Options that give the container nothing of the host's. */
const HARMLESS: ReadonlySet<string> = new Set(
  "rm interactive name hostname tty init quiet detach log-driver log-opt workdir stop-timeout stop-signal no-healthcheck"
    .split(" ")
    .map((name) => `--${name}`),
);

/** A variable gives it nothing either, but for those by which a program is made to run a file. */
const isHarmless = (option: RunOption): boolean =>
  HARMLESS.has(option.name) || isKept(option) || (option.name === "--env" && !/^(?:NODE_|LD_|PATH\b)/.test(option.value ?? ""));
