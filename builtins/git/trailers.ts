/** The trailers of a message (git-interpret-trailers(1)): `Key: value` lines in its last paragraph. */

export interface Trailer {
  readonly key: string;
  /** Folded lines with their newlines. */
  readonly value: string;
  /** Lines as they stand there. */
  readonly text: string;
}

/** Nothing where the last paragraph holds too much else: it must be trailers alone, or a quarter of it with one that git writes. */
export function trailersOf(message: string): readonly Trailer[] {
  const paragraphs = message.trimEnd().split(/\n[ \t]*\n/);
  if (paragraphs.length < 2) return [];
  const lines = (paragraphs.at(-1) ?? "").split("\n").filter((line) => !line.startsWith("#"));
  const trailers: Trailer[] = [];
  let others = 0;
  let knows = false;
  let isInTrailer = false;
  for (const line of lines) {
    const last = trailers.at(-1);
    if (/^[ \t]/.test(line) && isInTrailer && last !== undefined) {
      trailers[trailers.length - 1] = { ...last, value: `${last.value}\n${line}`, text: `${last.text}\n${line}` };
      continue;
    }
    const [, key, value = ""] = /^([A-Za-z0-9-]+)[ \t]*:[ \t]*(.*)$/.exec(line) ?? [];
    isInTrailer = key !== undefined;
    if (key === undefined) {
      others++;
      if (line.startsWith("(cherry picked from commit ")) knows = true;
      continue;
    }
    if (key === "Signed-off-by") knows = true;
    trailers.push({ key, value: value.trimEnd(), text: line });
  }
  return others === 0 || (knows && trailers.length * 3 >= others) ? trailers : [];
}
