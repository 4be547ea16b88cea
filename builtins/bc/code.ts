/** Compiled code of a bc program: bytes as GNU bc has them, because its runtime errors name their addresses. */
import type { MathFunction } from "./math-library.ts";
import type { Num } from "./number.ts";

/** A parameter or an automatic variable: a simple variable by its number, an array by its number below zero. */
export interface Local {
  readonly variable: number;
  /** True for an array that is the caller's own (`*name[]`). */
  readonly isShared: boolean;
}

export class CompiledFunction {
  readonly name: string;
  isDefined = false;
  isVoid = false;
  /** The last one first. */
  parameters: Local[] = [];
  automatic: Local[] = [];
  body: number[] = [];
  readonly labels = new Map<number, number>();
  /** Constants by their address, with the base they were read in and the address after them. */
  readonly constants = new Map<number, { readonly base: number; readonly value: Num; readonly end: number }>();
  /** Set for a function of the library. */
  readonly native: MathFunction | undefined;

  constructor(name: string, native?: MathFunction) {
    this.name = name;
    this.native = native;
    this.isDefined = native !== undefined;
  }

  clear(): void {
    this.isDefined = false;
    this.parameters = [];
    this.automatic = [];
    this.body = [];
    this.labels.clear();
    this.constants.clear();
  }

  /** An instruction: one letter. */
  op(letter: string): void {
    this.body.push(letter.charCodeAt(0));
  }

  /** An instruction with the number of a variable, an array or a function. */
  opWith(letter: string, number: number): void {
    this.op(letter);
    if (number < 128) this.body.push(number);
    else this.body.push((number >> 8) | 0x80, number & 0xff);
  }

  jump(letter: "B" | "J" | "Z", label: number): void {
    this.op(letter);
    this.body.push(label & 0xff, label >> 8);
  }

  label(label: number): void {
    this.labels.set(label, this.body.length);
  }

  /** A digit is its value, from 10 on for letters. */
  constant(text: string): void {
    this.op("K");
    for (const character of text) this.body.push(character === "." ? POINT : Number.parseInt(character, 36));
    this.body.push(COLON);
  }

  /** A string with its quotes, of which the first is not kept. */
  string(letter: "w" | "O", quoted: string): void {
    this.op(letter);
    for (let at = 1; at < quoted.length; at++) this.body.push(quoted.charCodeAt(at));
  }
}

export const POINT = 0x2e;
export const COLON = 0x3a;
