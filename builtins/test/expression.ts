/**
 * The grammar of bash's test.c: up to four arguments are judged by their number (XCU test), more by precedence.
 * `-a` and `-o` look at both sides, as in bash.
 */
import { toBytes } from "../../src/io/text.ts";
import { compareFiles, compareNumbers, fileHolds, type Probe } from "../../src/builtin/conditions.ts";

/** The words are no condition; the message is bash's. */
export class TestSyntaxError extends Error {
  override readonly name = "TestSyntaxError";
}

/** Whether the condition holds; `isSet` answers for variables. Throws TestSyntaxError. */
export function evaluateTest(words: readonly string[], probe: Probe, isSet: (name: string) => boolean): boolean {
  return new TestEvaluator(words, probe, isSet).evaluate();
}

class TestEvaluator {
  readonly #words: readonly string[];
  readonly #probe: Probe;
  readonly #isSet: (name: string) => boolean;
  #at = 0;

  constructor(words: readonly string[], probe: Probe, isSet: (name: string) => boolean) {
    this.#isSet = isSet;
    this.#words = words;
    this.#probe = probe;
  }

  evaluate(): boolean {
    if (this.#words.length === 0) return false;
    const value = this.#byCount();
    const rest = this.#words[this.#at];
    if (rest === undefined) return value;
    throw new TestSyntaxError(rest.startsWith("-") ? `syntax error: \`${rest}' unexpected` : "too many arguments");
  }

  #byCount(): boolean {
    const words = this.#words;
    switch (words.length) {
      case 1:
        this.#at = 1;
        return words[0] !== "";
      case 2: {
        const value = this.#two();
        this.#at = 2;
        return value;
      }
      case 3:
        return this.#three();
      case 4:
        if (words[0] === "!") {
          this.#at++;
          return !this.#three();
        }
        if (words[0] === "(" && words[3] === ")") {
          this.#at++;
          const value = this.#two();
          this.#at = 4;
          return value;
        }
        return this.#or();
      default:
        return this.#or();
    }
  }

  #two(): boolean {
    const [first, second] = [this.#word(0), this.#word(1)];
    if (first === "!") {
      this.#at += 2;
      return second === "";
    }
    if (!UNARY.test(first)) throw new TestSyntaxError(`${first}: unary operator expected`);
    return this.#unary();
  }

  #three(): boolean {
    const [first, second, third] = [this.#word(0), this.#word(1), this.#word(2)];
    let value: boolean;
    if (BINARY.has(second)) value = this.#binary();
    else if (second === "-a") value = first !== "" && third !== "";
    else if (second === "-o") value = first !== "" || third !== "";
    else if (first === "!") {
      this.#at++;
      value = !this.#two();
    } else if (first === "(" && third === ")") value = second !== "";
    else throw new TestSyntaxError(`${second}: binary operator expected`);
    this.#at = this.#words.length;
    return value;
  }

  #or(): boolean {
    const value = this.#and();
    if (this.#words[this.#at] !== "-o") return value;
    this.#at++;
    const other = this.#or();
    return value || other;
  }

  #and(): boolean {
    const value = this.#term();
    if (this.#words[this.#at] !== "-a") return value;
    this.#at++;
    const other = this.#and();
    return value && other;
  }

  #term(): boolean {
    const first = this.#words[this.#at];
    if (first === undefined) throw new TestSyntaxError("argument expected");
    if (first === "!") {
      this.#advance();
      return !this.#term();
    }
    if (first === "(") {
      this.#advance();
      const value = this.#or();
      const close = this.#words[this.#at];
      if (close === undefined) throw new TestSyntaxError("`)' expected");
      if (close !== ")") throw new TestSyntaxError(`\`)' expected, found ${close}`);
      this.#at++;
      return value;
    }
    const left = this.#words.length - this.#at;
    if (left >= 3 && BINARY.has(this.#word(1))) return this.#binary();
    if (left >= 2 && UNARY.test(first)) return this.#unary();
    this.#at++;
    return first !== "";
  }

  /** Past an operator that needs a word after it. */
  #advance(): void {
    this.#at++;
    if (this.#at >= this.#words.length) throw new TestSyntaxError("argument expected");
  }

  #word(ahead: number): string {
    return this.#words[this.#at + ahead] ?? "";
  }

  #unary(): boolean {
    const letter = this.#word(0).charAt(1);
    this.#advance();
    const word = this.#word(0);
    if (letter === "t" && integer(word) === undefined) return false;
    this.#at++;
    return this.#holds(letter, word);
  }

  #holds(letter: string, word: string): boolean {
    switch (letter) {
      case "n":
        return word !== "";
      case "z":
        return word === "";
      case "v":
        return this.#isSet(word);
      case "o":
        return SHELL_OPTIONS.has(word);
      default:
        return fileHolds(letter, word, this.#probe);
    }
  }

  #binary(): boolean {
    const [left, operator, right] = [this.#word(0), this.#word(1), this.#word(2)];
    this.#at += 3;
    switch (operator) {
      case "=":
      case "==":
        return left === right;
      case "!=":
        return left !== right;
      case "<":
        return Buffer.compare(toBytes(left), toBytes(right)) < 0;
      case ">":
        return Buffer.compare(toBytes(left), toBytes(right)) > 0;
      case "-nt":
      case "-ot":
      case "-ef":
        return compareFiles(operator, this.#probe.status(left, true), this.#probe.status(right, true));
      default:
        return compareNumbers(operator, expectInteger(left), expectInteger(right));
    }
  }
}

function expectInteger(text: string): bigint {
  const value = integer(text);
  if (value === undefined) throw new TestSyntaxError(`${text}: integer expression expected`);
  return value;
}

/** bash's legal_number: decimal, white space around it allowed, within an intmax_t. */
function integer(text: string): bigint | undefined {
  const digits = /^[ \t\n\v\f\r]*([+-]?\d+)[ \t]*$/.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const value = BigInt(digits.replace("+", ""));
  return value >= -(1n << 63n) && value < 1n << 63n ? value : undefined;
}

const UNARY = /^-[abcdefghknoprstuvwxzGLNORS]$/;
const BINARY: ReadonlySet<string> = new Set(["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"]);
/** What `bash -c` runs with (`shopt -o`). */
const SHELL_OPTIONS: ReadonlySet<string> = new Set(["braceexpand", "hashall", "interactive-comments"]);
