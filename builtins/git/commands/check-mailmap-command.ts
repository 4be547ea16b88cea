/** git check-mailmap: the names and addresses that people are shown under. */
import { fromWord, withoutTrailingSpace } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { mailmapOf } from "../log/mailmap.ts";
import { command } from "./command.ts";
import { SWITCH } from "./flags.ts";
import { eachInputLine } from "./standard-input.ts";

export const checkMailmap = command({
  flags: { "--stdin": SWITCH },
  *run({ options, repository, print }) {
    const setting = ["mailmap.file", "mailmap.blob"].find((name) => repository.config.get(name) !== undefined);
    if (setting !== undefined) throw new GitError(`${setting} is set, which is not read here`);
    const typed = [...options.operands, ...(options.paths ?? [])].map(fromWord);
    if (typed.length === 0 && !options.has("--stdin")) throw new GitError("no contacts specified");
    const mailmap = mailmapOf(repository);
    const show = (contact: string): void => {
      const [all, typedName = "", typedMail = ""] = /^([^<]*)<([^>]*)>/.exec(contact) ?? [];
      if (all === undefined) throw new GitError(`unable to parse contact: ${contact}`);
      const { name, mail } = mailmap.map({ name: withoutTrailingSpace(typedName), mail: typedMail });
      print(`${name === "" ? "" : `${name} `}<${mail}>\n`);
    };
    for (const contact of typed) {
      show(contact);
      yield;
    }
    if (options.has("--stdin")) yield* eachInputLine((line) => show(line.replace(/\r?\n$/, "")));
    return 0;
  },
});
