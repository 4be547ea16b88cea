/**
 * Names of users and groups, for `ls -l`, `stat` and `find -user`. Read once from the host's account files, of which
 * only the pairs of number and name are kept.
 */
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { isWindows } from "../../io/platform.ts";

export interface Accounts {
  readonly users: ReadonlyMap<number, string>;
  readonly groups: ReadonlyMap<number, string>;
  /** The other way round: several names may have one number. */
  readonly userNumbers: ReadonlyMap<string, number>;
  readonly groupNumbers: ReadonlyMap<string, number>;
}

export function hostAccounts(): Accounts {
  if (isWindows) return windowsAccounts();
  const users = idNames("/etc/passwd");
  const groups = idNames("/etc/group");
  return { users: users.names, groups: groups.names, userNumbers: users.numbers, groupNumbers: groups.numbers };
}

/** Node tells of each file that user and group 0 have it: what there is belongs to whoever looks. */
function windowsAccounts(): Accounts {
  const username = userName();
  const [names, numbers] = [new Map([[0, username]]), new Map([[username, 0]])];
  return { users: names, groups: names, userNumbers: numbers, groupNumbers: numbers };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // An account that the system has no profile of.
    return "user";
  }
}

/** passwd(5) and group(5): name:password:number:… A file that cannot be read gives numbers without names. */
function idNames(path: string): { names: Map<number, string>; numbers: Map<string, number> } {
  const names = new Map<number, string>();
  const numbers = new Map<string, number>();
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return { names, numbers };
  }
  for (const line of text.split("\n")) {
    const [name, , id] = line.split(":");
    if (!name || !id || !/^\d+$/.test(id)) continue;
    if (!names.has(Number(id))) names.set(Number(id), name);
    if (!numbers.has(name)) numbers.set(name, Number(id));
  }
  return { names, numbers };
}
