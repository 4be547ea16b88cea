/** Assembler of small WebAssembly modules from hand-written code, for the vector instructions that JavaScript lacks. */

export interface VectorFunction {
  /** Number of i32 parameters, at most 127; the function returns an i32. */
  readonly parameters: number;
  /** Locals, instructions and the last `end`, in hexadecimal; white space is ignored. */
  readonly code: string;
}

/** A compiled module: its functions, all of i32, and the memory they work in. */
export interface VectorModule<Name extends string> {
  readonly memory: ArrayBuffer;
  readonly functions: Readonly<Record<Name, (...values: number[]) => number>>;
}

/** The module with `functions`, at most 127 of them, and `pages` (of 64 KiB, at most 127) of memory. */
export function vectorModule<Name extends string>(pages: number, functions: Readonly<Record<Name, VectorFunction>>): VectorModule<Name> {
  const entries = Object.entries<VectorFunction>(functions);
  const bodies = entries.map(([, { code }]) => Buffer.from(code.replaceAll(/\s/g, ""), "hex"));
  const bytes = Buffer.concat([
    Buffer.from("\0asm\x01\0\0\0", "latin1"),
    section(
      TYPES,
      entries.map(([, { parameters }]) => Buffer.of(0x60, parameters, ...Array<number>(parameters).fill(I32), 1, I32)),
    ),
    section(
      FUNCTIONS,
      entries.map((_, index) => Buffer.of(index)),
    ),
    section(MEMORIES, [Buffer.of(0, pages)]),
    section(EXPORTS, [exported("memory", 2, 0), ...entries.map(([name], index) => exported(name, 0, index))]),
    section(
      CODE,
      bodies.map((body) => Buffer.concat([unsigned(body.length), body])),
    ),
  ]);
  const { memory, ...exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  return { memory: memory.buffer, functions: exports as VectorModule<Name>["functions"] };
}

/** Copies the first `count` places of `found` into `into`, but for those from `end` on, where blocks of sixteen reach; returns how many. */
export function placesBefore(end: number, found: Int32Array, count: number, into: Int32Array): number {
  let kept = count;
  while (kept > 0 && (found[kept - 1] as number) >= end) kept--;
  into.set(found.subarray(0, kept));
  return kept;
}

const I32 = 0x7f;
/** The sections' numbers (WebAssembly core specification 2.0, §5.5.2). */
const [TYPES, FUNCTIONS, MEMORIES, EXPORTS, CODE] = [1, 3, 5, 7, 10] as const;

function section(number: number, items: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat([unsigned(items.length), ...items]);
  return Buffer.concat([Buffer.of(number), unsigned(content.length), content]);
}

const exported = (name: string, kind: number, index: number): Uint8Array =>
  Buffer.concat([Buffer.of(name.length), Buffer.from(name), Buffer.of(kind, index)]);

/** LEB128 of a number below 16,384. */
const unsigned = (value: number): Uint8Array => (value < 0x80 ? Buffer.of(value) : Buffer.of((value & 0x7f) | 0x80, value >> 7));

/** The part of the WebAssembly interface that this file uses; neither our `lib` nor @types/node declares it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: { readonly memory: { readonly buffer: ArrayBuffer } } & Readonly<Record<string, unknown>>;
  };
};
