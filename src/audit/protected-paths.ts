/**
 * Protection of paths by their names alone: a path need not exist to be protected, because creating a hook or a settings
 * file is what does the harm. Pure: the guard asks before anything runs, the recorder asks again with the canonical path.
 */

import { PROTECTED_FILES, spelledOut } from "./protected-files.ts";

/**
 * Kind of protection. "hard": never written here. "approval": a person must agree, because some program or agent on the
 * host will run or obey the file.
 */
export type Protection = "hard" | "approval";

/** Protection of `path`, at any depth of the tree; undefined for an ordinary path. */
export function protectedPath(path: string): Protection | undefined {
  const names = foldedNames(path);
  if (names.some((name) => HARD_NAMES.has(name) || GIT_SHORT_NAME.test(name))) return "hard";
  if (names.some((name) => APPROVAL_NAMES.has(name) || APPROVAL_PATTERNS.some((pattern) => pattern.test(name)))) return "approval";
  const text = `/${names.join("/")}/`;
  if (HARD_PATHS.some((below) => text.includes(`/${below}/`))) return "hard";
  if (APPROVAL_PATHS.some((below) => text.includes(`/${below}/`))) return "approval";
  return undefined;
}

/** `path` with each of its names folded by `foldedName`, joined by slashes. */
export const foldedPath = (path: string): string => foldedNames(path).join("/");

/** A backslash separates components on the file systems of Windows, which Linux may have mounted. */
const foldedNames = (path: string): readonly string[] =>
  path
    .split(/[/\\]/)
    .map(foldedName)
    .filter((name) => name !== "" && name !== ".");

/**
 * A name as the least careful file system sees it. APFS and NTFS fold case (ſ and S and s are one), HFS+ passes over
 * characters that do not show (CVE-2014-9390), NTFS drops trailing dots and spaces and reads `name:stream` as `name`.
 */
export function foldedName(name: string): string {
  const visible = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  const folded = visible.toLowerCase().toUpperCase().toLowerCase();
  if (folded === "." || folded === "..") return folded;
  return folded.replace(/:.*$/s, "").replace(/[. ]+$/, "");
}

/** The 8.3 name that NTFS gives `.git`. */
const GIT_SHORT_NAME = /^git~\d+$/;

/** Our own records and configuration, and the repository's own files, whose hooks and settings run commands. */
const HARD_NAMES: ReadonlySet<string> = new Set([".shelpa", ".shelpa.toml", ".git"]);
/** Directory, below any user's home, of the server's configuration. */
const HARD_PATHS: readonly string[] = [".config/shelpa"];

/** Every spelling of the table: names, and paths of several names. */
const SPELLINGS = PROTECTED_FILES.flatMap(({ paths }) => paths.flatMap(spelledOut));
const APPROVAL_NAMES: ReadonlySet<string> = new Set(SPELLINGS.filter((path) => !/[/*]/.test(path)));
const APPROVAL_PATHS: readonly string[] = SPELLINGS.filter((path) => path.includes("/"));
const APPROVAL_PATTERNS: readonly RegExp[] = SPELLINGS.filter((path) => path.includes("*")).map(
  (path) => new RegExp(`^${path.replace(/[.+]/g, "\\$&").replaceAll("*", ".*")}$`, "s"),
);
