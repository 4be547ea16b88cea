/** The order of a listing: the chosen key, then the name in byte order, which is the order of C.UTF-8. */
import { toBytes } from "../../src/io/text.ts";
import { compareVersions } from "../../src/numbers/version-order.ts";
import { isDirectory, timeOf, type Entry } from "./entry.ts";
import type { Settings } from "./settings.ts";

type Order = (a: Entry, b: Entry) => number;

/** Sorts in place. `widthOf` gives the columns of a name as it is shown. */
export function sortEntries(entries: Entry[], settings: Settings, widthOf: (entry: Entry) => number): void {
  if (settings.sort === "none") return;
  const byName = entries.some((entry) => BEYOND.test(entry.name)) ? byBytes : byUnits;
  const order = orderFor(settings, byName, widthOf);
  const directed: Order = settings.reverse ? (a, b) => order(b, a) : order;
  const leads = (entry: Entry): boolean => isDirectory(entry) || entry.target?.kind === "directory";
  entries.sort(settings.directoriesFirst ? (a, b) => Number(leads(b)) - Number(leads(a)) || directed(a, b) : directed);
}

function orderFor(settings: Settings, byName: Order, widthOf: (entry: Entry) => number): Order {
  switch (settings.sort) {
    case "name":
    case "none":
      return byName;
    case "time":
      return (a, b) => compare(timeKey(b, settings), timeKey(a, settings)) || byName(a, b);
    case "size":
      return (a, b) => (b.status?.size ?? 0) - (a.status?.size ?? 0) || byName(a, b);
    case "extension":
      return (a, b) => compareNames(extensionOf(a.name), extensionOf(b.name)) || byName(a, b);
    case "width":
      return (a, b) => widthOf(a) - widthOf(b) || byName(a, b);
    case "version": {
      const keys = new Map<Entry, Buffer>();
      const keyOf = (entry: Entry): Buffer => {
        const known = keys.get(entry) ?? toBytes(entry.name);
        keys.set(entry, known);
        return known;
      };
      return (a, b) => {
        const first = keyOf(a);
        const second = keyOf(b);
        return compareVersions(first, 0, first.length, second, 0, second.length) || Buffer.compare(first, second);
      };
    }
  }
}

/** Code units sort as UTF-8 does, but for surrogates and what stands above them. */
const byUnits: Order = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
const byBytes: Order = (a, b) => compareNames(a.name, b.name);

function compareNames(a: string, b: string): number {
  if (BEYOND.test(a) || BEYOND.test(b)) return Buffer.compare(toBytes(a), toBytes(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

const BEYOND = /[\ud800-\uffff]/;

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

const timeKey = (entry: Entry, settings: Settings): bigint => (entry.status === undefined ? 0n : timeOf(entry.status, settings));

const extensionOf = (name: string): string => (name.includes(".") ? name.slice(name.lastIndexOf(".")) : "");
