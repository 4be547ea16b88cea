/** The order of names with numbers in them (`--sort=version:refname`), that of strverscmp(3) as git has it. */

export function versionOrder(a: string, b: string): number {
  const parts = (text: string): readonly string[] => text.match(/[0-9]+|[^0-9]+/g) ?? [];
  const [x, y] = [parts(a), parts(b)];
  for (let at = 0; at < x.length && at < y.length; at++) {
    const [p, q] = [x[at] as string, y[at] as string];
    if (p === q) continue;
    return /^[0-9]/.test(p) && /^[0-9]/.test(q) ? Number(p) - Number(q) || p.length - q.length : p < q ? -1 : 1;
  }
  return x.length - y.length;
}
