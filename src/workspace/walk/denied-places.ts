/**
 * Rules of the policy for files that may not be read, of all trees of a workspace: the root and each mount. A rule is about a place on
 * the host, and trees may lie in each other: a file is judged by the rules of every tree that its place is in, whatever name it has.
 */
import { pathMatcher } from "../../glob/path-rules.ts";
import { pathBelow } from "../mount/prefix.ts";
import { isContentStore } from "../read/content-store.ts";
import { mirroredPaths, RECORD_DIRECTORY } from "../write/mirror-path.ts";
import { descriptorsCanBeInherited } from "./descriptor.ts";

/** A tree with its rules. */
export interface TreeRules {
  /** Host path of its directory, free of symbolic links. */
  readonly canonical: string;
  /** Absolute name of a mount; "" for the root. The rules are about paths from the root, and in a mount about whole names, from `/`. */
  readonly prefix: string;
  /** Rules as of gitignore(5). */
  readonly denyRead: readonly string[];
}

export class DeniedPlaces {
  readonly #trees: { readonly above: string; readonly denies: (below: string) => boolean }[] = [];

  /** True if no tree has a rule. */
  get isEmpty(): boolean {
    return this.#trees.length === 0;
  }

  add({ canonical, prefix, denyRead }: TreeRules): void {
    if (denyRead.length === 0) return;
    const matches = pathMatcher(denyRead.map(folded));
    const name = folded(prefix.slice(1));
    const denies = (below: string): boolean => matches(name === "" ? below : below === "" ? name : `${name}/${below}`);
    this.#trees.push({ above: folded(canonical), denies });
  }

  /** Tells whether the file at the host path `place`, free of symbolic links, may not be read. */
  denies(place: string): boolean {
    if (this.isEmpty) return false;
    const path = folded(place);
    // A mirror holds what its file held.
    const mirrored = path.includes(RECORD_DIRECTORY) ? mirroredPaths(path) : [];
    return mirrored === "unknown" || [path, ...mirrored].some((each) => this.#deniesPath(each));
  }

  /** Tells whether a file at `below` might not be read if it lay there from the top of one of the trees. */
  deniesBelowAnyTop(below: string): boolean {
    return this.#trees.some(({ denies }) => denies(folded(below)));
  }

  /** Tells whether the file at the host path `place` holds bytes of other files (content-store.ts) while some file may not be read. */
  deniesStore(place: string): boolean {
    return !this.isEmpty && isContentStore(place);
  }

  #deniesPath(path: string): boolean {
    return this.#trees.some(({ above, denies }) => {
      const below = pathBelow(above, path);
      return below !== undefined && denies(below);
    });
  }
}

// Elsewhere a file answers to its name in any case, and in any composition of its accents.
const folded = descriptorsCanBeInherited ? (text: string): string => text : (text: string): string => text.normalize("NFC").toLowerCase();
