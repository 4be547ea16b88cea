/** git bisect log and terms: how far a search for a bad commit is. */
import { fromWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { command } from "./command.ts";
import { SWITCH } from "./flags.ts";

const TERMS = { "--term-good": "good", "--term-old": "good", "--term-bad": "bad", "--term-new": "bad" } as const;

export const bisect = command({
  flags: { "--term-good": SWITCH, "--term-old": SWITCH, "--term-bad": SWITCH, "--term-new": SWITCH },
  check: ({ operands: [action] }) => {
    if (action === "log" || action === "terms") return undefined;
    return [`git bisect ${action ?? ""}: it checks out commits, and the repository is only read here`, "git bisect log"];
  },
  *run({ options, repository, print }) {
    const [action] = options.operands.map(fromWord);
    if (repository.prefix !== "")
      throw new GitError("You need to run this command from the toplevel of the working tree.", { prefix: "", exit: 1 });
    const text = (name: string): string | undefined => repository.disk.text(`${repository.gitDirectory}/${name}`);
    if (action === "log") {
      const log = text("BISECT_LOG");
      if (log === undefined) throw new GitError("We are not bisecting.", { prefix: "error: ", exit: 1 });
      print(log);
      return 0;
    }
    const [bad, good] = text("BISECT_TERMS")?.split("\n") ?? [];
    if (bad === undefined || good === undefined) throw new GitError("no terms defined", { prefix: "error: ", exit: 1 });
    const [asked] = options.each("--term-good", "--term-old", "--term-bad", "--term-new");
    if (asked !== undefined) print(`${TERMS[asked.name] === "good" ? good : bad}\n`);
    else print(`Your current terms are ${good} for the old state\nand ${bad} for the new state.\n`);
    yield;
    return 0;
  },
});
