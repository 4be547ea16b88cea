/** Tasks of which some run at once, and whose results come in the order of the tasks. */

/** The result of each task in its turn, while at most `mostAtOnce` run. Rejects with what the task in turn rejects with. */
export async function* inOrder<T>(tasks: readonly (() => Promise<T>)[], mostAtOnce: number): AsyncGenerator<T, void> {
  const waiting = [...tasks];
  const running: Promise<T>[] = [];
  for (;;) {
    for (const task of waiting.splice(0, mostAtOnce - running.length)) {
      const result = task();
      // Its turn comes, or never where one before it has failed.
      result.catch(() => {});
      running.push(result);
    }
    const next = running.shift();
    if (next === undefined) return;
    yield await next;
  }
}
