/** The part of WebAssembly's JavaScript interface that we use: TypeScript declares it with the DOM only. */
declare namespace WebAssembly {
  class Memory {
    private constructor();
    readonly buffer: ArrayBuffer;
    /** Grows by `pages` of 64 KiB; returns the number of pages before. */
    grow(pages: number): number;
  }
  type Imports = Record<string, Record<string, (...args: never[]) => unknown>>;
  class Module {
    private constructor();
    static imports(module: Module): { readonly module: string; readonly name: string; readonly kind: string }[];
  }
  /** A trap. */
  class RuntimeError extends Error {}
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Record<string, unknown>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
