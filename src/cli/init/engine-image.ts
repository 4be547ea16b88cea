/** The image of a container entry as an engine knows it: whether it is on the machine and says to be this program, and how it gets there. */
import { conversationWith } from "../../exec/own-server.ts";
import type { Engine } from "./engine-names.ts";

export interface ImageQuestion {
  /** Host path of the engine. */
  readonly program: string;
  readonly image: string;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** "other": an image of somebody else's program. "unknown": the engine gave no answer. */
export type ImageState =
  | { readonly kind: "there" | "other" | "missing" }
  | { readonly kind: "unknown"; readonly failure: string; readonly errors: string };

/** Time for an engine to say what it knows of an image. */
const IMAGE_MS = 15_000;
const TITLE = '{{index .Config.Labels "org.opencontainers.image.title"}}';

/** Asks the engine, which starts no container for that. Never rejects. */
export async function imageState({ program, image, directory, environment }: ImageQuestion): Promise<ImageState> {
  const words = [program, "image", "inspect", `--format=${TITLE}`, image] as const;
  const { output, errors, failure } = await conversationWith({ words, directory, environment, input: "", timeoutMs: IMAGE_MS });
  if (failure === undefined) return { kind: output.trim() === "shelpa-mcp" ? "there" : "other" };
  return /no such image|image not known|no such object/i.test(errors) ? { kind: "missing" } : { kind: "unknown", failure, errors };
}

/**
 * The way to an image that is not there. A name without a registry is somebody's own: an engine that was asked to pull it would look for
 * it in a public registry, where it may be a stranger's.
 */
export function wayToImage(engine: Engine, image: string): string {
  const [first = "", ...others] = image.split("/");
  const hasRegistry = others.length > 0 && first !== "localhost" && /[.:]/.test(first);
  if (hasRegistry) return `${engine} pull ${image}`;
  return `build it in a clone of the repository: ${engine} build -t ${image.replace(/@.*/s, "")} . (docs/container.md)`;
}
