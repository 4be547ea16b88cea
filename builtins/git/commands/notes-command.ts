/** git notes list, show and get-ref: text kept beside commits. */
import { fromWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { Notes, notesRef } from "../log/notes.ts";
import { resolveRevision } from "../refs/revision.ts";
import { command } from "./command.ts";
import { VALUE } from "./flags.ts";

const READING = ["list", "show", "get-ref"];

export const notes = command({
  flags: { "--ref": VALUE },
  check: ({ operands: [action] }) =>
    action === undefined || READING.includes(action)
      ? undefined
      : [`git notes ${action}: the repository is only read here`, "git notes list"],
  *run({ options, repository, print }) {
    const [action = "list", typed] = options.operands.map(fromWord);
    const named = options.last("--ref");
    const ref = notesRef(repository, named === undefined ? "" : fromWord(named));
    if (action === "get-ref") {
      print(`${ref}\n`);
      return 0;
    }
    const kept = new Notes(repository, [ref]);
    if (action === "list" && typed === undefined) {
      for (const { note, object } of kept.list()) {
        print(`${note} ${object}\n`);
        yield;
      }
      return 0;
    }
    const object = resolveRevision(repository, typed ?? "HEAD");
    if (object === undefined) throw new GitError(`failed to resolve '${typed ?? "HEAD"}' as a valid ref.`);
    const note = kept.noteOf(object);
    if (note === undefined) throw new GitError(`no note found for object ${object}.`, { prefix: "error: ", exit: 1 });
    print(action === "list" ? `${note}\n` : repository.objects.get(note, "blob").data.toString("latin1"));
    return 0;
  },
});
