/** Files for the second thread, and its answers: plain data in both directions. */
import { codeParser, type CodeParser } from "../../src/wasm/grammars.ts";
import { lineMaker, type CodeFile, type LineMaker, type Question } from "./file-lines.ts";
import { languageNamed } from "./languages.ts";

export interface Batch {
  readonly question: Question;
  readonly files: readonly { readonly path: string; readonly depth: number; readonly language: string; readonly size: number }[];
  /** All files' bytes, one after another. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** All lines of one file. */
export interface Report {
  readonly text: string;
  readonly entries: number;
  /** "too long": none are here, because they would have to be held. */
  readonly ending: "whole" | "too entangled" | "too long";
}

/** The longest report, in UTF-16 units: bodies of definitions in definitions can be a thousand times their file. */
const MOST_UNITS = 1 << 20;

export function batchOf(question: Question, files: readonly CodeFile[]): Batch {
  const bytes = new Uint8Array(files.reduce((sum, file) => sum + file.bytes.length, 0));
  let at = 0;
  for (const file of files) {
    bytes.set(file.bytes, at);
    at += file.bytes.length;
  }
  return {
    question,
    files: files.map(({ path, depth, language, bytes: { length } }) => ({ path, depth, language: language.name, size: length })),
    bytes,
  };
}

/** Answers batches. What a question needs is worked out when it is another than before. */
export class BatchAnswerer {
  #asked = "";
  #maker: LineMaker | undefined;

  async reportsOf({ question, files, bytes }: Batch): Promise<readonly Report[]> {
    const maker = this.#makerOf(question);
    const reports: Report[] = [];
    let at = 0;
    for (const { path, depth, language: name, size } of files) {
      const language = languageNamed(name);
      const file = { path, depth, language, bytes: bytes.subarray(at, at + size) };
      reports.push(reportOf(maker, file, await codeParser(language.grammar)));
      at += size;
    }
    return reports;
  }

  #makerOf(question: Question): LineMaker {
    const asked = JSON.stringify(question);
    if (this.#maker === undefined || this.#asked !== asked) this.#maker = lineMaker(question);
    this.#asked = asked;
    return this.#maker;
  }
}

export function reportOf(maker: LineMaker, file: CodeFile, parser: CodeParser): Report {
  let text = "";
  let entries = 0;
  const lines = maker.linesOf(file, parser);
  for (let step = lines.next(); ; step = lines.next()) {
    if (step.done === true) return { text, entries, ending: step.value ? "whole" : "too entangled" };
    text += step.value.text;
    entries += step.value.entries;
    if (text.length <= MOST_UNITS) continue;
    lines.return(true);
    return { text: "", entries: 0, ending: "too long" };
  }
}
