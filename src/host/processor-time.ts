/** Processor time of this process. */

/** Begins to measure; the function that is returned gives the seconds used since then. */
export function processorTime(): () => { readonly user: number; readonly system: number } {
  const from = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(from);
    return { user: user / 1e6, system: system / 1e6 };
  };
}
