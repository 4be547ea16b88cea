/** A place in a set's members, in order. A repeat of a billion is one step. */
import type { Element } from "./set-text.ts";

export class Cursor {
  readonly #elements: readonly Element[];
  #index = 0;
  #offset = 0n;

  constructor(elements: readonly Element[]) {
    this.#elements = elements.filter((element) => elementLength(element) > 0n);
  }

  get atEnd(): boolean {
    return this.#index >= this.#elements.length;
  }

  /** Whether the member is the first of its element. */
  get atStart(): boolean {
    return this.#offset === 0n;
  }

  /** The member here; not asked for at the end. */
  get byte(): number {
    const element = this.#element;
    if (element.kind === "range") return element.first + Number(this.#offset);
    if (element.kind === "class") return element.bytes[Number(this.#offset)] as number;
    return element.byte;
  }

  /** How many members from here on are the same byte by the same element. */
  get runLength(): bigint {
    return this.#element.kind === "repeat" ? elementLength(this.#element) - this.#offset : 1n;
  }

  /** Which of `[:upper:]` and `[:lower:]` the member belongs to. */
  get caseClass(): "upper" | "lower" | undefined {
    const element = this.#elements[this.#index];
    return element !== undefined && isCaseClass(element) ? element.name : undefined;
  }

  elementMembers(): readonly number[] {
    return members(this.#element);
  }

  /** Goes on by `count` members, which must not leave the run. */
  advance(count: bigint): void {
    this.#offset += count;
    if (this.#offset >= elementLength(this.#element)) this.skipElement();
  }

  skipElement(): void {
    this.#index++;
    this.#offset = 0n;
  }

  get #element(): Element {
    return this.#elements[this.#index] as Element;
  }
}

export function isCaseClass(element: Element): element is Element & { kind: "class"; name: "upper" | "lower" } {
  return element.kind === "class" && (element.name === "upper" || element.name === "lower");
}

/** How many members an element has; `[c*]` that was not filled up has none. */
export function elementLength(element: Element): bigint {
  switch (element.kind) {
    case "range":
      return BigInt(element.last - element.first + 1);
    case "class":
      return BigInt(element.bytes.length);
    case "equivalence":
      return 1n;
    case "repeat":
      return element.count ?? 0n;
  }
}

/** The distinct bytes of an element. */
export function members(element: Element): readonly number[] {
  switch (element.kind) {
    case "range":
      return Array.from({ length: element.last - element.first + 1 }, (_, index) => element.first + index);
    case "class":
      return element.bytes;
    case "equivalence":
      return [element.byte];
    case "repeat":
      return elementLength(element) > 0n ? [element.byte] : [];
  }
}
