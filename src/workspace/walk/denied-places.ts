/**
 * Rules of the policy for files that may not be read, of all trees of a workspace: the root and each mount. A rule is about a place on
 * the host, and trees may lie in each other: a file is judged by the rules of every tree that its place is in, whatever name it has.
 *
 * A rule holds in every composition of its accents, everywhere: the names look the same. In another case it holds where one of the
 * directories on the way finds its entries in any case (spellings.ts).
 */
import { pathMatcher } from "../../glob/path-rules.ts";
import { pathBelow } from "../mount/prefix.ts";
import { isContentStore } from "../read/content-store.ts";
import { mirroredPaths, RECORD_DIRECTORY } from "../write/mirror-path.ts";
import { composed, folded } from "./name-folding.ts";

/** A tree with its rules. */
export interface TreeRules {
  /** Host path of its directory, free of symbolic links. */
  readonly canonical: string;
  /** Absolute name of a mount; "" for the root. The rules are about paths from the root, and in a mount about whole names, from `/`. */
  readonly prefix: string;
  /** Rules as of gitignore(5). */
  readonly denyRead: readonly string[];
  /** Tells whether entries are found in any case in a directory on the way to `below`, a path from its top. Default: they are. */
  readonly foldsCase?: (below: string) => boolean;
}

/** Spelling of a path in which rules are compared with it. */
type Spelling = (text: string) => string;

interface Tree {
  readonly canonical: string;
  readonly foldsCase: (below: string) => boolean;
  /** In their own case, and in any. */
  readonly rules: { readonly exact: Rules; readonly inAnyCase: Rules } | undefined;
}

interface Rules {
  readonly above: string;
  readonly denies: (below: string) => boolean;
}

export class DeniedPlaces {
  readonly #trees: Tree[] = [];
  #hasRules = false;
  /** True if no rule has a letter that folding changes. */
  #areFolded = true;

  /** True if no tree has a rule. */
  get isEmpty(): boolean {
    return !this.#hasRules;
  }

  add({ canonical, prefix, denyRead, foldsCase = () => true }: TreeRules): void {
    const inSpelling = (spelling: Spelling): Rules => {
      const matches = pathMatcher(denyRead.map(spelling));
      const name = spelling(prefix.slice(1));
      const denies = (below: string): boolean => matches(name === "" ? below : below === "" ? name : `${name}/${below}`);
      return { above: spelling(canonical), denies };
    };
    const rules = denyRead.length === 0 ? undefined : { exact: inSpelling(composed), inAnyCase: inSpelling(folded) };
    this.#trees.push({ canonical, foldsCase, rules });
    if (rules === undefined) return;
    this.#hasRules = true;
    this.#areFolded &&= [prefix, ...denyRead].every((text) => folded(text) === text);
  }

  /** Tells whether the file at the host path `place`, free of symbolic links, may not be read. */
  denies(place: string): boolean {
    if (this.isEmpty) return false;
    const exact = composed(place);
    if (this.#deniesPath(exact, "exact")) return true;
    if (this.#isFolded(exact)) return false;
    return this.#deniesPath(folded(exact), "inAnyCase") && this.#foldsCase(place);
  }

  /** True if judging `path` in any case would be judging it once more: most paths of most trees. */
  #isFolded(path: string): boolean {
    if (!this.#areFolded) return false;
    const [only, ...others] = this.#trees;
    const below = (others.length === 0 && only !== undefined ? pathBelow(only.canonical, path) : undefined) ?? path;
    return folded(below) === below;
  }

  /** Tells whether a file at `below` might not be read if it lay there from the top of one of the trees. */
  deniesBelowAnyTop(below: string): boolean {
    const [exact, inAnyCase] = [composed(below), folded(below)];
    return this.#trees.some(
      ({ rules, foldsCase }) => rules?.exact.denies(exact) === true || (rules?.inAnyCase.denies(inAnyCase) === true && foldsCase(below)),
    );
  }

  /** Tells whether the file at the host path `place` holds bytes of other files (content-store.ts) while some file may not be read. */
  deniesStore(place: string): boolean {
    return !this.isEmpty && isContentStore(place);
  }

  #deniesPath(path: string, spelling: "exact" | "inAnyCase"): boolean {
    // A mirror holds what its file held.
    const mirrored = path.includes(RECORD_DIRECTORY) ? mirroredPaths(path) : [];
    if (mirrored === "unknown") return true;
    return [path, ...mirrored].some((each) =>
      this.#trees.some(({ rules }) => {
        const found = rules?.[spelling];
        const below = found && pathBelow(found.above, each);
        return below !== undefined && found?.denies(below) === true;
      }),
    );
  }

  /** Tells whether a directory on the way to `place` may find its entries in any case; of a place in no tree, whether a top does. */
  #foldsCase(place: string): boolean {
    const ways = this.#trees.flatMap(({ canonical, foldsCase }) => {
      const below = pathBelow(canonical, place);
      return below === undefined ? [] : [{ foldsCase, below }];
    });
    if (ways.length > 0) return ways.some(({ foldsCase, below }) => foldsCase(below));
    return this.#trees.some(({ foldsCase }) => foldsCase(""));
  }
}
