/** git bisect log, terms and view: how far a search for a bad commit is. */
import { fromWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { bisectionOf, termsOf } from "../refs/bisection.ts";
import type { Repository } from "../repository.ts";
import { command } from "./command.ts";
import { SWITCH } from "./flags.ts";
import { log } from "./log-command.ts";

const TERMS = { "--term-good": "good", "--term-old": "good", "--term-bad": "bad", "--term-new": "bad" } as const;

/** The history between the commits that are known to be good and bad, which is git log's. */
export const bisectView = command({
  flags: log.flags,
  takesNumbers: true,
  readsRevisions: true,
  anywhere: "all",
  *run(run) {
    const { repository, options } = run;
    needsTop(repository);
    const { bad, good } = bisectionOf(repository);
    if (bad === undefined || good.length === 0) return 1;
    const names = fromWord(repository.disk.text(`${repository.gitDirectory}/BISECT_NAMES`) ?? "").trim();
    if (names !== "") throw new GitError("a search among paths is not shown here\nhint: git bisect log");
    const revisions = [...options.operands, bad, ...good.map((name) => `^${name}`)];
    return yield* log.run({ ...run, options: options.after([], revisions) });
  },
});

function needsTop({ prefix }: Repository): void {
  if (prefix !== "") throw new GitError("You need to run this command from the toplevel of the working tree.", { prefix: "", exit: 1 });
}

export const bisect = command({
  flags: { "--term-good": SWITCH, "--term-old": SWITCH, "--term-bad": SWITCH, "--term-new": SWITCH },
  check: ({ operands: [action] }) => {
    if (action === "log" || action === "terms") return undefined;
    return [`git bisect ${action ?? ""}: it checks out commits, and the repository is only read here`, "git bisect log"];
  },
  *run({ options, repository, print }) {
    const [action] = options.operands.map(fromWord);
    needsTop(repository);
    if (action === "log") {
      const steps = repository.disk.text(`${repository.gitDirectory}/BISECT_LOG`);
      if (steps === undefined) throw new GitError("We are not bisecting.", { prefix: "error: ", exit: 1 });
      print(steps);
      return 0;
    }
    const [bad, good] = termsOf(repository) ?? [];
    if (bad === undefined || good === undefined) throw new GitError("no terms defined", { prefix: "error: ", exit: 1 });
    const [asked] = options.each("--term-good", "--term-old", "--term-bad", "--term-new");
    if (asked !== undefined) print(`${TERMS[asked.name] === "good" ? good : bad}\n`);
    else print(`Your current terms are ${good} for the old state\nand ${bad} for the new state.\n`);
    yield;
    return 0;
  },
});
