/** What we use of WebAssembly's JavaScript interface: TypeScript declares it with the DOM only. */
declare namespace WebAssembly {
  class Memory {
    private constructor();
    readonly buffer: ArrayBuffer;
    /** By so many pages of 64 KiB; returns how many there were. */
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
