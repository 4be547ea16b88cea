/** Random Perl-compatible patterns and lines over a small alphabet, from a seed: what grep -P is compared by. */
import { randomFrom, type FuzzCase } from "./grep-fuzz.ts";

type Random = (below: number) => number;

const LETTERS = ["a", "a", "b", "b", "c", "A", "-", " ", "é", "1"];
const SETS = [".", "\\w", "\\d", "[ab]", "[^a]", "\\S", "[a-c]", "\\W"];
const REPEATS = ["*", "+", "?", "{2}", "{1,2}", "{0,1}", "*?", "+?", "??", "*+", "++", "?+", "{1,2}?", "{2,}"];

export function perlFuzzCase(seed: number): FuzzCase {
  const random = randomFrom(seed);
  const args = ["-P"];
  if (random(3) > 0) args.push("-o");
  if (random(5) === 0) args.push("-i");
  if (random(8) === 0) args.push("-z");
  if (random(10) === 0) args.push(random(2) === 0 ? "-w" : "-x");
  args.push("-n", "-a");
  const writer = new PatternWriter(random);
  const pattern = writer.pattern(3);
  args.push("-e", pattern);
  // After an empty match GNU grep goes on at the next byte, where what looks behind finds half a character.
  const looksBehind = args.includes("-o") && /\(\?<[=!]|\\[bBG]|-w/.test(args.join(" "));
  return { args, stdin: lines(random, looksBehind ? LETTERS.filter((letter) => letter !== "é") : LETTERS) };
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T;

function lines(random: Random, letters: readonly string[]): Buffer {
  let text = "";
  for (let count = 3 + random(12); count > 0; count--) {
    for (let length = random(9); length > 0; length--) text += pick(random, letters);
    text += "\n";
  }
  return Buffer.from(text);
}

class PatternWriter {
  readonly #random: Random;
  #groups = 0;
  #named = 0;
  #inLook = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  pattern(depth: number): string {
    let text = this.#branch(depth);
    while (this.#random(4) === 0) text += `|${this.#branch(depth)}`;
    return text;
  }

  #branch(depth: number): string {
    let text = "";
    for (let count = 1 + this.#random(4); count > 0; count--) text += this.#atom(depth);
    return text;
  }

  #atom(depth: number): string {
    const random = this.#random;
    const kind = random(depth > 0 ? 30 : 14);
    const plain = kind < 8 ? pick(random, LETTERS) : kind < 11 ? pick(random, SETS) : undefined;
    if (plain !== undefined) return plain + this.#repeat();
    if (kind === 11) return pick(random, ["^", "$", "\\b", "\\B", "\\A", "\\z", "\\Z", "\\G"]);
    if (kind === 12) return this.#reference();
    if (kind === 13) return random(3) === 0 && this.#inLook === 0 ? "\\K" : pick(random, LETTERS);
    return this.#group(kind, depth - 1);
  }

  #repeat(): string {
    return this.#random(4) === 0 ? pick(this.#random, REPEATS) : "";
  }

  /** To a group, by number or by name, that is there or will be. */
  #reference(): string {
    const number = 1 + this.#random(Math.max(1, this.#groups + 1));
    const kinds = [`\\${number}`, `\\g{${number}}`, `(?${number})`, `(?${number})`, "(?R)", `\\g<${number}>`, "(?-1)", "(?+1)"];
    if (this.#named > 0)
      kinds.push(`\\k<n${this.#random(this.#named)}>`, `(?&n${this.#random(this.#named)})`, `(?P>n${this.#random(this.#named)})`);
    return pick(this.#random, kinds) + this.#repeat();
  }

  #group(kind: number, depth: number): string {
    const random = this.#random;
    switch (kind) {
      case 14:
      case 15:
        return `(?:${this.pattern(depth)})${this.#repeat()}`;
      case 16:
        return `(?>${this.pattern(depth)})${this.#repeat()}`;
      case 17:
      case 18: {
        this.#inLook++;
        const text = `(?${pick(random, ["=", "!"])}${this.pattern(depth)})`;
        this.#inLook--;
        return text;
      }
      case 19: {
        const behind = [this.#fixed(), this.#fixed(), this.#fixed()].slice(0, 1 + random(3));
        return `(?<${pick(random, ["=", "!"])}${behind.join("|")})`;
      }
      case 20:
        return `(?${pick(random, ["i", "-i", "x", "U", "s", "m"])}:${this.pattern(depth)})`;
      case 21:
        return this.#condition(depth);
      case 22: {
        const before = this.#groups;
        const first = this.#branch(depth);
        const most = this.#groups;
        this.#groups = before;
        const second = this.#branch(depth);
        this.#groups = Math.max(most, this.#groups);
        return `(?|${first}|${second})${this.#repeat()}`;
      }
      case 23:
        return pick(random, ["a(*COMMIT)", "b(*PRUNE)", "a+(*SKIP)", "(*F)", "a(*SKIP)(*F)", "(*FAIL)"]);
      case 24:
      case 25: {
        this.#groups++;
        const name = `n${this.#named++}`;
        return `(?<${name}>${this.pattern(depth)})${this.#repeat()}`;
      }
      default:
        this.#groups++;
        return `(${this.pattern(depth)})${this.#repeat()}`;
    }
  }

  #fixed(): string {
    let text = "";
    for (let count = 1 + this.#random(2); count > 0; count--) text += pick(this.#random, [...LETTERS, "[ab]", "."]);
    if (this.#random(4) > 0) return text;
    this.#groups++;
    return `(${text})`;
  }

  #condition(depth: number): string {
    const number = 1 + this.#random(Math.max(1, this.#groups));
    const test = pick(this.#random, [`(${number})`, `(${number})`, "(R)", "(?=a)", "(?!b)", "(?<=a)", "(DEFINE)", `(R${number})`]);
    const yes = this.#branch(depth);
    return `(?${test}${yes}${this.#random(2) === 0 || test === "(DEFINE)" ? "" : `|${this.#branch(depth)}`})${this.#repeat()}`;
  }
}
