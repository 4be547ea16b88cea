/** Sizes for people, as git rounds them. */

/** Units with what git adds before it cuts off all but two places: nearly half a place, and nothing to what is largest. */
const UNITS = [
  { unit: "GiB", bytes: 2 ** 30, added: 0 },
  { unit: "MiB", bytes: 2 ** 20, added: 5243 },
  { unit: "KiB", bytes: 2 ** 10, added: 5 },
] as const;

/** "20.00 KiB", "12 bytes". */
export function humanBytes(bytes: number): string {
  const found = UNITS.find((each) => bytes > each.bytes);
  if (found === undefined) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const shown = bytes + found.added;
  const hundredths = Math.floor(((shown % found.bytes) * 100) / found.bytes);
  return `${Math.floor(shown / found.bytes)}.${String(hundredths).padStart(2, "0")} ${found.unit}`;
}
