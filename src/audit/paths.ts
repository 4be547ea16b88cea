/** Directory and file name of a canonical path (no `.`, `..`, doubled or trailing slashes), and the path made of them. */

/** Directory part of `path`; "" for a name at the root. */
export const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** `name` in the directory `directory`. */
export const pathIn = (directory: string, name: string): string => (directory === "" ? name : `${directory}/${name}`);
