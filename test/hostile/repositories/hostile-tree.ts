/** One hostile repository: how it is made, and what is expected in it besides what holds in all of them. */
import type { Place } from "./place.ts";

export interface HostileTree {
  readonly id: string;
  /** A sentence on what is tried. */
  readonly note: string;
  /** Fills the root; gives what ends it where something has to run meanwhile. */
  readonly make: (place: Place) => void | (() => void);
  /** Outcome of a write to an ordinary file. Default: "done". */
  readonly writes?: "done" | "refused" | "either";
  /** False if the server does not start, because the tree's configuration is not to be trusted. Default: true. */
  readonly starts?: boolean;
  /** Further arguments of the server; ROOT stands for the root's path. */
  readonly serverArguments?: readonly string[];
  /** Files that are not written unasked, besides those that never are. */
  readonly guarded?: readonly string[];
  /** Lines that read, besides those of every tree. */
  readonly lines?: readonly string[];
  /** Text of the tree that no answer may show. */
  readonly secrets?: readonly string[];
  /** Too large to be looked at by more than a few lines in the short form. */
  readonly isLarge?: boolean;
}
