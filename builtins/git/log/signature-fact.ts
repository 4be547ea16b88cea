/** The placeholders about a commit's signature: %G?, %GS and the like. */
import { GitError } from "../git-error.ts";
import type { Commit } from "../objects/objects.ts";

/** Undefined for no such placeholder. Throws GitError for what only the program that checks a signature knows. */
export function signatureFact({ isSigned }: Commit, name: string): string | undefined {
  switch (name) {
    case "G?":
      return isSigned ? "E" : "N";
    case "GT":
      return "undefined";
    case "GG":
    case "GS":
    case "GK":
    case "GF":
    case "GP":
      if (isSigned) throw new GitError(`%${name}: checking a signature starts a program, and none is started here`);
      return "";
  }
  return undefined;
}
