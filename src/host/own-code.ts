/** Files of our own program: what the build puts beside the bundle. Nothing of a workspace. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of `name` in dist/: beside the bundle, or in dist/ of the checkout when we run from source (tests). */
export function ownPath(name: string): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith(".ts") ? `../../dist/${name}` : `./${name}`, here));
}

/** dist/, which holds all code that runs, and what says how Node reads it. */
export const ownFiles = (): readonly string[] => [ownPath("."), ownPath("../package.json")];

/** The bytes of `name` in dist/. */
export function ownBytes(name: string): Uint8Array<ArrayBuffer> {
  return readFileSync(ownPath(name));
}
