/**
 * Names of users and groups, for `ls -l`, `stat` and `find -user`. Read once from the host's account files, of which
 * only the pairs of number and name are kept.
 */
import { readFileSync } from "node:fs";

export interface Accounts {
  readonly users: ReadonlyMap<number, string>;
  readonly groups: ReadonlyMap<number, string>;
}

export function hostAccounts(): Accounts {
  return { users: idNames("/etc/passwd"), groups: idNames("/etc/group") };
}

/** passwd(5) and group(5): name:password:number:… A file that cannot be read gives numbers without names. */
function idNames(path: string): Map<number, string> {
  const names = new Map<number, string>();
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return names;
  }
  for (const line of text.split("\n")) {
    const [name, , id] = line.split(":");
    if (name && id && /^\d+$/.test(id) && !names.has(Number(id))) names.set(Number(id), name);
  }
  return names;
}
