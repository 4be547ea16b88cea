/** Makes the lines printed for one file of code: a function of its bytes and of the request, whichever thread it runs in. */
import { toText } from "../../src/io/text.ts";
import type { CodeParser } from "../../src/wasm/grammars.ts";
import { definitionsIn, type Definition } from "./definitions.ts";
import { jsonLine } from "./json-line.ts";
import type { Language } from "./language.ts";
import { namePattern, type NameOptions } from "./name-pattern.ts";
import { referencesIn } from "./references.ts";
import { SymbolPrinter, type SymbolLook } from "./symbol-printer.ts";

/** What is asked of each file. Plain data: it crosses to the other thread. */
export type Question =
  | {
      readonly what: "symbols";
      readonly name: string;
      readonly options: NameOptions;
      readonly refs: boolean;
      /** undefined: all. */
      readonly kinds: readonly string[] | undefined;
      readonly look: SymbolLook;
    }
  | { readonly what: "outline"; readonly maxDepth: number; readonly json: boolean };

export interface CodeFile {
  readonly path: string;
  /** Levels below where the walk began. */
  readonly depth: number;
  readonly language: Language;
  readonly bytes: Uint8Array;
}

/** Whole lines, and how many entries they are. */
export interface Lines {
  readonly text: string;
  readonly entries: number;
}

export interface LineMaker {
  /** Whether a file can have lines at all, told without parsing it. */
  mayBeIn(bytes: Uint8Array): boolean;
  /** Returns whether the file could be parsed. */
  linesOf(file: CodeFile, parser: CodeParser): Generator<Lines, boolean>;
}

export function lineMaker(question: Question): LineMaker {
  if (question.what === "outline") {
    const { maxDepth, json } = question;
    return {
      mayBeIn: () => true,
      linesOf: (file, parser) =>
        parsed(file, parser, function* ({ definitions }) {
          for (const definition of definitions) {
            const depth = file.depth + 1 + definition.depth;
            if (depth <= maxDepth) yield json ? jsonEntry(definition, file.path, depth) : textEntry(definition, depth);
          }
        }),
    };
  }
  const { name, options, refs, kinds, look } = question;
  const pattern = namePattern(name, options);
  return {
    mayBeIn: (bytes) => pattern.mayBeIn(bytes),
    linesOf: (file, parser) =>
      parsed(file, parser, function* ({ tree, text, definitions }) {
        const printer = new SymbolPrinter(file.path, text, look);
        if (refs) {
          for (const reference of referencesIn(tree, text, file.language, definitions, pattern.matchesName))
            yield printer.reference(reference);
          return;
        }
        for (const definition of definitions) {
          if (kinds !== undefined && !kinds.includes(definition.kind)) continue;
          if (pattern.matches(definition)) yield printer.definition(definition);
        }
      }),
  };
}

interface Parsed {
  readonly tree: NonNullable<ReturnType<CodeParser["parse"]>>;
  readonly text: string;
  readonly definitions: readonly Definition[];
}

/** Units of text that are gathered before they are given on. */
const LINES_UNITS = 1 << 15;

function* parsed(
  { bytes, language }: CodeFile,
  parser: CodeParser,
  entriesOf: (parsed: Parsed) => Generator<string, void>,
): Generator<Lines, boolean> {
  const text = toText(bytes);
  const tree = parser.parse(text);
  if (tree === undefined) return false;
  try {
    const definitions = definitionsIn(tree, text, parser.query(language.definitions));
    let held = "";
    let entries = 0;
    for (const entry of entriesOf({ tree, text, definitions })) {
      held += entry;
      entries++;
      if (held.length < LINES_UNITS) continue;
      yield { text: held, entries };
      held = "";
      entries = 0;
    }
    if (entries > 0) yield { text: held, entries };
    return true;
  } finally {
    tree.delete();
  }
}

/** Deeper is shown as deep as this: code can nest without end. */
const MOST_INDENT = 40;

/** What stands before an entry of an outline. */
export const indentOf = (depth: number): string => "  ".repeat(Math.min(depth, MOST_INDENT));

function textEntry({ kind, name, firstLine, lastLine }: Definition, depth: number): string {
  return `${indentOf(depth)}${kind} ${name} ${firstLine === lastLine ? firstLine : `${firstLine}-${lastLine}`}\n`;
}

function jsonEntry({ kind, name, qualifiedName, firstLine, lastLine }: Definition, path: string, depth: number): string {
  return jsonLine({ what: "definition", path, depth, kind, name, qualifiedName, firstLine, lastLine });
}
