/** The ends of a bisection: the words for bad and good, and the references that are so. */
import type { Repository } from "../repository.ts";

/** The words for bad and good; undefined where there are none. */
export const termsOf = ({ disk, gitDirectory }: Repository): readonly string[] | undefined =>
  disk.text(`${gitDirectory}/BISECT_TERMS`)?.split("\n");

/** Full names. Bad is undefined where no commit is known to be so. */
export function bisectionOf(repository: Repository): { readonly bad: string | undefined; readonly good: readonly string[] } {
  const [badTerm, goodTerm] = termsOf(repository) ?? ["bad", "good"];
  const bad = `refs/bisect/${badTerm}`;
  const good = repository.refs.list(`refs/bisect/${goodTerm}-`).map(({ name }) => name);
  return { bad: repository.refs.resolve(bad) === undefined ? undefined : bad, good };
}
