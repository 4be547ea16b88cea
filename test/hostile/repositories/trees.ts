/** All hostile repositories. */
import { CLIENTS } from "./client-trees.ts";
import { CLOCKS, KINDS, NAMES, PATTERNS, SIZES } from "./file-trees.ts";
import { GIT_DATA } from "./git-data-trees.ts";
import { GIT_PLACES, GIT_SETTINGS } from "./git-trees.ts";
import type { HostileTree } from "./hostile-tree.ts";
import { LINKS } from "./link-trees.ts";
import { POLICIES } from "./policy-trees.ts";
import { LOCKS, OPEN_TRANSACTIONS, RECORDS } from "./record-trees.ts";

export const TREES: readonly HostileTree[] = [
  ...GIT_SETTINGS,
  ...GIT_PLACES,
  ...GIT_DATA,
  ...OPEN_TRANSACTIONS,
  ...LOCKS,
  ...RECORDS,
  ...LINKS,
  ...CLIENTS,
  ...POLICIES,
  ...NAMES,
  ...SIZES,
  ...PATTERNS,
  ...CLOCKS,
  ...KINDS,
];
