/** Destinations of a stage's standard output and standard error, after its redirections. */
import { toBytes } from "../io/text.ts";
import type { Redirect } from "../shell/tree.ts";
import type { ErrorSink } from "./stage.ts";

type Destination = "output" | "errors" | "nowhere";

export class Routes {
  readonly stdout: Destination;
  /** Blocks that replace standard input, or undefined where it is not redirected. */
  readonly input: readonly Uint8Array[] | undefined;
  readonly stderr: (bytes: Uint8Array) => void | Promise<void>;
  #merged: Uint8Array[] = [];

  /** `texts` are those of the here-documents and here-strings among the redirections, in order. */
  constructor(redirects: readonly Redirect[], texts: readonly string[], errors: ErrorSink) {
    const to: { 1: Destination; 2: Destination } = { 1: "output", 2: "errors" };
    let input: readonly Uint8Array[] | undefined;
    let here = 0;
    for (const redirect of redirects) {
      switch (redirect.kind) {
        case "duplicate":
          to[redirect.from] = to[redirect.to];
          break;
        case "discard":
          to[redirect.from] = "nowhere";
          break;
        case "no-input":
          input = [];
          break;
        case "here":
          input = [toBytes(texts[here++] ?? "")];
          break;
      }
    }
    this.stdout = to[1];
    this.input = input;
    this.stderr = this.#errorRoute(to[2], errors);
  }

  /** Standard error that was merged into standard output since the last call; it comes before the next block. */
  takeMerged(): readonly Uint8Array[] {
    if (this.#merged.length === 0) return [];
    const merged = this.#merged;
    this.#merged = [];
    return merged;
  }

  #errorRoute(destination: Destination, errors: ErrorSink): (bytes: Uint8Array) => void | Promise<void> {
    switch (destination) {
      case "errors":
        return errors.stderr;
      case "nowhere":
        return () => {};
      case "output":
        return (bytes) => {
          this.#merged.push(bytes);
        };
    }
  }
}
