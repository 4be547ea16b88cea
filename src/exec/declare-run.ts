/** `declare`, `typeset`, `local`, `readonly`, `export`: attributes of variables, and assignments as their arguments (bash manual §4.2). */
import type { Argument } from "../builtin/arguments.ts";
import { toBytes } from "../io/text.ts";
import { keyInText } from "../shell/parameter-expansion.ts";
import { isAssignment, type DeclareCommand } from "../shell/tree.ts";
import { doubleQuotedValue, listedArray } from "../shell/value-quote.ts";
import { ExpansionError, ReadonlyError } from "../shell/variables.ts";
import { prepared } from "./assign-run.ts";
import type { ListRun } from "./list-run.ts";
import type { ShellState } from "./shell-state.ts";
import type { Variable } from "./variable-store.ts";
import type { StageOutput, Surroundings } from "./stage.ts";
import { complaintsTold, expandedArguments } from "./substitution.ts";
import { traceAssignment, traceWords } from "./trace.ts";

/** Letters that each command knows; the others are errors of usage. */
const FLAGS: Readonly<Record<DeclareCommand["name"], string>> = {
  declare: "aAFgilnprux",
  typeset: "aAFgilnprux",
  local: "aAgilnprux",
  readonly: "aAp",
  export: "aAnp",
};

const USAGE: Readonly<Record<DeclareCommand["name"], string>> = {
  declare: "declare: usage: declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
  typeset: "typeset: usage: typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]",
  local: "local: usage: local [option] name[=value] ...",
  readonly: "readonly: usage: readonly [-aAf] [name[=value] ...] or readonly -p",
  export: "export: usage: export [-fn] [name[=value] ...] or export -p",
};

/** One operand, expanded. */
interface Operand {
  readonly name: string;
  /** Text for messages. */
  readonly source: string;
  /** The same as the trace has it: with the `+` of `+=`. */
  readonly target: string;
  readonly isValid: boolean;
  readonly isElement: boolean;
  readonly isList: boolean;
  /** Sets the value; undefined for a name alone. */
  readonly set: (() => void) | undefined;
  /** Value of a reference. */
  readonly text: string | undefined;
}

/** Runs the command. Its arguments are expanded in `outer`, without its own redirections. */
export async function* runDeclare(run: ListRun, command: DeclareCommand, inner: Surroundings, outer: Surroundings): StageOutput {
  const { name } = command;
  const { shell } = outer;
  const complain = async (message: string): Promise<void> => {
    await inner.stderr(toBytes(`${run.place(command.span, shell)}: ${message}\n`));
  };
  const { words, added, removed, operands, invalid } = await argumentsOf(run, command, outer);
  await traceWords(outer, [name, ...words]);
  if (invalid !== undefined) {
    await complain(`${name}: ${invalid}: invalid option`);
    await inner.stderr(toBytes(`${USAGE[name]}\n`));
    return 2;
  }
  if (name === "local" && !shell.isInFunction) {
    await complain("local: can only be used in a function");
    return 1;
  }
  if (added.includes("F")) return yield* functionNames(operands, shell);
  if (added.includes("p") || operands.length === 0) return yield* printed(name, operands, added, shell, complain);
  let status = 0;
  for (const operand of operands) {
    const declare = (): string | undefined => declared(shell, name, operand, { added, removed });
    const { set, text, target } = operand;
    if (set !== undefined && text !== undefined && (name === "export" || name === "readonly")) await traceAssignment(outer, target, text);
    const problem = added.includes("g") ? shell.withGlobal(operand.name, declare) : declare();
    await complaintsTold(outer);
    if (problem === undefined) continue;
    await complain(problem);
    status = 1;
  }
  return status;
}

async function argumentsOf(
  run: ListRun,
  { name, items }: DeclareCommand,
  outer: Surroundings,
): Promise<{ words: readonly string[]; added: string; removed: string; operands: readonly Operand[]; invalid: string | undefined }> {
  let [added, removed] = [name === "readonly" ? "r" : name === "export" ? "x" : "", ""];
  const operands: Operand[] = [];
  const words: string[] = [];
  let flagsEnd = false;
  for (const item of items) {
    if (isAssignment(item)) {
      flagsEnd = true;
      const { shell } = outer;
      const kind = added.includes("A") ? "associative" : (shell.array(item.name)?.kind ?? "indexed");
      const isElement = item.subscript !== undefined;
      const source = item.subscript === undefined ? item.name : `${item.name}[${item.subscript.source}]`;
      const { set, text } = await prepared(run, item, outer, {
        kind,
        by: added.includes("A") ? "keyed declaration" : "declaration",
      });
      if (!isElement && text !== undefined) refuseListInText(item.name, text, added, shell);
      const target = item.append ? `${source}+` : source;
      words.push(`${target}=${text ?? ""}`);
      operands.push({ name: item.name, source, target, isValid: true, isElement, isList: item.elements !== undefined, set, text });
      continue;
    }
    for (const argument of await expandedArguments(run, [item], outer)) {
      const { text } = argument;
      words.push(text);
      const isFlag = !flagsEnd && argument.data !== true && argument.operandOnly !== true && /^[-+]./s.test(text);
      if (!isFlag) {
        flagsEnd = true;
        operands.push(operandOf(argument, added, outer.shell));
      } else if (text === "--") flagsEnd = true;
      else {
        for (const letter of text.slice(1)) {
          if (!FLAGS[name].includes(letter)) return { words, added, removed, operands, invalid: `${text.charAt(0)}${letter}` };
          if (name === "export" && letter === "n") [added, removed] = ["", "x"];
          else if (text.startsWith("-")) added += letter;
          else removed += letter;
        }
      }
    }
  }
  return { words, added, removed, operands, invalid: undefined };
}

/** bash reads `declare -a "x=(a b)"` as a list. */
function refuseListInText(name: string, text: string, added: string, shell: ShellState): void {
  if (!/^\([^]*\)$/.test(text) || (!/[aA]/.test(added) && shell.array(name) === undefined)) return;
  throw new ExpansionError(`${name}: a list in quotes would be read as text of the shell. Write ${name}=(...) without them`);
}

/** An operand that is a word: `"$name=value"`. */
function operandOf({ text: source, data, operandOnly }: Argument, added: string, shell: ShellState): Operand {
  const found = /^([A-Za-z_]\w*)(?:\[([^]*?)\])?(?:(\+?)=([^]*))?$/.exec(source);
  if (found === null)
    return { name: source, source, target: source, isValid: false, isElement: false, isList: false, set: undefined, text: undefined };
  const [, name = "", subscript, plus, text] = found;
  const value = text === undefined ? undefined : { text, typed: data !== true && operandOnly !== true };
  const set = (): void => {
    if (value === undefined) return;
    if (subscript === undefined) refuseListInText(name, value.text, added, shell);
    if (subscript === undefined) return plus === "+" ? shell.append(name, value) : shell.set(name, value);
    const key = keyInText(name, subscript, shell);
    if (key === undefined || key === "") throw new ExpansionError(`${name}[${subscript}]: bad array subscript`);
    if (plus === "+") shell.appendElement(name, key, value);
    else shell.setElement(name, key, value);
  };
  const shown = subscript === undefined ? source : `${name}[${subscript}]`;
  return {
    name,
    source: shown,
    target: `${subscript === undefined ? name : shown}${plus ?? ""}`,
    isValid: true,
    isElement: subscript !== undefined,
    isList: false,
    set: value && set,
    text,
  };
}

/** Declares one variable; returns bash's message where it cannot be. */
function declared(
  shell: ShellState,
  command: DeclareCommand["name"],
  { name, source, isValid, isElement, isList, set, text }: Operand,
  { added, removed }: { readonly added: string; readonly removed: string },
): string | undefined {
  const isAttribute = command === "readonly" || command === "export";
  if (isAttribute && isElement) return `${command}: \`${source}': not a valid identifier`;
  if (!isValid) return `${command}: \`${source}': not a valid identifier`;
  if (command !== "export" && command !== "readonly") shell.makeLocal(name, command === "local", added.includes("g"));
  const before = shell.variable(name);
  if (added.includes("n") && !isAttribute) return referenceDeclared(shell, command, { name, isList, text });
  const { array } = before ?? {};
  const conversion =
    array?.kind === "indexed" && added.includes("A")
      ? `${name}: cannot convert indexed to associative array`
      : array?.kind === "associative" && added.includes("a")
        ? `${name}: cannot convert associative to indexed array`
        : undefined;
  const isReadonly = before?.letters.includes("r") === true && (set !== undefined || removed.includes("r"));
  const destroyed = array !== undefined && /[aA]/.test(removed) ? `${name}: cannot destroy array variables in this way` : undefined;
  const problem = (isList ? conversion : undefined) ?? (isReadonly ? `${name}: readonly variable` : (destroyed ?? conversion));
  // A list is assigned before the command itself runs.
  if (problem !== undefined && isList) throw new ExpansionError(problem);
  // bash exports what it could not set.
  if (problem !== undefined && command === "export") shell.declare(name, added, removed);
  if (problem !== undefined) return isAttribute ? problem : `${command}: ${problem}`;
  const cases = added.includes("l") && added.includes("u") ? "lu" : "";
  let letters = [...added].filter((letter) => !`gpr${cases}`.includes(letter)).join("");
  if (command === "readonly" && set === undefined) letters = letters.replace(/[aA]/g, "");
  else if ((isList || isElement) && !/[aA]/.test(letters) && array === undefined) letters += "a";
  try {
    shell.declare(name, letters, removed + cases);
    set?.();
  } catch (thrown) {
    if (thrown instanceof ReadonlyError) return isAttribute ? thrown.message : `${command}: ${thrown.message}`;
    if (!(thrown instanceof ExpansionError)) throw thrown;
    throw isAttribute || isList ? thrown : new ExpansionError(`${command}: ${thrown.message}`, thrown.exit);
  }
  if (added.includes("r")) shell.declare(name, "r");
  return undefined;
}

/** `declare -n name=target`. */
function referenceDeclared(
  shell: ShellState,
  command: DeclareCommand["name"],
  { name, isList, text }: Pick<Operand, "name" | "isList" | "text">,
): string | undefined {
  if (isList) throw new ExpansionError(`${name}: a reference cannot be given a list`);
  if (shell.variable(name)?.array !== undefined) return `${command}: ${name}: reference variable cannot be an array`;
  if (text === undefined) {
    shell.declare(name, "n");
    return undefined;
  }
  if (text === name) return `${command}: ${name}: nameref variable self references not allowed`;
  if (!/^[A-Za-z_]\w*(\[[^]+\])?$/.test(text)) return `${command}: \`${text}': invalid variable name for name reference`;
  shell.setReference(name, text);
  return undefined;
}

/** `declare -p NAME …`. */
async function* printed(
  command: DeclareCommand["name"],
  operands: readonly Operand[],
  added: string,
  shell: ShellState,
  complain: (message: string) => Promise<void>,
): StageOutput {
  if (operands.length === 0 && added.includes("x")) {
    for (const name of shell.exportedNames()) yield toBytes(declarationOf(name, shell.variable(name) as Variable));
    return 0;
  }
  if (operands.length === 0 || command === "export" || command === "readonly") {
    await complain(
      `${command}: the list of all variables is not available here: bash's own holds those of the host. Name them: declare -p NAME`,
    );
    return 1;
  }
  let status = 0;
  for (const { name, source } of operands) {
    const variable = shell.variable(name);
    if (variable === undefined) {
      await complain(`${command}: ${source}: not found`);
      status = 1;
      continue;
    }
    yield toBytes(declarationOf(name, variable));
  }
  return status;
}

/** The command that declares the variable. */
function declarationOf(name: string, { letters, array, value, isSet }: Variable): string {
  const text = array === undefined ? value && doubleQuotedValue(value.text) : listedArray(array);
  return `declare -${letters === "" ? "-" : letters} ${name}${isSet && text !== undefined ? `=${text}` : ""}\n`;
}

/** `declare -F`: the names of functions. */
async function* functionNames(operands: readonly Operand[], { functions }: ShellState): StageOutput {
  const named = operands.map(({ source }) => source).filter((name) => functions.has(name));
  if (operands.length > 0) {
    yield toBytes(named.map((name) => `${name}\n`).join(""));
    return Number(named.length < operands.length);
  }
  const all = [...functions.keys()].sort((a, b) => Buffer.compare(toBytes(a), toBytes(b)));
  yield toBytes(all.map((name) => `declare -f ${name}\n`).join(""));
  return 0;
}
