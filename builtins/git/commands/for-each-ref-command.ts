/** git for-each-ref: references in any form. */
import { fromWord } from "../objects/byte-text.ts";
import { command } from "./command.ts";
import { noColours, refusedAll, SWITCH, VALUE } from "./flags.ts";
import { GitError } from "../git-error.ts";
import { RefFormat } from "../refs/ref-format.ts";
import { FILTER_FLAGS, matchesRefPattern, refFilter, sortedRefs } from "../refs/ref-filter.ts";
import { RefValues } from "../refs/ref-values.ts";

export const forEachRef = command({
  flags: {
    ...FILTER_FLAGS,
    "--color": noColours("git for-each-ref"),
    "--count": VALUE,
    "-s": SWITCH,
    "--shell": SWITCH,
    ...refusedAll(["-p", "--perl", "--python", "--tcl"], "values are quoted for the shell alone", "git for-each-ref --shell"),
  },
  *run(run) {
    const { options, repository, print } = run;
    const { keeps } = refFilter(run);
    const count = options.last("--count");
    if (count !== undefined && !/^[+-]?[0-9]+$/.test(count))
      throw new GitError("option `count' expects a numerical value", { prefix: "error: ", exit: 129 });
    if (count !== undefined && Number(count) < 0)
      throw new GitError(`invalid --count argument: \`${Number(count)}'`, { prefix: "error: ", exit: 129 });
    const values = new RefValues(run);
    const quote = options.has("-s", "--shell") ? (text: string): string => `'${text.replace(/['!]/g, "'\\$&'")}'` : undefined;
    const format = new RefFormat(fromWord(options.last("--format") ?? "%(objectname) %(objecttype)\t%(refname)"), quote);
    const patterns = [...options.operands, ...(options.paths ?? [])].map(fromWord);
    const refs = repository.refs
      .list()
      .filter((ref) => matchesRefPattern(patterns, ref.name, options.has("-i", "--ignore-case")) && keeps(ref));
    let left = count === undefined || Number(count) === 0 ? Infinity : Number(count);
    for (const ref of sortedRefs(run, refs, values, undefined)) {
      if (left-- <= 0) break;
      print(`${format.text(ref, values)}\n`);
      yield;
    }
    return 0;
  },
});
