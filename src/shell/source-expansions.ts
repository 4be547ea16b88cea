/** Places at which the parser library sees expansions in a word, to be compared with our own reading of the source. */
import type { ArithmeticExpression, ParsedScript, ParameterOperation, Word as SourceWord, WordPart as SourcePart } from "unbash";
import type { UnsupportedConstruct } from "./problem.ts";

export interface SourceExpansion {
  readonly construct: UnsupportedConstruct;
  readonly end: number;
  /** The commands inside `$(…)` and `<(…)`. */
  readonly script: ParsedScript | undefined;
}

/** Expansions by the position of their start; those within `${…}` and `$((…))` too, those within `$(…)` not. */
export type SourceExpansions = ReadonlyMap<number, SourceExpansion>;

export function expansionsIn(parts: readonly SourcePart[] | undefined): SourceExpansions {
  const found = new Map<number, SourceExpansion>();
  const pending: (SourcePart | ArithmeticExpression)[] = [...(parts ?? [])];
  const word = (inner: SourceWord | undefined): void => void pending.push(...(inner?.parts ?? []));
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    switch (part.type) {
      case "SimpleExpansion":
        found.set(part.pos, { construct: "variable", end: part.end, script: undefined });
        break;
      case "ParameterExpansion":
        found.set(part.pos, { construct: "variable", end: part.end, script: undefined });
        word(part.index);
        for (const inner of wordsOf(part.operation)) word(inner);
        break;
      case "CommandExpansion":
      case "ArithmeticCommandExpansion":
        found.set(part.pos, { construct: "command-substitution", end: part.end, script: part.script });
        break;
      case "ArithmeticExpansion":
        found.set(part.pos, { construct: "arithmetic", end: part.end, script: undefined });
        if (part.expression !== undefined) pending.push(part.expression);
        break;
      case "ProcessSubstitution":
        found.set(part.pos, { construct: "process-substitution", end: part.end, script: part.script });
        break;
      case "ExtendedGlob":
        found.set(part.pos, { construct: "extglob", end: part.end, script: undefined });
        break;
      case "ArithmeticBinary":
        pending.push(part.left, part.right);
        break;
      case "ArithmeticUnary":
        pending.push(part.operand);
        break;
      case "ArithmeticTernary":
        pending.push(part.test, part.consequent, part.alternate);
        break;
      case "ArithmeticGroup":
        pending.push(part.expression);
        break;
      default:
        if ("parts" in part && part.parts !== undefined) pending.push(...part.parts);
    }
  }
  return found;
}

/** Expansions in arithmetic that stands alone: `(( … ))`, `for ((…))`. */
export function expansionsInArithmetic(expressions: readonly (ArithmeticExpression | undefined)[]): SourceExpansions {
  const found = new Map<number, SourceExpansion>();
  for (const expression of expressions) {
    if (expression === undefined) continue;
    const { pos, end } = expression;
    for (const [at, expansion] of expansionsIn([{ type: "ArithmeticExpansion", pos: -1, end, text: "", expression }])) {
      if (at >= pos) found.set(at, expansion);
    }
  }
  return found;
}

function wordsOf(operation: ParameterOperation | undefined): readonly (SourceWord | undefined)[] {
  switch (operation?.type) {
    case "Default":
    case "Remove":
    case "CaseModification":
    case "Transform":
      return [operation.operand];
    case "Replace":
      return [operation.pattern, operation.replacement];
    case "Slice":
      return [operation.offset, operation.length];
    case "Names":
    case "Unknown":
    case undefined:
      return [];
  }
}

/** Tells whether `$` followed by `next` begins an expansion. */
export const beginsExpansion = (next: string | undefined): boolean => next !== undefined && /[A-Za-z0-9_{([@*#?$!-]/.test(next);
