/** gitmailmap(5): the names and addresses that people are to be shown under. */
import { withoutOuterSpace } from "../objects/byte-text.ts";
import type { Options } from "../commands/options.ts";
import { isRegular } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";

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
      const person = {
        name: withoutOuterSpace(name) === "" ? undefined : withoutOuterSpace(name),
        mail: oldMail === undefined ? undefined : withoutOuterSpace(mail),
      };
      const key = folded(withoutOuterSpace(oldMail ?? mail));
      let mapped = this.#byMail.get(key);
      if (mapped === undefined) {
        mapped = { any: undefined, byName: new Map() };
        this.#byMail.set(key, mapped);
      }
      if (withoutOuterSpace(oldName) !== "") mapped.byName.set(folded(withoutOuterSpace(oldName)), person);
      else mapped.any = { name: person.name ?? mapped.any?.name, mail: person.mail ?? mapped.any?.mail };
    }
  }

  get isEmpty(): boolean {
    return this.#byMail.size === 0;
  }

  map<T extends { readonly name: string; readonly mail: string }>(who: T): T {
    const mapped = this.#byMail.get(folded(who.mail));
    const person = mapped?.byName.get(folded(who.name)) ?? mapped?.any;
    return person === undefined || (person.name === undefined && person.mail === undefined)
      ? who
      : { ...who, name: person.name ?? who.name, mail: person.mail ?? who.mail };
  }
}

/** ASCII letters alone: other bytes are parts of letters. */
const folded = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** The repository's mailmap: `.mailmap` at the top of the working tree, or of HEAD where there is none. */
export function mailmapOf(repository: Repository): Mailmap {
  if (!repository.hasWorktree) {
    const head = repository.refs.resolve("HEAD")?.id;
    const entry = head === undefined ? undefined : repository.entryAt(repository.commit(head).tree, ".mailmap");
    return new Mailmap(entry === undefined || !isRegular(entry.mode) ? "" : repository.blob(entry.id, ".mailmap").toString("latin1"));
  }
  const place = repository.inWorktree(".mailmap");
  return new Mailmap(repository.disk.status(place, false)?.kind === "file" ? (repository.disk.text(place) ?? "") : "");
}

/** Tells whether log and its like show people under the names of the mailmap. */
export function usesMailmap(
  options: Options<"--mailmap" | "--use-mailmap" | "--no-mailmap" | "--no-use-mailmap">,
  { config }: Repository,
): boolean {
  const asked = options.lastOf("--mailmap", "--use-mailmap", "--no-mailmap", "--no-use-mailmap");
  return asked === undefined ? config.boolean("log.mailmap", true) : !asked.startsWith("--no-");
}
