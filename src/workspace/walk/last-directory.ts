/**
 * The directory that the last paths led to, held for the next one: `wc -l a/b/*` and xargs name thousands of files of few
 * directories, and walking to each is most of their cost.
 *
 * It is used only while the kernel reports that it still lies where it was found. That is checked again after a millisecond, so
 * that a directory which was moved out of the root, or removed, answers through it for no longer than through a walk that
 * the scheduler has put aside. It is let go when the event loop turns.
 */
import { descriptorsCanBeInherited, pathOfHandle, release } from "./descriptor.ts";
import type { Place } from "./path-walk.ts";

export interface HeldParent {
  readonly handle: number;
  /** Its path from the root, free of symbolic links. */
  readonly canonical: string;
}

/** Time for which a check of its place holds good, in milliseconds. A check costs as much as opening a file. */
const IN_PLACE_MS = 1;

export class RecentDirectory {
  /** The root's, free of symbolic links. */
  readonly #rootPath: string;
  #held: (HeldParent & { readonly typed: string; readonly hostPath: string }) | undefined;
  readonly #isAsTyped: (device?: bigint) => boolean;
  #lastTyped: string | undefined;
  /** As of performance.now(). */
  #inPlaceUntilMs = 0;

  /** `isAsTyped`: see ListedNames. Where names may be others than they were typed, each is walked to. */
  constructor(rootPath: string, isAsTyped: (device?: bigint) => boolean) {
    this.#isAsTyped = isAsTyped;
    this.#rootPath = rootPath === "/" ? "" : rootPath;
  }

  /**
   * The directory that `typed` names: from its second time in a row on it is held, and `walk` called only if it is not yet.
   * undefined: the path is to be walked as any other. Throws what `walk` throws.
   */
  at(typed: string, walk: () => Place): HeldParent | undefined {
    // By name, where systems have no paths of descriptors, holding gains nothing.
    if (!descriptorsCanBeInherited) return undefined;
    const isAgain = this.#lastTyped === typed;
    this.#lastTyped = typed;
    if (!isAgain || !this.#isAsTyped()) return undefined;
    if (this.#held?.typed !== typed) this.#hold(typed, walk());
    return this.#held !== undefined && this.#isInPlace(this.#held) ? this.#held : undefined;
  }

  #isInPlace({ handle, hostPath }: { readonly handle: number; readonly hostPath: string }): boolean {
    const nowMs = performance.now();
    if (nowMs < this.#inPlaceUntilMs) return true;
    if (pathOfHandle(handle) !== hostPath) return false;
    this.#inPlaceUntilMs = nowMs + IN_PLACE_MS;
    return true;
  }

  release(): void {
    if (this.#held !== undefined) release(this.#held.handle);
    this.#held = undefined;
    this.#lastTyped = undefined;
  }

  #hold(typed: string, place: Place): void {
    this.release();
    this.#lastTyped = typed;
    this.#inPlaceUntilMs = 0;
    try {
      if (place.status?.kind !== "directory" || place.name === "" || !this.#isAsTyped(place.status.device)) return;
      const { canonical } = place;
      this.#held = { typed, handle: place.takeHandle(), canonical, hostPath: `${this.#rootPath}/${canonical}` };
      setImmediate(() => this.release());
    } finally {
      place.release();
    }
  }
}
