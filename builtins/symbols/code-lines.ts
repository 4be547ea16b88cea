/**
 * Lines that `symbols` and `outline` print, over all files of code in order of path. A long walk shares the files with a second
 * thread, which is given batches; files that it does not come to are parsed here. The output is the same either way.
 */
import { quoteName } from "../../src/display/quote.ts";
import { codeParser } from "../../src/wasm/grammars.ts";
import { batchOf, reportOf, type Report } from "./batch.ts";
import type { CodeStep, Passed } from "./code-files.ts";
import { lineMaker, type CodeFile, type LineMaker, type Lines, type Question } from "./file-lines.ts";
import { SecondThread } from "./second-thread.ts";

type FileStep = CodeStep & { readonly what: "file" };

/** A folder, a file, lines of the file that came last, or why a file is passed over. */
export type CodeOutput =
  | (CodeStep & { readonly what: "directory" })
  | { readonly what: "file"; readonly path: string; readonly depth: number }
  | ({ readonly what: "lines" } & Lines)
  | Passed;

export interface LineOptions {
  readonly question: Question;
  /** Files that are not read have no lines. */
  readonly isRead: (file: FileStep) => boolean;
  /** Called between two files: throws where the call is over. */
  readonly turn: () => Promise<void>;
  readonly second?: SecondThread;
}

/** Throws where the second thread ends or its work breaks down. */
export async function* codeLines(steps: Iterable<CodeStep>, options: LineOptions): AsyncGenerator<CodeOutput, void> {
  const second = options.second ?? new SecondThread();
  const lines = new CodeLines(options, second);
  try {
    for (const step of steps) {
      if (step.what !== "turn") await lines.add(step);
      for (let first = lines.takeFirst(); first !== undefined; first = lines.takeFirst()) yield* lines.outputOf(first);
      await options.turn();
    }
    for (let first = await lines.nextFirst(); first !== undefined; first = await lines.nextFirst()) yield* lines.outputOf(first);
  } finally {
    second.close();
  }
}

/** Something to be shown in its turn. */
interface Item {
  readonly step: Exclude<CodeStep, { readonly what: "turn" }>;
  /** What is to be parsed. */
  readonly file?: CodeFile;
  /** Why it cannot be. */
  readonly passed?: Passed;
  /** It is, or will be, with the thread. */
  isAway: boolean;
  report?: Report;
}

/** What waits for the lines before it, in items, and holds, in bytes or units of text: past either the walk waits as well. */
const MOST_WAITING = 4096;
const MOST_HELD = 4 << 20;

class CodeLines {
  readonly #options: LineOptions;
  readonly #second: SecondThread;
  readonly #maker: LineMaker;
  readonly #waiting: Item[] = [];
  /** Of those that wait, the next batch. */
  #gathered: Item[] = [];
  #gatheredBytes = 0;
  #held = 0;

  constructor(options: LineOptions, second: SecondThread) {
    this.#options = options;
    this.#second = second;
    this.#maker = lineMaker(options.question);
  }

  async add(step: Item["step"]): Promise<void> {
    while (this.#waiting.length > MOST_WAITING || this.#held > MOST_HELD) {
      // What is first is away, or the caller would have taken it.
      if (this.#waiting[0]?.isAway !== true) return this.#add(step);
      await this.#comeNearer();
    }
    return this.#add(step);
  }

  async #add(step: Item["step"]): Promise<void> {
    const item = this.#itemOf(step);
    if (item === undefined) return;
    const { file } = item;
    const isFirst = this.#waiting.length === 0;
    this.#waiting.push(item);
    if (file === undefined) return;
    if (this.#second.canTake(file.language)) {
      item.isAway = true;
      this.#gathered.push(item);
      this.#gatheredBytes += file.bytes.length;
      if (this.#gatheredBytes < this.#second.batchBytes) return;
      if (this.#second.hasRoom) this.#send();
      else await this.#doGathered();
    } else if (!isFirst) await this.#do(item, file);
  }

  /** undefined where there is nothing to show of it. */
  #itemOf(step: Item["step"]): Item | undefined {
    if (step.what !== "file" || !this.#options.isRead(step)) return { step, isAway: false };
    const bytes = step.read();
    if (!(bytes instanceof Uint8Array)) return { step, passed: bytes, isAway: false };
    if (!this.#maker.mayBeIn(bytes)) return undefined;
    const { path, depth, language } = step;
    return { step, file: { path, depth, language, bytes }, isAway: false };
  }

  /** What is to be shown next, if that is known. */
  takeFirst(): Item | undefined {
    const [first] = this.#waiting;
    if (first === undefined || first.isAway) return undefined;
    this.#held -= heldBy(first);
    return this.#waiting.shift();
  }

  /** The same after the last step. */
  async nextFirst(): Promise<Item | undefined> {
    while (this.#waiting[0]?.isAway === true) await this.#comeNearer();
    return this.takeFirst();
  }

  /** What is first is away: does what can be done for it. */
  async #comeNearer(): Promise<void> {
    if (this.#gathered.length > 0) await this.#doGathered();
    else await this.#second.news();
    await this.#options.turn();
  }

  #send(): void {
    const items = this.#takeGathered();
    const files = items.flatMap(({ file }) => (file === undefined ? [] : [file]));
    this.#second.send(batchOf(this.#options.question, files), (reports) => {
      items.forEach((item, at) => this.#settle(item, reports[at] as Report));
    });
  }

  async #doGathered(): Promise<void> {
    for (const item of this.#takeGathered()) if (item.file !== undefined) await this.#do(item, item.file);
  }

  #takeGathered(): readonly Item[] {
    const items = this.#gathered;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    return items;
  }

  async #do(item: Item, file: CodeFile): Promise<void> {
    const parser = await codeParser(file.language.grammar);
    this.#settle(item, reportOf(this.#maker, file, parser));
    this.#second.didAlone(file);
    await this.#options.turn();
  }

  #settle(item: Item, report: Report): void {
    item.report = report;
    item.isAway = false;
    this.#held += heldBy(item);
  }

  async *outputOf({ step, file, passed, report }: Item): AsyncGenerator<CodeOutput, void> {
    if (step.what !== "file") {
      yield step;
      return;
    }
    const { path, depth } = step;
    yield { what: "file", path, depth };
    if (passed !== undefined) yield passed;
    if (file === undefined) return;
    let isParsed: boolean;
    if (report === undefined || report.ending === "too long") {
      isParsed = yield* this.#linesOf(file);
    } else {
      const { text, entries } = report;
      if (entries > 0) yield { what: "lines", text, entries };
      isParsed = report.ending === "whole";
    }
    if (!isParsed) yield { what: "passed", message: `${quoteName(path)}: too entangled to parse, passed over`, isError: false };
  }

  async *#linesOf(file: CodeFile): AsyncGenerator<CodeOutput, boolean> {
    const lines = this.#maker.linesOf(file, await codeParser(file.language.grammar));
    try {
      for (let step = lines.next(); ; step = lines.next()) {
        if (step.done === true) return step.value;
        yield { what: "lines", ...step.value };
      }
    } finally {
      lines.return(true);
      this.#second.didAlone(file);
    }
  }
}

/** A file whose lines are too long is parsed again. */
const heldBy = ({ file, report }: Item): number => (report?.ending === "too long" ? (file?.bytes.length ?? 0) : (report?.text.length ?? 0));
