/** The container that `init --container` means: the engine's program, the image, the user, and the configuration it is given. */
import { join, dirname } from "node:path";
import { mountsOf } from "../../config/merge.ts";
import { parseConfiguration } from "../../config/parse-configuration.ts";
import { executableIn, hostFileText } from "../../host/host-file.ts";
import { ownPath } from "../../host/own-code.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { CommandLineError } from "../command-line-error.ts";
import type { Container } from "./container-entry.ts";
import { editedFile } from "./edited-file.ts";
import { ENGINES, type Engine } from "./engine-names.ts";
import type { Place } from "./place.ts";
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

/** The image that `--image` names, or else the published one. Throws CommandLineError. */
export function imageWanted(engine: Engine, given: string | undefined): string {
  if (given !== undefined && isImageReference(given)) return given;
  if (given !== undefined)
    throw new CommandLineError(`init: '${given}' is no reference of an image`, `shelpa-mcp init --container ${engine} --image shelpa-mcp`);
  const published = publishedImage();
  if (published !== undefined) return published;
  throw new CommandLineError(
    `init: no image has been published for this version: build it in a clone of its repository with '${engine} build -t shelpa-mcp .', and name it`,
    `shelpa-mcp init --container ${engine} --image shelpa-mcp`,
  );
}

/** Throws CommandLineError. */
export function engineNamed(name: string): Engine {
  const engine = ENGINES.find((known) => known === name);
  if (engine !== undefined) return engine;
  throw new CommandLineError(`init: '${name}' is no engine that runs containers here; there are ${ENGINES.join(" and ")}`);
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
  const found = executableIn(path, engine) ?? executableIn(path, `${engine}.exe`);
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
