/**
 * Stands between node:fs and whoever imports it, and does something at the nth call that changes a file: a kill, a
 * write that is cut in half, an error. Works on named imports too, because those of built-in modules are live.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const CHANGING = [
  "writeSync",
  "fsyncSync",
  "renameSync",
  "linkSync",
  "unlinkSync",
  "mkdirSync",
  "lutimesSync",
  "utimesSync",
  "symlinkSync",
  "rmdirSync",
  "chmodSync",
] as const;

export interface FaultLayer {
  /** True once the armed call has come. */
  readonly fired: boolean;
  /** While set, every call that changes something throws it: as if the process were no more. */
  dead: Error | undefined;
  /** Calls `fault` in place of the nth call from now (1 is the next), with the real function and its arguments. */
  arm(nth: number, fault: (real: (...args: unknown[]) => unknown, args: unknown[], name: string) => unknown): void;
  disarm(): void;
  remove(): void;
}

export function installFaultLayer(): FaultLayer {
  let calls = 0;
  let armedAt = 0;
  let fired = false;
  let armed: ((real: (...args: unknown[]) => unknown, args: unknown[], name: string) => unknown) | undefined;
  const target = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const real = new Map<string, (...args: unknown[]) => unknown>();
  const wrap = (name: string, counts: (args: unknown[]) => boolean): void => {
    const original = target[name] as (...args: unknown[]) => unknown;
    real.set(name, original);
    target[name] = (...args: unknown[]) => {
      if (!counts(args)) return original(...args);
      if (layer.dead !== undefined) throw layer.dead;
      if (armed === undefined || ++calls !== armedAt) return original(...args);
      fired = true;
      return armed(original, args, name);
    };
  };
  const layer: FaultLayer = {
    dead: undefined,
    get fired() {
      return fired;
    },
    arm(nth, fault) {
      calls = 0;
      fired = false;
      armedAt = nth;
      armed = fault;
    },
    disarm() {
      armed = undefined;
    },
    remove() {
      for (const [name, original] of real) target[name] = original;
      syncBuiltinESMExports();
    },
  };
  for (const name of CHANGING) wrap(name, () => true);
  wrap("openSync", ([, flags]) => typeof flags === "number" && (flags & fs.constants.O_CREAT) !== 0);
  syncBuiltinESMExports();
  return layer;
}

/** An error as node:fs throws it. */
export const systemError = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code });
