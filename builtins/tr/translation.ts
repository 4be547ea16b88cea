/** The sets of a tr command → one table per byte: what it becomes, whether it goes, whether a run of it shrinks. */
import { BadSet, MOST_MEMBERS, type Element } from "./set-text.ts";
import { Cursor, elementLength, isCaseClass, members } from "./cursor.ts";

export interface Operation {
  /** What each byte becomes. */
  readonly becomes: Uint8Array;
  /** 1 for a byte that is kept, 0 for one that is deleted. */
  readonly keeps: Uint8Array;
  /** 1 for a byte of which only the first in a row stays; looked up after translating. */
  readonly squeezes: Uint8Array;
}

export interface Wanted {
  readonly complement: boolean;
  readonly delete: boolean;
  readonly squeeze: boolean;
  readonly truncate: boolean;
}

/** Checks the sets as GNU tr does and makes the tables. Throws BadSet. */
export function operationOf(first: readonly Element[], second: readonly Element[] | undefined, wanted: Wanted): Operation {
  const becomes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const keeps = new Uint8Array(256).fill(1);
  const squeezes = new Uint8Array(256);
  if (first.some((element) => element.kind === "repeat" && element.count === undefined)) {
    throw new BadSet("the [c*] repeat construct may not appear in string1");
  }
  const set = memberSet(first, wanted.complement);
  const length = wanted.complement ? BigInt(set.filter((in_) => in_ === 1).length) : totalLength(first);
  if (second === undefined) {
    const target = wanted.delete ? keeps : squeezes;
    for (let byte = 0; byte < 256; byte++) if (set[byte] === 1) target[byte] = wanted.delete ? 0 : 1;
    return { becomes, keeps, squeezes };
  }
  const filled = filledUp(second, length);
  if (wanted.delete) {
    if (second.some((element) => element.kind === "repeat" && element.count === undefined)) {
      throw new BadSet("the [c*] construct may appear in string2 only when translating");
    }
    for (let byte = 0; byte < 256; byte++) if (set[byte] === 1) keeps[byte] = 0;
    squeezes.set(memberSet(filled, false));
    return { becomes, keeps, squeezes };
  }
  const target = translationTarget(first, filled, length, wanted);
  if (wanted.complement) translateComplement(becomes, set, target);
  else translate(becomes, first, target);
  if (wanted.squeeze) squeezes.set(memberSet(target, false));
  return { becomes, keeps, squeezes };
}

/** The second set with `[c*]` as long as it must be. */
function filledUp(second: readonly Element[], wantedLength: bigint): Element[] {
  const length = totalLength(second);
  const open = second.filter((element) => element.kind === "repeat" && element.count === undefined);
  if (open.length > 1) throw new BadSet("only one [c*] repeat construct may appear in string2");
  const missing = wantedLength > length ? wantedLength - length : 0n;
  return second.map((element) => (element === open[0] && element.kind === "repeat" ? { ...element, count: missing } : element));
}

/** The second set as translating uses it: checked, and as long as the first unless that is truncated. */
function translationTarget(first: readonly Element[], second: readonly Element[], firstLength: bigint, wanted: Wanted): readonly Element[] {
  if (second.some(({ kind }) => kind === "equivalence")) {
    throw new BadSet("[=c=] expressions may not appear in string2 when translating");
  }
  if (second.some((element) => element.kind === "class" && !isCaseClass(element))) {
    throw new BadSet("when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'");
  }
  if (!wanted.complement) checkCaseClasses(first, second);
  let target = second;
  let length = totalLength(second);
  if (firstLength > length && !wanted.truncate) {
    const last = second.at(-1);
    if (length === 0n || last === undefined) throw new BadSet("when not truncating set1, string2 must be non-empty");
    if (last.kind === "class") {
      throw new BadSet("when translating with string1 longer than string2,\nthe latter string must not end with a character class");
    }
    const byte = last.kind === "range" ? last.last : last.byte;
    target = [...second, { kind: "repeat", byte, count: firstLength - length }];
    length = firstLength;
  }
  if (wanted.complement && first.some(({ kind }) => kind === "class")) {
    const distinct = new Set(target.flatMap(members));
    if (length !== firstLength || distinct.size !== 1) {
      throw new BadSet("when translating with complemented character classes,\nstring2 must map all characters in the domain to one");
    }
  }
  return target;
}

/** `[:upper:]` and `[:lower:]` in the second set must stand opposite one of the two in the first. */
function checkCaseClasses(first: readonly Element[], second: readonly Element[]): void {
  const [from, to] = [new Cursor(first), new Cursor(second)];
  for (;;) {
    if (to.caseClass !== undefined) {
      if (from.caseClass === undefined || !from.atStart) throw new BadSet("misaligned [:upper:] and/or [:lower:] construct");
      from.skipElement();
      to.skipElement();
    } else {
      if (from.atEnd || to.atEnd) return;
      stepBoth(from, to);
    }
  }
}

function translate(becomes: Uint8Array, first: readonly Element[], second: readonly Element[]): void {
  const [from, to] = [new Cursor(first), new Cursor(second)];
  while (!from.atEnd && !to.atEnd) {
    if (to.caseClass !== undefined) {
      const shift = from.caseClass === to.caseClass ? 0 : from.caseClass === "lower" ? -32 : 32;
      for (const byte of shift === 0 ? [] : from.elementMembers()) becomes[byte] = byte + shift;
      if (shift === 0) becomes[from.byte] = to.byte;
      from.skipElement();
      to.skipElement();
    } else {
      becomes[from.byte] = to.byte;
      stepBoth(from, to);
    }
  }
}

function translateComplement(becomes: Uint8Array, set: Uint8Array, second: readonly Element[]): void {
  const to = new Cursor(second);
  for (let byte = 0; byte < 256 && !to.atEnd; byte++) {
    if (set[byte] !== 1) continue;
    becomes[byte] = to.byte;
    to.advance(1n);
  }
}

function stepBoth(from: Cursor, to: Cursor): void {
  const shorter = from.runLength < to.runLength ? from : to;
  const steps = shorter.runLength;
  from.advance(steps);
  to.advance(steps);
}

function memberSet(elements: readonly Element[], complement: boolean): Uint8Array {
  const set = new Uint8Array(256).fill(complement ? 1 : 0);
  for (const element of elements) for (const byte of members(element)) set[byte] = complement ? 0 : 1;
  return set;
}

function totalLength(elements: readonly Element[]): bigint {
  let total = 0n;
  for (const element of elements) {
    total += elementLength(element);
    if (total > MOST_MEMBERS) throw new BadSet("too many characters in set");
  }
  return total;
}
