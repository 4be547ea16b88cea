/** Runs compiled code: a machine with a stack, as bc's own. Its errors say where the code was. One piece: each instruction is a few lines of its own. */
import { LimitReached } from "../../src/io/limit-reached.ts";
import { COLON, type CompiledFunction } from "./code.ts";
import { lengthOf } from "./math-library.ts";
import { LAST, type Names } from "./names.ts";
import { readDecimal, readNumber, shownNumber } from "./number-text.ts";
import {
  add,
  compare,
  divide,
  fromInteger,
  isZero,
  modulo,
  multiply,
  negate,
  ONE,
  raise,
  squareRoot,
  subtract,
  toLong,
  ZERO,
  type Num,
} from "./number.ts";
import { RandomNumbers } from "./random.ts";
import { Storage } from "./storage.ts";
import type { Transcript } from "./transcript.ts";

export interface MachineOptions {
  /** -s: strings are not broken, and ibase ends at 16. */
  readonly isStandard: boolean;
  /** -w */
  readonly warns: boolean;
  /** The next character of standard input for read(), as readNumber takes it. */
  readonly readCharacter: () => number;
}

/** Thrown by `halt`. */
export class Halted extends Error {
  override readonly name = "Halted";
}

class RuntimeFailure extends Error {
  override readonly name = "RuntimeFailure";
}

interface Caller {
  readonly code: CompiledFunction;
  readonly address: number;
  /** ibase at the time of the call: constants of the function are in it. */
  readonly base: number;
}

/** Instructions between two pauses. */
const PAUSE_STEPS = 5_000;
const MOST_CALLS = 100_000;
const MOST_STACK = 1_000_000;
const INT_MAX = 2_147_483_647;
const LAST_INDEX = 16_777_215n;

const letter = (text: string): number => text.charCodeAt(0);

export class Machine {
  scale = 0;
  readonly #names: Names;
  readonly #out: Transcript;
  readonly #options: MachineOptions;
  readonly #storage = new Storage();
  readonly #random = new RandomNumbers();
  #inputBase = 10;
  #outputBase = 10;
  #history = -1;
  #stack: Num[] = [];
  #callers: Caller[] = [];
  #code: CompiledFunction;
  #at = 0;

  constructor(names: Names, out: Transcript, options: MachineOptions) {
    this.#names = names;
    this.#out = out;
    this.#options = options;
    this.#code = names.functions[0] as CompiledFunction;
  }

  /** Runs the code outside of functions; pauses now and then. Throws Halted and LimitReached. */
  *run(): Generator<void, void> {
    this.#code = this.#names.functions[0] as CompiledFunction;
    this.#at = 0;
    try {
      for (let steps = 1; this.#at < this.#code.body.length; steps++) {
        this.#step(this.#byte());
        if (steps % PAUSE_STEPS === 0) yield;
      }
    } catch (thrown) {
      if (!(thrown instanceof RuntimeFailure)) throw thrown;
      this.#tell("error", thrown.message);
    }
    while (this.#callers.length > 0) this.#leave();
    this.#stack = [];
  }

  #tell(kind: "error" | "warning", message: string): void {
    this.#out.tell(`Runtime ${kind} (func=${this.#code.name}, adr=${this.#at}): ${message}`);
  }

  #byte(): number {
    return this.#code.body[this.#at++] ?? 0;
  }

  /** The number of a variable, array or function. */
  #number(): number {
    const first = this.#byte();
    return first < 0x80 ? first : ((first & 0x7f) << 8) + this.#byte();
  }

  #push(value: Num): void {
    if (this.#stack.length >= MOST_STACK) throw new LimitReached("held", MOST_STACK, "numbers on the stack");
    this.#stack.push(value);
  }

  #pop(): Num {
    return this.#stack.pop() ?? ZERO;
  }

  get #top(): Num {
    return this.#stack.at(-1) ?? ZERO;
  }

  #step(instruction: number): void {
    switch (instruction) {
      case letter("0"):
        return this.#push(ZERO);
      case letter("1"):
        return this.#push(ONE);
      case letter("K"):
        return this.#push(this.#constant());
      case letter("l"):
        return this.#push(this.#load(this.#number()));
      case letter("s"):
        return this.#store(this.#number());
      case letter("i"):
        return this.#increment(this.#number());
      case letter("d"):
        return this.#decrement(this.#number());
      case letter("L"):
      case letter("S"):
      case letter("A"):
      case letter("M"):
        return this.#element(instruction);
      case letter("B"):
      case letter("Z"):
      case letter("J"):
        return this.#jump(instruction);
      case letter("C"):
        return this.#call(this.#number());
      case letter("R"):
        if (this.#callers.length === 0) throw new RuntimeFailure("Return from main program.");
        return this.#leave();
      case letter("c"):
        return this.#special(this.#byte());
      case letter("W"):
      case letter("P"):
        return this.#print(instruction === letter("W") ? "\n" : "");
      case letter("w"):
        return this.#printString();
      case letter("O"):
        return this.#printEscaped();
      case letter("D"):
        return this.#push(this.#top);
      case letter("p"):
        this.#pop();
        return;
      case letter("n"):
        return this.#push(negate(this.#pop()));
      case letter("!"):
        return this.#push(isZero(this.#pop()) ? ONE : ZERO);
      case letter("x"): {
        const [upper, lower] = [this.#pop(), this.#pop()];
        this.#push(upper);
        return this.#push(lower);
      }
      case letter("h"):
        throw new Halted();
      default:
        return this.#operate(String.fromCharCode(instruction));
    }
  }

  #operate(operator: string): void {
    const other = this.#pop();
    const one = this.#pop();
    switch (operator) {
      case "+":
        return this.#push(add(one, other));
      case "-":
        return this.#push(subtract(one, other));
      case "*":
        return this.#push(multiply(one, other, this.scale));
      case "/":
        if (isZero(other)) throw new RuntimeFailure("Divide by zero");
        return this.#push(divide(one, other, this.scale));
      case "%":
        if (isZero(other)) throw new RuntimeFailure("Modulo by zero");
        return this.#push(modulo(one, other, this.scale));
      case "^":
        return this.#push(this.#raised(one, other));
      case "=":
        return this.#pushTruth(compare(one, other) === 0);
      case "#":
        return this.#pushTruth(compare(one, other) !== 0);
      case "<":
        return this.#pushTruth(compare(one, other) < 0);
      case "{":
        return this.#pushTruth(compare(one, other) <= 0);
      case ">":
        return this.#pushTruth(compare(one, other) > 0);
      case "}":
        return this.#pushTruth(compare(one, other) >= 0);
      default:
        throw new Error(`no instruction ${operator}`);
    }
  }

  #pushTruth(isTrue: boolean): void {
    this.#push(isTrue ? ONE : ZERO);
  }

  #raised(base: Num, exponent: Num): Num {
    if (exponent.scale !== 0) this.#tell("warning", "non-zero scale in exponent");
    const times = toLong(exponent);
    if (times === 0n && !isZero(divide(exponent, ONE, 0))) throw new RuntimeFailure("exponent too large in raise");
    if (isZero(base) && exponent.negative) throw new RuntimeFailure("divide by zero");
    return raise(base, times, this.scale) ?? ZERO;
  }

  #constant(): Num {
    const base = this.#callers.at(-1)?.base ?? this.#inputBase;
    const from = this.#at;
    const known = this.#code.constants.get(from);
    if (known !== undefined && known.base === base) {
      this.#at = known.end;
      return known.value;
    }
    let value: Num;
    if (base === 10) {
      const read = readDecimal(this.#code.body, from);
      value = read.value;
      this.#at = read.end;
    } else value = readNumber(() => this.#byte(), base);
    this.#code.constants.set(from, { base, value, end: this.#at });
    return value;
  }

  #jump(instruction: number): void {
    const isTaken = instruction === letter("J") || isZero(this.#pop()) === (instruction === letter("Z"));
    const label = this.#byte() + (this.#byte() << 8);
    if (isTaken) this.#at = this.#code.labels.get(label) ?? this.#code.body.length;
  }

  // Variables

  #load(variable: number): Num {
    switch (variable) {
      case 0:
        return fromInteger(this.#inputBase);
      case 1:
        return fromInteger(this.#outputBase);
      case 2:
        return fromInteger(this.scale);
      case 3:
        return fromInteger(this.#history);
      default:
        return this.#storage.get(variable);
    }
  }

  /** The value stays on the stack, unless nothing uses it. */
  #store(variable: number): void {
    const value = this.#top;
    if (variable > 3) return this.#storage.set(variable, value);
    let number = toLong(value);
    const isTooLarge = !value.negative && number === 0n && !isZero(value);
    if (value.negative) {
      if (variable < 3) this.#tell("warning", `negative ${["ibase", "obase", "scale"][variable]}, set to ${variable === 2 ? 0 : 2}`);
      number = variable === 3 ? -1n : variable === 2 ? 0n : 2n;
    }
    return this.#storeSpecial(variable, number, isTooLarge);
  }

  #storeSpecial(variable: number, number: bigint, isTooLarge: boolean): void {
    if (variable === 0) this.#storeInputBase(number, isTooLarge);
    else if (variable === 1) this.#storeOutputBase(number, isTooLarge);
    else if (variable === 2) {
      const isAbove = number > BigInt(INT_MAX) || isTooLarge;
      this.scale = isAbove ? INT_MAX : Number(number);
      if (isAbove) this.#tell("warning", `scale too large, set to ${INT_MAX}`);
    } else if (isTooLarge) this.#tell("warning", "history too large, set to unlimited");
    else this.#history = Number(BigInt.asIntN(32, number));
  }

  #storeInputBase(number: bigint, isTooLarge: boolean): void {
    const most = this.#options.isStandard ? 16 : 36;
    if (number < 2n && !isTooLarge) {
      this.#inputBase = 2;
      this.#tell("warning", "ibase too small, set to 2");
    } else if (number > BigInt(most) || isTooLarge) {
      this.#inputBase = most;
      this.#tell("warning", `ibase too large, set to ${most}`);
    } else {
      if (number > 16n && this.#options.warns) this.#tell("warning", "ibase larger than 16 is non-standard");
      this.#inputBase = Number(number);
    }
  }

  #storeOutputBase(number: bigint, isTooLarge: boolean): void {
    if (number < 2n && !isTooLarge) {
      this.#outputBase = 2;
      this.#tell("warning", "obase too small, set to 2");
    } else if (number > BigInt(INT_MAX) || isTooLarge) {
      this.#outputBase = INT_MAX;
      this.#tell("warning", `obase too large, set to ${INT_MAX}`);
    } else this.#outputBase = Number(number);
  }

  #increment(variable: number): void {
    switch (variable) {
      case 0:
        if (this.#inputBase < 16) this.#inputBase++;
        else this.#tell("warning", "ibase too big in ++");
        return;
      case 1:
        if (this.#outputBase < INT_MAX) this.#outputBase++;
        else this.#tell("warning", "obase too big in ++");
        return;
      case 2:
        if (this.scale < INT_MAX) this.scale++;
        else this.#tell("warning", "Scale too big in ++");
        return;
      case 3:
        if (++this.#history > 0) return;
        this.#history = -1;
        return this.#tell("warning", "history set to unlimited");
      default:
        this.#storage.set(variable, add(this.#storage.get(variable), ONE));
    }
  }

  #decrement(variable: number): void {
    switch (variable) {
      case 0:
        if (this.#inputBase > 2) this.#inputBase--;
        else this.#tell("warning", "ibase too small in --");
        return;
      case 1:
        if (this.#outputBase > 2) this.#outputBase--;
        else this.#tell("warning", "obase too small in --");
        return;
      case 2:
        if (this.scale > 0) this.scale--;
        else this.#tell("warning", "scale can not be negative in -- ");
        return;
      case 3:
        if (--this.#history >= 0) return;
        this.#history = -1;
        return this.#tell("warning", "history is negative, set to unlimited");
      default:
        this.#storage.set(variable, subtract(this.#storage.get(variable), ONE));
    }
  }

  #element(instruction: number): void {
    const array = this.#number();
    const value = instruction === letter("S") ? this.#pop() : ZERO;
    const index = toLong(this.#top);
    if (index < 0n || index > LAST_INDEX || (index === 0n && !isZero(this.#top))) {
      throw new RuntimeFailure(`Array ${this.#names.arrayNames[array]} subscript out of bounds.`);
    }
    this.#pop();
    const at = Number(index);
    const present = this.#storage.array(array).get(at) ?? ZERO;
    if (instruction === letter("L")) return this.#push(present);
    if (instruction === letter("S")) {
      this.#push(value);
      return this.#storage.setElement(array, at, value);
    }
    this.#storage.setElement(array, at, instruction === letter("A") ? add(present, ONE) : subtract(present, ONE));
  }

  // Functions

  #call(number: number): void {
    const called = this.#names.functions[number] as CompiledFunction;
    if (!called.isDefined) throw new RuntimeFailure(`Function ${called.name} not defined.`);
    if (called.native !== undefined) return this.#callNative(called.native);
    if (this.#callers.length >= MOST_CALLS) throw new LimitReached("held", MOST_CALLS, "calls within each other");
    const failure = this.#passArguments(called);
    for (const local of called.automatic) this.#storage.pushAutomatic(local);
    const base = this.#inputBase;
    if (failure !== undefined) this.#tell("error", failure);
    this.#callers.push({ code: this.#code, address: this.#at, base });
    this.#code = called;
    // A failed call still has its variables taken away again.
    this.#at = failure === undefined ? 0 : called.body.length;
    if (failure !== undefined) this.#abandon();
  }

  /** Ends all calls and the code outside of them. */
  #abandon(): void {
    while (this.#callers.length > 0) this.#leave();
    this.#at = this.#code.body.length;
  }

  /** Gives the complaint where arguments and parameters do not fit. */
  #passArguments(called: CompiledFunction): string | undefined {
    const left = [...called.parameters];
    for (let type = this.#byte(); type !== COLON; type = this.#byte()) {
      const parameter = left.shift();
      if (parameter === undefined) return "Parameter number mismatch";
      const value = this.#pop();
      const isArray = parameter.variable < 0;
      if (isArray !== (type === letter("1"))) return "Parameter type mismatch";
      if (isArray) {
        const source = this.#storage.array(Number(toLong(value)));
        this.#storage.pushArray(-parameter.variable, source, parameter.isShared);
      } else this.#storage.push(parameter.variable, value);
    }
    return left.length > 0 ? "Parameter number mismatch" : undefined;
  }

  #callNative(native: NonNullable<CompiledFunction["native"]>): void {
    const args: Num[] = [];
    for (let type = this.#byte(); type !== COLON; type = this.#byte()) {
      if (args.length === native.parameters) throw new RuntimeFailure("Parameter number mismatch");
      if (type !== letter("0")) throw new RuntimeFailure("Parameter type mismatch");
      args.unshift(this.#pop());
    }
    if (args.length < native.parameters) throw new RuntimeFailure("Parameter number mismatch");
    this.#push(native.compute(args, this.scale));
  }

  #leave(): void {
    this.#storage.pop(this.#code.automatic);
    this.#storage.pop(this.#code.parameters);
    const caller = this.#callers.pop() as Caller;
    this.#code = caller.code;
    this.#at = caller.address;
  }

  #special(name: number): void {
    switch (name) {
      case letter("L"):
        return this.#push(fromInteger(lengthOf(this.#pop())));
      case letter("S"):
        return this.#push(fromInteger(this.#pop().scale));
      case letter("R"): {
        const root = squareRoot(this.#top, this.scale);
        if (root === undefined) throw new RuntimeFailure("Square root of a negative number");
        this.#pop();
        return this.#push(root);
      }
      case letter("I"):
        return this.#push(readNumber(this.#options.readCharacter, this.#inputBase));
      default:
        return this.#push(fromInteger(this.#random.next()));
    }
  }

  // Output

  #print(end: string): void {
    const value = this.#pop();
    this.#out.print(`${shownNumber(value, this.#outputBase)}${end}`);
    this.#storage.set(LAST, value);
  }

  #printText(text: string): void {
    if (this.#options.isStandard) this.#out.printStraight(text);
    else this.#out.print(text);
  }

  #printString(): void {
    const end = this.#code.body.indexOf(0x22, this.#at);
    this.#printText(String.fromCharCode(...this.#code.body.slice(this.#at, end)));
    this.#at = end + 1;
  }

  #printEscaped(): void {
    const end = this.#code.body.indexOf(0x22, this.#at);
    const text = String.fromCharCode(...this.#code.body.slice(this.#at, end));
    this.#printText(text.replace(/\\([^])?/g, (_, escaped: string | undefined) => ESCAPES[escaped ?? ""] ?? ""));
    this.#at = end + 1;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  q: '"',
  r: "\r",
  t: "\t",
  "\\": "\\",
};
