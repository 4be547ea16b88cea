/** The container that `init --container` means: the engine's program, the image, the user, and the configuration it is given. */
import { dirname, isAbsolute, join } from "node:path";
import { mountsOf } from "../../config/merge.ts";
import { parseConfiguration } from "../../config/parse-configuration.ts";
import { executableIn, hostFileText, isInHostDirectory } from "../../host/host-file.ts";
import { ownPath } from "../../host/own-code.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Command } from "../command.ts";
import { CommandLineError } from "../command-line-error.ts";
import { completed } from "../read-command.ts";
import type { Container } from "./container-entry.ts";
import { editedFile } from "./edited-file.ts";
import { imageState, wayToImage, type ImageQuestion } from "./engine-image.ts";
import { ENGINES, type Engine } from "./engine-names.ts";
import type { Place } from "./place.ts";
import { repositoryOf } from "./repository.ts";
import type { Wish } from "./wish.ts";

/** The file in dist/ that a release puts there; no other build has it. */
const PUBLISHED = "container-image.json";

/** The reference of the image that was published with this very build, by its digest; undefined where none was. */
export function publishedImage(path: string = ownPath(PUBLISHED)): string | undefined {
  const text = hostFileText(path);
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && "reference" in value && typeof value.reference === "string"
    ? value.reference
    : undefined;
}

/** Name, path, tag and digest of an image (https://pkg.go.dev/github.com/distribution/reference). */
const REFERENCE =
  /^(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::\w[\w.-]{0,127})?(?:@[a-z0-9]+:[0-9a-f]{32,})?$/;

/** True for a text that the engines take for an image, and not for an option. */
export const isImageReference = (text: string): boolean => text.length <= 512 && REFERENCE.test(text);

/** A choice as it was typed: the command's name and its arguments, for the command that works. */
interface Typed {
  readonly command: Pick<Command, "name">;
  readonly argv: readonly string[];
}

/** The image that `--image` names, or else the published one; undefined where there is neither. Throws CommandLineError. */
export function imageWanted(given: string | undefined, { command, argv }: Typed): string | undefined {
  if (given === undefined) return publishedImage();
  if (isImageReference(given)) return given;
  const others = argv.filter((word, at) => word !== "--image" && argv[at - 1] !== "--image" && !word.startsWith("--image="));
  throw new CommandLineError(`init: '${given}' is no reference of an image`, completed(command, others, "--image shelpa-mcp"));
}

/** The error where no image is named: neither by the command, nor by this version, nor by the entries that are there. */
export const noImage = (engine: Engine, { command, argv }: Typed): CommandLineError =>
  new CommandLineError(
    `init: no image has been published for this version: build it in a clone of its repository with '${engine} build -t shelpa-mcp .', and name it`,
    completed(command, argv, "--image shelpa-mcp"),
  );

/** The engine, where the server is to run in a container. Throws CommandLineError. */
export function engineChosen(
  { container, image }: { readonly container: string | undefined; readonly image: string | undefined },
  { command, argv }: Typed,
): Engine | undefined {
  if (container === undefined && image !== undefined)
    throw new CommandLineError("init: --image is about --container, which was not given", completed(command, argv, "--container docker"));
  return container === undefined ? undefined : engineNamed(container);
}

function engineNamed(name: string): Engine {
  const engine = ENGINES.find((known) => known === name);
  if (engine !== undefined) return engine;
  throw new CommandLineError(`init: '${name}' is no engine that runs containers here; there are ${ENGINES.join(" and ")}`);
}

/** What the containers of `images` need before a client can start them, a line each. Asks the engine, where there is one. */
export async function containerNotes(
  engine: Engine,
  images: readonly string[],
  { path, directory, environment }: { readonly path: readonly string[] } & Pick<ImageQuestion, "directory" | "environment">,
): Promise<readonly string[]> {
  // `directory` is the root.
  const program = executableIn(outside(directory, path), engine);
  const notes = program === undefined ? [`${engine} is not on PATH: no entry starts before it is.`] : [];
  for (const image of new Set(images)) {
    const state = program === undefined ? undefined : await imageState({ program, image, directory, environment });
    if (state?.kind === "there" || state?.kind === "other") continue;
    notes.push(`The image must be there before a client starts it, which may not wait for it: ${wayToImage(engine, image)}`);
  }
  return notes;
}

/** Directories of PATH in which an engine is somebody's choice: not those of the project, or where the command happens to be typed. */
function outside(root: string, path: readonly string[]): readonly string[] {
  const repository = repositoryOf(root);
  return path.filter((place) => isAbsolute(place) && !isInHostDirectory(repository, place));
}

/** PATH of a program that a desktop starts, as far as all systems agree. */
const SYSTEM_DIRECTORIES = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

export interface Surroundings {
  readonly place: Place;
  readonly project: Workspace;
  /** Directories of PATH. */
  readonly path: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** The container of `engine` with `image` for the project of `place`. */
export function containerOf(engine: Engine, image: string, { place, project, path, environment }: Surroundings): Wish["container"] {
  const places = outside(place.root, path);
  const found = executableIn(places, engine) ?? executableIn(places, `${engine}.exe`);
  const isFoundByAll = found === undefined || SYSTEM_DIRECTORIES.includes(dirname(found));
  const named = environment["SHELPA_CONFIG"] || undefined;
  const unasked = join(place.configuration, "shelpa", "config.toml");
  return {
    engine,
    image,
    user: place.user,
    platform: place.platform,
    root: place.root,
    realRoot: place.realRoot,
    configuration: named ?? (place.exists(unasked) ? unasked : undefined),
    mountsIn: (configuration) => mountsIn(project, configuration),
    launch: {
      terminal: { program: [engine] },
      // The engine starts programs of its own that lie beside it.
      desktop: isFoundByAll
        ? { program: [engine] }
        : { program: [found], env: { PATH: [...new Set([dirname(found), "/usr/local/bin", "/usr/bin", "/bin"])].join(":") } },
    },
  };
}

/** The directories that a configuration file puts beside the root. Throws ConfigurationError, and FileError for no regular file. */
function mountsIn(project: Workspace, path: string): ReturnType<Container["mountsIn"]> {
  const text = editedFile(project, path).text();
  if (text === undefined) return [];
  return mountsOf(parseConfiguration(text, path, { isInRoot: false })) ?? [];
}
