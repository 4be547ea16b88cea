/** Random patterns and lines over a small alphabet, from a seed: what two greps are compared by. */

export interface FuzzCase {
  readonly args: readonly string[];
  readonly stdin: Buffer;
}

/** mulberry32. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;

const LETTERS = ["a", "a", "a", "b", "b", "c", "A", "B", "-", "_", " ", "é", "É", "1", "k", "\u212a"];

export function fuzzCase(seed: number): FuzzCase {
  const random = randomFrom(seed);
  const syntax = ["-G", "-G", "-E", "-E", "-E", "-F"][random(6)] as string;
  const args = [syntax];
  if (random(3) === 0) args.push("-o");
  else if (random(4) === 0) args.push("--color=always");
  if (random(4) === 0) args.push("-w");
  // Not both: with -o, GNU grep then prints the line end of the match too.
  if (random(6) === 0 && !args.includes("-w")) args.push("-x");
  if (random(3) === 0) args.push("-i");
  if (random(5) === 0) args.push("-v");
  if (random(6) === 0) args.push(["-A1", "-B1", "-C2", "-m2"][random(4)] as string);
  args.push(["-n", "-b", "-a", "-c"][random(4)] as string);
  // With -o and colours GNU grep looks for shorter words in the wrong place after the first match of a line.
  const wordsShown = args.includes("-w") && (args.includes("-o") || args.includes("--color=always"));
  const patterns = 1 + (random(5) === 0 ? random(3) : 0);
  for (let count = 0; count < patterns; count++) {
    args.push("-e", syntax === "-F" || wordsShown ? word(random, 4) : pattern(random, syntax === "-E", 3));
  }
  // GNU grep takes stray bytes for letters of Latin-1 where a pattern asks for words, and for nothing elsewhere.
  return { args, stdin: lines(random, !/\\[<>bB]/.test(args.join(""))) };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)] as T;
}

function word(random: Random, longest: number): string {
  let text = "";
  for (let count = random(longest + 1); count > 0; count--) text += pick(random, LETTERS);
  return text;
}

function lines(random: Random, strayBytes: boolean): Buffer {
  const parts: Buffer[] = [];
  for (let count = 4 + random(24); count > 0; count--) {
    parts.push(Buffer.from(word(random, 9)));
    if (random(25) === 0 && strayBytes) parts.push(Buffer.of(0xc3 + random(40)), Buffer.from(word(random, 3)));
    parts.push(Buffer.from("\n"));
  }
  return Buffer.concat(parts);
}

function pattern(random: Random, extended: boolean, depth: number): string {
  const bar = extended ? "|" : "\\|";
  let text = branch(random, extended, depth);
  while (random(4) === 0) text += bar + branch(random, extended, depth);
  return text;
}

function branch(random: Random, extended: boolean, depth: number): string {
  let text = random(8) === 0 ? "^" : "";
  for (let count = random(5); count > 0; count--) text += atom(random, extended, depth);
  return random(8) === 0 ? `${text}$` : text;
}

function atom(random: Random, extended: boolean, depth: number): string {
  const [open, close] = extended ? ["(", ")"] : ["\\(", "\\)"];
  const body = (): string => {
    switch (random(depth > 0 ? 9 : 7)) {
      case 0:
        return ".";
      case 1:
        return pick(random, ["[ab]", "[^a]", "[a-c]", "[[:alpha:]]", "[^[:alnum:]_]", "[éb]", "[[:upper:]k]"]);
      case 2:
        return pick(random, ["\\w", "\\W", "\\<", "\\>", "\\b", "\\B", "\\s"]);
      case 7:
      case 8:
        return open + pattern(random, extended, depth - 1) + close;
      default:
        return pick(random, LETTERS);
    }
  };
  const repeats = extended ? ["*", "+", "?", "{2}", "{1,2}", "{0,1}", "{,2}"] : ["*", "\\+", "\\?", "\\{2\\}", "\\{1,2\\}"];
  return body() + (random(4) === 0 ? pick(random, repeats) : "");
}
