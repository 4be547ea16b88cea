/** gitmailmap(5): the names and addresses that people are to be shown under. */
import type { Repository } from "./repository.ts";

interface Person {
  readonly name: string | undefined;
  readonly mail: string | undefined;
}

interface Mapped {
  /** For whatever name stands beside the address. */
  any: Person | undefined;
  readonly byName: Map<string, Person>;
}

export class Mailmap {
  readonly #byMail = new Map<string, Mapped>();

  /** `text`: a .mailmap file as a byte string. What cannot be read is passed over, as git does it. */
  constructor(text: string) {
    for (const line of text.split("\n")) {
      if (line.startsWith("#")) continue;
      const [, name = "", mail, oldName = "", oldMail] = /^([^<]*)<([^>]*)>(?:([^<]*)<([^>]*)>)?/.exec(line) ?? [];
      if (mail === undefined) continue;
      const person = { name: name.trim() === "" ? undefined : name.trim(), mail: oldMail === undefined ? undefined : mail.trim() };
      const key = (oldMail ?? mail).trim().toLowerCase();
      let mapped = this.#byMail.get(key);
      if (mapped === undefined) {
        mapped = { any: undefined, byName: new Map() };
        this.#byMail.set(key, mapped);
      }
      if (oldName.trim() !== "") mapped.byName.set(oldName.trim().toLowerCase(), person);
      else mapped.any = { name: person.name ?? mapped.any?.name, mail: person.mail ?? mapped.any?.mail };
    }
  }

  get isEmpty(): boolean {
    return this.#byMail.size === 0;
  }

  map<T extends { readonly name: string; readonly mail: string }>(who: T): T {
    const mapped = this.#byMail.get(who.mail.toLowerCase());
    const person = mapped?.byName.get(who.name.toLowerCase()) ?? mapped?.any;
    return person === undefined ? who : { ...who, name: person.name ?? who.name, mail: person.mail ?? who.mail };
  }
}

/** That of the repository: `.mailmap` at the top of the working tree. */
export function mailmapOf(repository: Repository): Mailmap {
  const place = repository.inWorktree(".mailmap");
  return new Mailmap(repository.disk.status(place, false)?.kind === "file" ? (repository.disk.text(place) ?? "") : "");
}
