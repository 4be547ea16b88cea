/** The tree of a table's rows: each names its parent by an id. */

/** Rows by their index. A row without a parent is a root. */
export interface LineTree {
  /** Roots first to last, each followed by what stands under it. */
  order(): Iterable<number>;
  readonly children: readonly (readonly number[])[];
  /** -1: a root. */
  readonly parents: readonly number[];
}

/** A row goes under the last one whose id it names as its parent, unless that would close a circle. */
export function treeOf(rows: readonly (readonly string[])[], id: number, parent: number): LineTree {
  const named = new Map<string, number[]>();
  rows.forEach((row, at) => {
    const name = row[parent];
    if (name === undefined) return;
    const those = named.get(name);
    if (those === undefined) named.set(name, [at]);
    else those.push(at);
  });
  const parents = rows.map(() => -1);
  const children: Set<number>[] = rows.map(() => new Set());
  rows.forEach((row, at) => {
    const name = row[id];
    for (const child of (name !== undefined && named.get(name)) || []) {
      if (isAncestor(child, at)) continue;
      const before = parents[child] as number;
      if (before >= 0) children[before]?.delete(child);
      children[at]?.add(child);
      parents[child] = at;
    }
  });
  /** Whether `row` is `of` or stands above it. */
  function isAncestor(row: number, of: number): boolean {
    if (row === of) return true;
    // What has nothing under it is above nothing; without this a long chain would take quadratic time.
    if (children[row]?.size === 0) return false;
    for (let at = parents[of] as number; at >= 0; at = parents[at] as number) if (at === row) return true;
    return false;
  }
  const lists = children.map((those) => [...those]);
  return {
    parents,
    children: lists,
    *order() {
      const pending = [...rows.keys()].filter((at) => parents[at] === -1).reverse();
      for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
        yield at;
        const under = lists[at] as number[];
        for (let last = under.length - 1; last >= 0; last--) pending.push(under[last] as number);
      }
    },
  };
}

/** The pieces that a tree is drawn with: a character set for UTF-8, one for the locale C. */
export interface TreeSymbols {
  readonly branch: string;
  readonly last: string;
  readonly vertical: string;
}

export const UTF8_TREE: TreeSymbols = { branch: "├─", last: "└─", vertical: "│ " };
export const ASCII_TREE: TreeSymbols = { branch: "|-", last: "`-", vertical: "| " };

/** What stands before each row's text, by the row's index, and what stands before a row that would be under it. */
export interface TreeArt {
  readonly before: readonly string[];
  readonly under: readonly string[];
}

export function artOf({ parents, children, order }: LineTree, symbols: TreeSymbols): TreeArt {
  const before: string[] = new Array<string>(parents.length).fill("");
  const under: string[] = new Array<string>(parents.length).fill("");
  for (const at of order()) {
    const parent = parents[at] as number;
    if (parent < 0) continue;
    const isLast = children[parent]?.at(-1) === at;
    before[at] = under[parent] + (isLast ? symbols.last : symbols.branch);
    under[at] = under[parent] + (isLast ? "  " : symbols.vertical);
  }
  return { before, under };
}
