/**
 * State in which each command of a line starts, as far as the text says: the directories it may start in
 * (`cd a && cd b; ls` may list a/b, a or where the line began) and the values of variables. Directories are relative
 * to the root and logical, as a shell keeps them.
 */
import { isAssignment, staticText, type Command, type FunctionCommand, type List, type SimpleCommand } from "../shell/tree.ts";
import { forEachCommand, listsIn, listsOf, wordsOf } from "../shell/tree-walk.ts";
import {
  afterDeclaring,
  afterAssigning,
  DECLARED,
  joinedValues,
  type KnownValues,
  POSITIONAL,
  setByWords,
  withUnknown,
} from "./known-values.ts";

export interface State {
  /** `undefined`: not known. */
  readonly places: ReadonlySet<string> | undefined;
  readonly values: KnownValues;
  /** Functions that are certainly defined. */
  readonly functions: ReadonlySet<string>;
}

/** Effect of a command on the state. */
export interface CommandEffect {
  /** Directory to which it moves the session from `from`: undefined if that is not known, `from` itself if it does not move. */
  readonly destination: (from: string) => string | undefined;
  /** Variables it may change. */
  readonly assigns: readonly string[];
}

/** The state by how the command before ended; undefined: it does not end so. */
interface Reach {
  readonly success: State | undefined;
  readonly failure: State | undefined;
}

/** More than this many possible directories are treated as not known. */
const MAX_PLACES = 16;

/** Calls `visit` once for each command, in the order of the line. `visit` returns the effect of a simple command. */
export function forEachState(
  list: List,
  start: State,
  rootPath: string,
  visit: (command: Command, state: State) => CommandEffect | undefined,
  mayMove: (command: SimpleCommand) => boolean,
): void {
  const defined = definitionsIn(list);
  const walkList = ({ items }: List, from: State): Reach => {
    let reach: Reach = { success: from, failure: undefined };
    for (const { when, pipeline } of items) {
      const before = when === "success" ? reach.success : when === "failure" ? reach.failure : union(reach.success, reach.failure);
      // A pipeline that is never reached is checked all the same.
      const after = walkPipeline(pipeline, before ?? from);
      reach = {
        success: when === "failure" ? union(reach.success, after.success) : after.success,
        failure: when === "success" ? union(reach.failure, after.failure) : after.failure,
      };
    }
    return reach;
  };
  const walkPipeline = (pipeline: List["items"][number]["pipeline"], before: State): Reach => {
    const alone = pipeline.commands.length === 1;
    let after: Reach = { success: before, failure: before };
    for (const command of pipeline.commands) {
      const reach = walkCommand(command, before);
      if (alone) after = reach;
    }
    return pipeline.negated ? { success: after.failure, failure: after.success } : after;
  };
  const ended = (reach: Reach, otherwise: State): State => union(reach.success, reach.failure) ?? otherwise;
  const walkCommand = (command: Command, from: State): Reach => {
    for (const word of wordsOf(command)) for (const inner of listsIn(word)) walkList(inner, from);
    const before: State = { ...from, values: withUnknown(from.values, setByWords(command)) };
    const effect = visit(command, before);
    const both = (state: State): Reach => ({ success: state, failure: state });
    switch (command.kind) {
      case "simple": {
        const values = withUnknown(before.values, effect?.assigns ?? []);
        const { functions } = before;
        const success = { places: moved(before.places, effect), values, functions };
        const failure = { places: before.places, values, functions };
        return isCall(command) ? both(changedBy(bodies(), union(success, failure) as State)) : { success, failure };
      }
      case "function": {
        // It may be called from anywhere later, when any command of the line has changed what it may change.
        const functions = mayUnset() ? before.functions : new Set([...before.functions, command.name]);
        const after = { ...before, functions };
        const start = changedBy(wholeLine(), after);
        walkList(command.body, { ...start, values: withUnknown(start.values, [POSITIONAL]) });
        return both(after);
      }
      case "assign": {
        let { values } = before;
        for (const assignment of command.assignments) {
          values = afterAssigning(assignment, values, rootPath);
        }
        return both({ ...before, values });
      }
      case "declare":
        return both({ ...before, values: afterDeclaring(command, before.values, rootPath) });
      case "condition":
      case "arithmetic":
        return both(before);
      case "trap": {
        if (typeof command.action === "string") return both(before);
        // Like a function it runs later; one for ERR may run after any command.
        walkList(command.action, changedBy(wholeLine(), before));
        return both(command.conditions.includes("ERR") ? blurredBy(command, before) : before);
      }
      case "group": {
        const inner = walkList(command.body, before);
        return command.subshell ? both(before) : inner;
      }
      case "if": {
        let next: State | undefined = before;
        let after: Reach = { success: undefined, failure: undefined };
        for (const { condition, body } of command.clauses) {
          const tested = walkList(condition, next ?? before);
          const ran = walkList(body, tested.success ?? next ?? before);
          after = { success: union(after.success, ran.success), failure: union(after.failure, ran.failure) };
          next = tested.failure;
        }
        if (command.otherwise === undefined) return { success: union(after.success, next), failure: after.failure };
        const ran = walkList(command.otherwise, next ?? before);
        return { success: union(after.success, ran.success), failure: union(after.failure, ran.failure) };
      }
      default: {
        // A loop or a case: each round starts from a state in which any other may have run before.
        const blurred = blurredBy(command, before);
        for (const inner of listsOf(command)) ended(walkList(inner, blurred), blurred);
        return both(blurred);
      }
    }
  };
  const blurredBy = (command: Command, before: State): State => {
    const changes = changesOf(listsOf(command));
    for (const name of [...setByWords(command), POSITIONAL]) changes.names.add(name);
    if (command.kind === "for") changes.names.add(command.name);
    const after = changedBy(changes, before);
    return changes.calls ? changedBy(bodies(), after) : after;
  };
  const isCall = (command: SimpleCommand): boolean => {
    if (defined.length === 0 || command.wrappers !== undefined) return false;
    const name = staticText(command.words[0]);
    return name === undefined || defined.some((each) => each.name === name);
  };
  const changesOf = (lists: readonly List[]): Changes => {
    const names = new Set<string>();
    let moves = false;
    let calls = false;
    let declares = false;
    for (const inner of lists) {
      forEachCommand(inner, (each) => {
        for (const name of setByWords(each)) names.add(name);
        if (each.kind === "for") names.add(each.name);
        if (each.kind === "assign") for (const { name } of each.assignments) names.add(name);
        // What `local` changes ends with its function, but for the functions that are called from it.
        if (each.kind === "declare" && each.name === "local") {
          for (const item of each.items) names.add(isAssignment(item) ? item.name : (staticText(item) ?? ""));
        } else declares ||= each.kind === "declare";
        if (each.kind === "simple") {
          moves ||= mayMove(each);
          declares ||= staticText(each.words[0]) === undefined;
          calls ||= isCall(each);
          for (const word of each.words.slice(1)) {
            for (const part of word.parts) {
              if (part.kind === "text") for (const [name] of part.text.matchAll(/[A-Za-z_]\w*/g)) names.add(name);
            }
          }
        }
      });
    }
    return { names, moves, calls, declares };
  };
  /** Changes that a call may make: a function calls others. */
  const bodies = once(() => changesOf(defined.map(({ body }) => body)));
  const wholeLine = once(() => changesOf([list]));
  const mayUnset = once(() => {
    let found = false;
    forEachCommand(list, (each) => {
      // A name that is a variable's value may be that of unset.
      if (each.kind === "simple") found ||= (staticText(each.words[0]) ?? "unset") === "unset";
    });
    return found;
  });
  walkList(list, start);
}

/** Changes that the commands of some lists may make. */
interface Changes {
  /** Variables that may be set. */
  readonly names: Set<string>;
  readonly moves: boolean;
  /** True if a function may be called. */
  readonly calls: boolean;
  /** True if variables are declared: they may turn what is assigned into something else. */
  readonly declares: boolean;
}

const changedBy = ({ names, moves, declares }: Changes, before: State): State => ({
  ...before,
  places: moves ? undefined : before.places,
  values: withUnknown(before.values, declares ? [...names, ...before.values.keys(), DECLARED] : names),
});

function definitionsIn(list: List): readonly FunctionCommand[] {
  const found: FunctionCommand[] = [];
  forEachCommand(list, (command) => {
    if (command.kind === "function") found.push(command);
  });
  return found;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function moved(before: State["places"], effect: CommandEffect | undefined): State["places"] {
  if (before === undefined || effect === undefined) return before;
  const places = new Set<string>();
  for (const from of before) {
    const to = effect.destination(from);
    if (to === undefined) return undefined;
    places.add(to);
  }
  return places;
}

function union(a: State | undefined, b: State | undefined): State | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a === b) return a;
  const both = a.places && b.places && new Set([...a.places, ...b.places]);
  return {
    places: both === undefined || both.size > MAX_PLACES ? undefined : both,
    values: joinedValues(a.values, b.values),
    functions: a.functions === b.functions ? a.functions : new Set([...a.functions].filter((name) => b.functions.has(name))),
  };
}
