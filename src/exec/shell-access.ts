/** The shell as a builtin sees it (`read`, `set`, `unset`). */
import type { Argument } from "../builtin/arguments.ts";
import type { ShellAccess } from "../builtin/shell-access.ts";
import { type ElementKey, IndexedArray } from "../shell/arrays.ts";
import { evaluateArithmetic } from "../shell/arithmetic.ts";
import { keyInText } from "../shell/parameter-expansion.ts";
import { ExpansionError, ReadonlyError } from "../shell/variables.ts";
import type { ShellState } from "./shell-state.ts";

export function shellAccess(
  shell: ShellState,
  place: string,
  name: string,
  args: readonly Argument[],
  stderr: (text: string) => void,
): ShellAccess {
  const complain = (message: string): void => stderr(`${place}: ${message}\n`);
  /** False where `change` fails as an expansion does. */
  const attempt = (change: () => void, prefix = ""): boolean => {
    try {
      change();
      return true;
    } catch (thrown) {
      if (!(thrown instanceof Unchangeable) && !(thrown instanceof ReadonlyError)) throw thrown;
      complain(`${prefix}${thrown.message}`);
      return false;
    } finally {
      for (const message of shell.complaints.splice(0)) stderr(message);
    }
  };
  return {
    place,
    status: shell.status,
    loops: shell.loops,
    variable: (of) => shell.get(of)?.text,
    isSet: (of) => isSet(shell, of),
    isReference: (of) => shell.referenceOf(of) !== undefined,
    setVariable: (of, text) =>
      attempt(() => {
        const { variable, subscript } = placeIn(of);
        const value = { text, typed: false };
        if (subscript === undefined) shell.set(variable, value);
        else shell.setElement(variable, keyOf(shell, variable, subscript), value);
      }),
    arrayKind: (of) => shell.array(of)?.kind,
    setElements: (of, values, origin) =>
      attempt(() => {
        const given = values.map((text) => ({ text, typed: false }));
        if (origin === undefined) shell.setArray(of, IndexedArray.of(given.map((value) => shell.convertedFor(of, value))));
        else {
          shell.declare(of, "a");
          for (const [at, value] of given.entries()) shell.setElement(of, origin + at, value);
        }
      }),
    unsetVariable: (of, isReference = false) => attempt(() => unset(shell, of, isReference), "unset: "),
    evaluate(expression) {
      try {
        return evaluateArithmetic(expression, shell);
      } catch (thrown) {
        if (!(thrown instanceof ExpansionError) || thrown.exit !== 1) throw thrown;
        complain(thrown instanceof ReadonlyError ? thrown.message : `${name}: ${thrown.message}`);
        return undefined;
      }
    },
    positionalCount: shell.positional.length,
    positionalTexts: () => shell.positional.map(({ text }) => text),
    optionPlace() {
      const value = shell.get("OPTIND");
      const { set, letter } = shell.optionLetter;
      return {
        argument: Math.max(1, Number.parseInt(value?.text ?? "", 10) || 1),
        letter: value !== undefined && value === set ? letter : 0,
      };
    },
    setOptionPlace({ argument, letter }) {
      const set = { text: String(argument), typed: false };
      shell.set("OPTIND", set);
      shell.optionLetter = { set: shell.get("OPTIND"), letter };
    },
    isTyped: (argument) => args[argument]?.data !== true && args[argument]?.operandOnly !== true,
    setPositional(from) {
      shell.positional = args.slice(from).map(({ text, data, operandOnly }) => ({ text, typed: data !== true && operandOnly !== true }));
    },
    shiftPositional(count) {
      shell.positional = shell.positional.slice(count);
    },
    fail(message) {
      throw new ExpansionError(`${name}: ${message}`);
    },
    leave(how, levels = 1) {
      if (how === "exit") shell.exitCalled = true;
      shell.leaving = how === "exit" || how === "return" ? { kind: how, status: levels } : { kind: how, levels };
    },
    statusAtEnd: shell.endingWith ?? shell.status,
    isInFunction: shell.isInFunction,
    hasFunction: (of) => shell.functions.has(of),
    unsetFunction(of) {
      const kept = new Map(shell.functions);
      kept.delete(of);
      shell.functions = kept;
    },
    setOption(option, on) {
      if (!isOption(shell, option)) return false;
      shell.options[option] = on;
      return true;
    },
    get directoryStack() {
      return shell.directoryStack;
    },
    set directoryStack(directories) {
      shell.directoryStack = directories;
    },
    get aliases() {
      return shell.aliases;
    },
    set aliases(aliases) {
      shell.aliases = aliases;
    },
    option: (of) => (isOption(shell, of) ? shell.options[of] : undefined),
  };
}

/** A variable that cannot be changed as asked, where the line goes on. */
class Unchangeable extends Error {}

/** `a[1]` → the array and the text between the brackets. */
function placeIn(text: string): { readonly variable: string; readonly subscript: string | undefined } {
  const found = /^(\w+)\[([^]*)\]$/.exec(text);
  return found === null ? { variable: text, subscript: undefined } : { variable: found[1] as string, subscript: found[2] };
}

function keyOf(shell: ShellState, variable: string, subscript: string): ElementKey {
  const key = keyInText(variable, subscript, shell);
  if (key === undefined || key === "") throw new Unchangeable(`${variable}[${subscript}]: bad array subscript`);
  return key;
}

/** `[[ -v NAME ]]`. */
export function isSet(shell: ShellState, text: string): boolean {
  if (/^\d+$/.test(text)) return text === "0" || shell.positional[Number(text) - 1] !== undefined;
  const { variable, subscript } = placeIn(text);
  if (!/^[A-Za-z_]/.test(variable)) return false;
  if (subscript === undefined) return shell.get(variable) !== undefined;
  const array = shell.array(variable);
  if ((subscript === "@" || subscript === "*") && array?.kind !== "associative") {
    return array === undefined ? shell.get(variable) !== undefined : array.size > 0;
  }
  const key = array?.kind === "associative" ? subscript : keyInText(variable, subscript, shell);
  if (array === undefined) return key === 0 && shell.get(variable) !== undefined;
  return key !== undefined && array.get(key) !== undefined;
}

function unset(shell: ShellState, text: string, isReference: boolean): void {
  const { variable, subscript } = placeIn(text);
  if (shell.attributes(variable)?.includes("r") === true && !isReference) {
    throw new Unchangeable(`${variable}: cannot unset: readonly variable`);
  }
  if (isReference) return shell.unsetReference(variable);
  if (subscript === undefined) return shell.unset(variable);
  const array = shell.array(variable);
  if (array === undefined) {
    if (shell.get(variable) === undefined) return;
    if (/^[@*]$/.test(subscript) || evaluateArithmetic(subscript, shell) !== 0n)
      throw new Unchangeable(`${variable}: not an array variable`);
    return shell.unset(variable);
  }
  if (array.kind === "associative") return shell.unsetElement(variable, subscript);
  if (subscript === "@" || subscript === "*") return shell.setArray(variable, new IndexedArray());
  const key = keyInText(variable, subscript, shell);
  if (key === undefined) throw new Unchangeable(`[${subscript}]: bad array subscript`);
  shell.unsetElement(variable, key);
}

const isOption = ({ options }: ShellState, name: string): name is keyof ShellState["options"] => Object.hasOwn(options, name);
