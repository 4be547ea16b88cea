/** Files of our own program, which the build puts beside the bundle; no file of a workspace. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

/** The path of `name` in dist/: beside the bundle, or in dist/ of the checkout when we run from source (tests). */
export function ownPath(name: string): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith(".ts") ? `../../dist/${name}` : `./${name}`, here));
}

/** dist/, which holds all code that runs, and package.json, which makes Node load it as ES modules. */
export const ownFiles = (): readonly string[] => [ownPath("."), ownPath("../package.json")];

/** More than the largest of our files has, inflated. */
const MOST_BYTES = 16 << 20;

/** The bytes of `name` in dist/, inflated where the name ends in .br. */
export function ownBytes(name: string): Uint8Array<ArrayBuffer> {
  const bytes = readFileSync(ownPath(name));
  return name.endsWith(".br") ? new Uint8Array(brotliDecompressSync(bytes, { maxOutputLength: MOST_BYTES })) : bytes;
}
