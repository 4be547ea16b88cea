/** Knuth's topological sort (TAOCP 1, 2.2.3, algorithm T) with the choices of GNU tsort, which decide the order. */
import { toBytes } from "../../src/io/text.ts";

interface Item {
  readonly word: string;
  /** Items before this one that are not printed yet. */
  count: number;
  /** What comes after it, the relation told last in front. */
  readonly after: Item[];
  isPrinted: boolean;
  /** The way back while a loop is looked for. */
  back: Item | undefined;
}

export type OrderStep = { readonly word: string } | { readonly loop: readonly string[] };

export class Relations {
  readonly #items = new Map<string, Item>();

  /** `before` and `after` may be the same: the word then only exists. */
  add(before: string, after: string): void {
    const [one, other] = [this.#item(before), this.#item(after)];
    if (one === other) return;
    other.count++;
    one.after.push(other);
  }

  #item(word: string): Item {
    let item = this.#items.get(word);
    if (item === undefined) {
      item = { word, count: 0, after: [], isPrinted: false, back: undefined };
      this.#items.set(word, item);
    }
    return item;
  }

  *ordered(): Generator<OrderStep, void> {
    const items = [...this.#items.values()]
      .map((item) => ({ item, bytes: toBytes(item.word) }))
      .sort((one, other) => one.bytes.compare(other.bytes))
      .map(({ item }) => item);
    for (const item of items) item.after.reverse();
    for (let left = items.length; left > 0; ) {
      const queue = items.filter((item) => item.count === 0 && !item.isPrinted);
      for (let at = 0; at < queue.length; at++) {
        const item = queue[at] as Item;
        yield { word: item.word };
        item.isPrinted = true;
        left--;
        for (const next of item.after) if (--next.count === 0) queue.push(next);
      }
      if (left > 0) yield { loop: brokenLoop(items) };
    }
  }
}

/** Finds a loop by walking from item to item against the relations, and removes one relation of it. */
function brokenLoop(items: readonly Item[]): string[] {
  let start: Item | undefined;
  for (;;) {
    for (const item of items) {
      if (item.count === 0) continue;
      if (start === undefined) {
        start = item;
        continue;
      }
      const at = item.after.indexOf(start);
      if (at < 0) continue;
      if (item.back === undefined) {
        item.back = start;
        start = item;
        continue;
      }
      const loop: string[] = [];
      for (let step: Item | undefined = start; step !== undefined; ) {
        const back: Item | undefined = step.back;
        loop.push(step.word);
        if (step === item) {
          start.count--;
          item.after.splice(at, 1);
          clearBack(step);
          break;
        }
        step.back = undefined;
        step = back;
      }
      return loop;
    }
  }
}

function clearBack(from: Item): void {
  for (let step: Item | undefined = from; step !== undefined; ) {
    const back: Item | undefined = step.back;
    step.back = undefined;
    step = back;
  }
}
