/** sort: lines in order. Sorted runs of what memory should not hold go to temporary space and are merged. */
import { defineBuiltin, type Invocation } from "../../src/builtin/definition.ts";
import { isStandardInput, openInput, overwritingBlocks } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { asBuffer, lineBlocks } from "../../src/io/lines.ts";
import { BLOCK_BYTES } from "../../src/io/output.ts";
import type { Spill } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { firstDisorder } from "./disorder.ts";
import { checkReadable, filesNamedIn, saltOf, SortTrouble, troubleOf } from "./files.ts";
import { flags } from "./flags.ts";
import { LineSource } from "./line-source.ts";
import { merged } from "./merge.ts";
import { OutputFile } from "./output-file.ts";
import { lineComparison, type Order } from "./order.ts";
import { checkKeys, extraFile, readRequest, rewriteOldForm, type Request } from "./request.ts";
import { Run } from "./run.ts";

export const sort = defineBuiltin({
  name: "sort",
  summary: "Print the lines of all files in order.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/sort.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  usageExit: 2,
  legacy: rewriteOldForm,
  flags,
  tells: "start",
  silence: { 0: "printed nothing" },
  examples: [
    { command: "sort", stdin: "b\na\nB\n", stdout: "B\na\nb\n", note: "by bytes, which is by code points" },
    { command: "sort -u", stdin: "b\na\nb\n", stdout: "a\nb\n" },
    { command: "sort -rn", stdin: "9\n10\n-1\n", stdout: "10\n9\n-1\n" },
    {
      command: "sort -t : -k 2,2n -k 1,1",
      stdin: "b:2\na:10\na:2\n",
      stdout: "a:2\nb:2\na:10\n",
      note: "by the second field as a number, then by the first",
    },
    { command: "sort -h", stdin: "2M\n3K\n1G\n", stdout: "3K\n2M\n1G\n", note: "the sizes that du -h prints" },
    { command: "sort -u -o f f && cat f", files: { f: "b\na\nb\n" }, stdout: "a\nb\n", note: "in place" },
    { command: "sort -V", stdin: "v1.10\nv1.9\n", stdout: "v1.9\nv1.10\n" },
  ],
  deviations: [
    {
      from: "GNU sort",
      what: "-o refuses a symbolic link as the file; another name of the file (a hard link) keeps the old lines",
      why: "a write changes the file of the name that was given and no other, as a whole",
    },
    {
      from: "GNU sort",
      what: "the words of the error about a file of -o that is named with a slash after it (f/) may be others; -o makes no file where an input cannot be read",
      why: "nothing is opened for writing before all is read",
    },
    {
      from: "GNU sort",
      what: "-T DIR and -S SIZE are not used",
      why: "what does not fit in 52 MiB goes to a file without a name in the host's temporary directory, up to a limit of 4 GiB",
    },
    {
      from: "GNU sort",
      what: "--compress-program and --debug are refused",
      why: "no program is ever started; the marks of --debug are not drawn here",
    },
    {
      from: "GNU sort",
      what: "with -g all NaNs are equal, and lines of them in the order of their bytes",
      why: "GNU sort compares the bits of the NaNs: their sign, and the number in nan(…)",
    },
  ],
  check({ occurrences, operands }) {
    readRequest(occurrences, operands);
  },
  async *run(invocation) {
    const request = readRequest(invocation.occurrences, invocation.operands);
    const output = new OutputFile(invocation, request.output);
    const stage = sorted(invocation, request, output);
    try {
      let step = await stage.next();
      for (; step.done !== true; step = await stage.next()) if (!output.takes(step.value)) yield step.value;
      output.commit();
      return step.value;
    } catch (thrown) {
      if (!(thrown instanceof SortTrouble)) throw thrown;
      invocation.warn(thrown.message);
      return 2;
    } finally {
      // Where nobody wants the rest, files and what was put aside are let go of.
      await stage.return(0);
      output.abort();
    }
  },
});

type Sorting = Invocation<typeof flags>;

/** Throws SortTrouble. */
async function* sorted(invocation: Sorting, request: Request, output: OutputFile): AsyncGenerator<Uint8Array, number> {
  const { operands, limits } = invocation;
  const { keys, tab, reverse, unique, lineEnd, check } = request;
  const named = request.filesFrom === undefined ? operands : await filesNamedIn(invocation, request.filesFrom);
  if (request.filesFrom !== undefined) keysAfterNames(keys);
  const inputs = named.length === 0 ? ["-"] : named;
  const needsSalt = keys.some((key) => key.random);
  const order: Order = {
    keys,
    tab,
    lastResort: !unique && !request.stable,
    reverse,
    salt: needsSalt ? await saltOf(invocation, request.randomSource) : new Uint8Array(),
  };
  if (check !== undefined) {
    const [file = "-", second] = inputs;
    if (second !== undefined) throw new SortTrouble(extraFile(second, check).message);
    return await checked(invocation, request, order, file);
  }
  for (const file of inputs) checkReadable(invocation, file);
  output.begin();
  if (request.merge) {
    // The first that reads standard input takes more of it at once than a second one would ever see.
    const once = inputs.filter((file, at) => !isStandardInput(file) || inputs.findIndex(isStandardInput) === at);
    const sources = once.map((file) => new LineSource(lineBlocks(reading(invocation, file), limits.lineBytes, lineEnd), lineEnd));
    yield* merged(sources, order, { unique, lineEnd, areSorted: false });
    return 0;
  }
  const runBytes = Math.min(RUN_BYTES, limits.heldBytes / 2);
  const run = new Run(order, lineEnd, runBytes, limits.heldBytes);
  const spills: Spill[] = [];
  try {
    for (const file of inputs) {
      for await (const block of reading(invocation, file, true)) {
        run.add(block);
        if (run.weight > runBytes && run.hasLines) putAside(invocation, run, unique, spills);
      }
      run.endFile();
    }
    if (request.threads >= TOO_MANY_THREADS && run.hasSeveralLines) throw new SortTrouble("memory exhausted");
    if (spills.length === 0) {
      yield* run.sorted(unique, BLOCK_BYTES);
      return 0;
    }
    const blocks = [...spills.map((spill) => spill.blocks()), run.sorted(unique, BLOCK_BYTES)];
    const sources = blocks.map((source) => new LineSource(asynchronous(source), lineEnd));
    yield* merged(sources, order, { unique, lineEnd, areSorted: true });
    return 0;
  } catch (thrown) {
    throw thrown instanceof FileError ? new SortTrouble(`write failed: ${thrown.path}: ${thrown.message}`) : thrown;
  } finally {
    for (const spill of spills) spill.close();
  }
}

/** What a run may hold before it is put aside, in bytes, with the arrays that sort it: so much that the process stays below 200 MB. */
const RUN_BYTES = 52 << 20;
/** What is put aside is read again by blocks of this size, one for each run at once. */
const SPILL_BLOCK_BYTES = 1 << 18;

/** What GNU sort keeps of so many threads fits in no memory, and it asks for it once there are lines to sort. */
const TOO_MANY_THREADS = 2 ** 55;

function keysAfterNames(keys: Request["keys"]): void {
  try {
    checkKeys(keys);
  } catch (thrown) {
    throw thrown instanceof UsageError ? new SortTrouble(thrown.message) : thrown;
  }
}

/** Sorts the lines that `run` holds into temporary space; the run is empty then. Throws LimitReached, FileError. */
function putAside({ files, limits }: Sorting, run: Run, unique: boolean, spills: Spill[]): void {
  const spill = files.openSpill(limits.spillBytes);
  spills.push(spill);
  for (const block of run.sorted(unique, SPILL_BLOCK_BYTES)) spill.write(block);
  run.clear();
}

async function* asynchronous(blocks: Iterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  for (const block of blocks) yield asBuffer(block);
}

async function checked(invocation: Sorting, { unique, lineEnd, check }: Request, order: Order, file: string): Promise<number> {
  const blocks = lineBlocks(reading(invocation, file), invocation.limits.lineBytes, lineEnd);
  const found = await firstDisorder(blocks, lineComparison(order), unique, lineEnd);
  if (found === undefined) return 0;
  if (check === "c") {
    invocation.stderr(`${invocation.name}: ${file}:${found.lineNumber}: disorder: `);
    invocation.stderr(Buffer.concat([found.line, Buffer.of(lineEnd)]));
  }
  return 1;
}

/** The bytes of `file`, with its errors as sort words them. `overwrites`: a block is good only until the next one. */
async function* reading(invocation: Sorting, file: string, overwrites = false): AsyncGenerator<Uint8Array, void> {
  try {
    const source = openInput(invocation, isStandardInput(file) ? "-" : file);
    yield* overwrites ? overwritingBlocks(source) : source;
  } catch (thrown) {
    throw troubleOf(thrown, file);
  }
}
