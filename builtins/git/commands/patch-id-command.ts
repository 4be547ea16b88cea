/** git patch-id: ids of the patches on standard input, the same for the same change wherever it stands. */
import { GitError } from "../git-error.ts";
import type { ObjectFormat } from "../objects/object-format.ts";
import type { Print } from "../diff/patch.ts";
import { command } from "./command.ts";
import { SWITCH } from "./flags.ts";
import { eachInputLine } from "./standard-input.ts";

const MODES = ["--stable", "--unstable", "--verbatim"] as const;

export const patchId = command({
  worksOutside: true,
  flags: { "--stable": SWITCH, "--unstable": SWITCH, "--verbatim": SWITCH },
  check: (options) => {
    const [one, other] = new Set(options.each(...MODES).map(({ name }) => name));
    return one === undefined || other === undefined ? undefined : [`git patch-id: ${one} and ${other} are two ways`, `git patch-id ${one}`];
  },
  *run({ options, repository, print }) {
    const { config } = repository;
    const typed = options.lastOf(...MODES);
    const isVerbatim = typed === undefined ? config.boolean("patchid.verbatim", false) : typed === "--verbatim";
    const isStable = typed === undefined ? isVerbatim || config.boolean("patchid.stable", false) : typed !== "--unstable";
    const reader = new PatchReader(repository.format, isStable, isVerbatim, print);
    yield* eachInputLine((line) => reader.read(line));
    reader.end();
    return 0;
  },
});

class PatchReader {
  readonly #format: ObjectFormat;
  /** A line that begins with the id of a commit. */
  readonly #id: RegExp;
  readonly #isStable: boolean;
  readonly #isVerbatim: boolean;
  readonly #print: Print;
  /** What is to be hashed. */
  #text: string[] = [];
  /** Sum of the hashes of the files. */
  #sum: Uint8Array;
  #length = 0;
  #commit: string;
  /** Lines that are left of a hunk; undefined in the headers of a file. */
  #before: number | undefined;
  #after: number | undefined;
  #isBinary = false;
  #blobs: readonly string[] | undefined;

  constructor(format: ObjectFormat, isStable: boolean, isVerbatim: boolean, print: Print) {
    this.#format = format;
    this.#id = new RegExp(`^(?:commit |From )?([0-9a-fA-F]{${format.idDigits}})`);
    this.#sum = new Uint8Array(format.idBytes);
    this.#commit = format.noId;
    this.#isStable = isStable;
    this.#isVerbatim = isVerbatim;
    this.#print = print;
  }

  read(whole: string): void {
    // Git's lines are strings of C.
    const line = whole.replace(/\0[^]*/, "");
    // The note that a file has no newline at its end.
    if (line.startsWith("\\ ") && line.length > 12) {
      if (this.#isVerbatim) this.#text.push(line);
      return;
    }
    const [, id] = this.#id.exec(line) ?? [];
    if (id !== undefined) return this.#finish(id.toLowerCase());
    if (this.#length === 0 && !line.startsWith("diff ")) return;
    if (this.#before === undefined) {
      if (line.startsWith("GIT binary patch") || line.startsWith("Binary files")) {
        this.#isBinary = true;
        this.#before = 0;
        if (this.#blobs === undefined) throw new GitError("a binary file without an index line has no id of its own");
        for (const blob of this.#blobs) this.#text.push(blob);
        if (this.#isStable) this.#add();
        return;
      }
      if (line.startsWith("index ")) {
        const [, old, now] = /^index ([^]*?)\.\.([^ \n]*)/.exec(line) ?? [];
        if (old !== undefined && now !== undefined) this.#blobs = [old, now].map((id) => id.slice(0, this.#format.idDigits));
        return;
      }
      if (line.startsWith("--- ")) {
        this.#before = 1;
        this.#after = 1;
      } else if (!/^[A-Za-z]/.test(line)) return this.#finish(this.#format.noId);
    }
    if (this.#isBinary) {
      if (line.startsWith("diff ")) {
        this.#isBinary = false;
        this.#before = undefined;
      }
      return;
    }
    if (this.#before === 0 && this.#after === 0) {
      if (line.startsWith("@@ -")) {
        const [, old, oldCount = "1", now, nowCount = "1"] = /^@@ -([0-9]*)(?:,([0-9]*))? \+([0-9]*)(?:,([0-9]*))?/.exec(line) ?? [];
        if (old !== undefined && now !== undefined) [this.#before, this.#after] = [Number(oldCount), Number(nowCount)];
        return;
      }
      if (!line.startsWith("diff ")) return this.#finish(this.#format.noId);
      if (this.#isStable) this.#add();
      this.#before = undefined;
      this.#after = undefined;
    }
    if (this.#before !== undefined && /^[- ]/.test(line)) this.#before--;
    if (this.#after !== undefined && /^[+ ]/.test(line)) this.#after--;
    const said = this.#isVerbatim ? line : line.replace(/[\t-\r ]+/g, "");
    this.#length += said.length;
    this.#text.push(said);
  }

  end(): void {
    this.#finish(this.#format.noId);
  }

  /** Ends a patch; `next`: the commit that the next one is of. */
  #finish(next: string): void {
    this.#add();
    if (this.#length > 0) this.#print(`${Buffer.from(this.#sum).toString("hex")} ${this.#commit}\n`);
    this.#commit = next;
    this.#sum = new Uint8Array(this.#format.idBytes);
    this.#blobs = undefined;
    this.#length = 0;
    this.#before = undefined;
    this.#after = undefined;
    this.#isBinary = false;
  }

  #add(): void {
    const digest = this.#format.checksumOf(Buffer.from(this.#text.join(""), "latin1"));
    let carry = 0;
    digest.forEach((byte, at) => {
      carry += byte + (this.#sum[at] as number);
      this.#sum[at] = carry & 255;
      carry >>= 8;
    });
    this.#text = [];
  }
}
