/** file: the kinds of files, by their contents. */
import { defineBuiltin, type Invocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { isStandardInput, openInput } from "../../src/builtin/inputs.ts";
import { characterWidth, isPrintable } from "../../src/display/character-width.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import { flags } from "./flags.ts";
import { identify } from "./identify.ts";
import { Sample } from "./sample.ts";

/** So much of a file is looked at, and of JSON as much as libmagic reads. */
const BEGINNING_BYTES = 131_072;
const JSON_BYTES = 7_340_032;

type Flags = typeof flags;

/** libmagic gives a column to what has none, and to a byte that is no text as many as its number in octal has. */
function nameWidth(name: string): number {
  const width = (code: number): number => (code >= 0xdc80 && code <= 0xdcff ? 4 : Math.max(1, characterWidth(code)));
  return [...name].reduce((sum, character) => sum + width(character.codePointAt(0) ?? 0), 0);
}

/** What begins so was not told by its content: a comma stands before it where something else does. */
const PLAIN_TEXT = /^(?:ASCII|ISO-8859|Non-ISO|Unicode)/;

function bitWords({ permissions }: FileStatus): string {
  const bits = [permissions & 0o4000 && "setuid", permissions & 0o2000 && "setgid", permissions & 0o1000 && "sticky"];
  return bits.filter((word) => word !== 0).join(", ");
}

const USAGE = `Usage: file [-bcCdEhikLlNnprsSvzZ0] [--apple] [--extension] [--mime-encoding]
            [--mime-type] [-e <testname>] [-F <separator>]  [-f <namefile>]
            [-m <magicfiles>] [-P <parameter=value>] [--exclude-quiet]
            <file> ...
       file -C [-m <magicfiles>]
       file [--help]
`;

export const file = defineBuiltin({
  name: "file",
  summary: "Say what kind of thing each file is, by its content.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/file.html",
  reference: "file 5.44",
  operands: { kind: "paths", access: "read" },
  flags,
  looksAt: "below",
  usageHint: () => USAGE,
  examples: [
    { command: "file a.txt", files: { "a.txt": "hello\n" }, stdout: "a.txt: ASCII text\n" },
    { command: "file -b --mime-type a.json", files: { "a.json": "{}\n" }, stdout: "application/json\n" },
    { command: "file -b run.sh", files: { "run.sh": "#!/bin/bash\nls\n" }, stdout: "Bourne-Again shell script, ASCII text executable\n" },
  ],
  deviations: [
    {
      from: "file 5.44",
      what: "of libmagic's some thousand kinds the hundred and fifty met with in source trees are known; the rest is data or text",
      why: "its table is written in a language of its own, which is not read here",
    },
    {
      from: "file 5.44",
      what: "languages of source text may be told otherwise where several would fit; EBCDIC and UTF-7 are not recognized",
      why: "libmagic weighs hundreds of patterns",
    },
    { from: "file 5.44", what: "-k, -z, -Z, -s, -p, -m, -e, -P, --extension and --apple are refused", why: "see their reasons" },
  ],
  async *run(invocation) {
    const { operands, stderr } = invocation;
    const settings = settingsOf(invocation);
    const run = new FileRun(invocation, settings);
    if (operands.length === 0 && settings.lists.length === 0) {
      stderr(USAGE);
      return 1;
    }
    for (const list of settings.lists) {
      let names: readonly string[];
      try {
        names = await run.namesIn(list);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        stderr(`file: Cannot open \`${list}' (${thrown.message})\n`);
        return 1;
      }
      yield* run.report(names, !settings.flushes);
    }
    yield* run.report(operands);
    return run.exit;
  },
});

interface Settings {
  /** Files of names. */
  readonly lists: readonly string[];
  readonly brief: boolean;
  readonly showsMimeType: boolean;
  readonly showsMimeEncoding: boolean;
  readonly separator: string;
  readonly isPadded: boolean;
  /** 1: after each name; 2: also at the end of each line. */
  readonly nuls: number;
  readonly follows: boolean;
  /** Each line is printed at once. */
  readonly flushes: boolean;
  readonly raw: boolean;
  readonly failOnError: boolean;
}

function settingsOf({ flags: given, occurrences }: Invocation<Flags>): Settings {
  const { filesFrom, brief, mime, mimeType, mimeEncoding, separator, noPad, print0, ...more } = given;
  const { dereference, noBuffer, raw, failOnError, ...others } = more;
  allFlagsRead(others);
  return {
    lists: filesFrom,
    brief,
    showsMimeType: mime || mimeType,
    showsMimeEncoding: mime || mimeEncoding,
    separator,
    isPadded: !noPad,
    nuls: print0 ? occurrences.filter(({ key }) => key === "print0").length : 0,
    follows: dereference,
    flushes: noBuffer,
    raw,
    failOnError,
  };
}

class FileRun {
  readonly #invocation: Invocation<Flags>;
  readonly #settings: Settings;
  exit = 0;

  constructor(invocation: Invocation<Flags>, settings: Settings) {
    this.#invocation = invocation;
    this.#settings = settings;
  }

  async namesIn(list: string): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const block of lineBlocks(openInput(this.#invocation, list), this.#invocation.limits.lineBytes)) {
      for (const line of linesOf(block)) names.push(toText(line));
    }
    return names;
  }

  async *report(operands: readonly string[], isAligned = true): AsyncGenerator<Uint8Array, void> {
    const { brief, separator, isPadded, nuls, flushes } = this.#settings;
    const names = operands.map((operand) => (operand === "-" ? "/dev/stdin" : operand)).map((name) => this.#shown(name));
    const width = isAligned ? Math.max(0, ...names.map(nameWidth)) : 0;
    // Where all of them are empty none is told.
    const hasNames = !isAligned || width > 0;
    const output = new BlockBuilder();
    for (const [at, operand] of operands.entries()) {
      const name = names[at] as string;
      const what = await this.#describe(operand);
      if (!brief && hasNames) {
        output.add(toBytes(name));
        if (nuls > 0) output.addByte(0);
        if (nuls < 2) {
          const fill = isPadded ? " ".repeat(Math.max(0, width - nameWidth(name))) : "";
          output.add(toBytes(`${separator}${fill} `));
        }
      }
      output.add(toBytes(what));
      output.addByte(nuls > 1 ? 0 : 10);
      if (flushes || output.full || at % 64 === 63) yield output.take();
    }
    if (!output.empty) yield output.take();
  }

  async #describe(operand: string): Promise<string> {
    if (isStandardInput(operand)) return this.#content(await this.#standardInput());
    const { files } = this.#invocation;
    let status: FileStatus;
    try {
      status = files.status(operand, { follow: this.#settings.follows });
      if (status.kind === "symlink") return this.#link(operand);
      if (status.kind !== "file" || status.size === 0) return this.#special(status);
    } catch (thrown) {
      return this.#unreadable(operand, thrown);
    }
    try {
      const bits = this.#isMime ? "" : bitWords(status);
      const what = this.#regular(operand);
      return bits === "" ? what : `${bits} ${PLAIN_TEXT.test(what) ? ", " : ""}${what}`;
    } catch (thrown) {
      if (!(thrown instanceof FileError) || thrown.code !== "EACCES") return this.#unreadable(operand, thrown);
      if (this.#isMime) return this.#asMime("application/octet-stream", "binary");
      const may = (["write", "execute"] as const)
        .filter((wanted) => files.access(operand, wanted))
        .map((wanted) => `${wanted === "write" ? "writable" : "executable"}, `);
      return `${may.join("")}regular file, no read permission`;
    }
  }

  #unreadable(operand: string, thrown: unknown): string {
    if (!(thrown instanceof FileError)) throw thrown;
    if (!this.#settings.failOnError) return `cannot open \`${this.#inMessage(operand)}' (${thrown.message})`;
    this.exit = 1;
    return `ERROR: cannot stat \`${operand}' (${thrown.message})`;
  }

  /** What a link leads to is not asked beyond whether it is there. */
  #link(operand: string): string {
    const { files } = this.#invocation;
    let broken: FileError | undefined;
    try {
      files.status(operand);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      if (thrown.code !== "SYMLINK_ESCAPE" && thrown.code !== "EACCES") broken = thrown;
    }
    if (this.#isMime && broken === undefined) return this.#asMime("inode/symlink", "binary");
    if (this.#settings.showsMimeType) return "inode/symlink";
    if (this.#isMime) {
      // What libmagic has no text for.
      this.exit = 1;
      return "ERROR: (null)";
    }
    const what = `symbolic link to ${this.#inMessage(files.readLink(operand))}`;
    if (broken === undefined) return what;
    if (!this.#settings.failOnError) return `broken ${what}`;
    this.exit = 1;
    return `ERROR: broken symbolic link to ${files.readLink(operand)} (${broken.message})`;
  }

  /** Set-uid and the like, and what needs no look at the content. */
  #special(status: FileStatus): string {
    const { kind, size, specialDevice } = status;
    const isKnown = kind !== "file" || size === 0;
    if (this.#isMime) return isKnown ? this.#asMime(`inode/${kind === "file" ? "x-empty" : MIME_KINDS[kind]}`, "binary") : "";
    const bits = bitWords(status);
    const prefix = bits === "" ? "" : `${bits}, `;
    if (kind === "file") return prefix + (size === 0 ? "empty" : "");
    const numbers = `(${(specialDevice >> 8n) & 0xfffn}/${(specialDevice & 0xffn) | ((specialDevice >> 12n) & 0xfff00n)})`;
    return `${prefix}${KINDS[kind]}${kind.endsWith("device") ? ` ${numbers}` : ""}`;
  }

  #content(sample: Sample): string {
    if (sample.size === 0) return this.#isMime ? this.#asMime("inode/x-empty", "binary") : "empty";
    const { description, mime, charset } = identify(sample);
    return this.#isMime ? this.#asMime(mime, charset) : this.#shown(toText(Buffer.from(description, "latin1")));
  }

  /** The tables are asked while the file is open: some look far into it. */
  #regular(operand: string): string {
    const opened = this.#invocation.files.open(operand);
    try {
      const read = (most: number): Buffer => {
        const bytes = Buffer.alloc(Math.min(most, opened.status.size));
        let used = 0;
        for (let count = 1; used < bytes.length && count > 0; used += count) count = opened.readAt(bytes.subarray(used), used);
        return bytes.subarray(0, used);
      };
      const beginning = read(BEGINNING_BYTES);
      const mayBeJson = opened.status.size > BEGINNING_BYTES && /^\s*[[{]/.test(beginning.toString("latin1", 0, 1024));
      const bytes = mayBeJson ? read(JSON_BYTES) : beginning;
      return this.#content(new Sample(bytes, opened.status.size, (into, at) => opened.readAt(into, at)));
    } finally {
      opened.close();
    }
  }

  async #standardInput(): Promise<Sample> {
    const blocks: Uint8Array[] = [];
    let length = 0;
    for (let block = await this.#invocation.stdin.read(); block !== undefined; block = await this.#invocation.stdin.read()) {
      blocks.push(Buffer.from(block));
      length += block.length;
      if (length >= JSON_BYTES) break;
    }
    return new Sample(Buffer.concat(blocks), length);
  }

  get #isMime(): boolean {
    return this.#settings.showsMimeType || this.#settings.showsMimeEncoding;
  }

  #asMime(type: string, charset: string): string {
    const { showsMimeType, showsMimeEncoding } = this.#settings;
    if (showsMimeType && showsMimeEncoding) return `${type}; charset=${charset}`;
    return showsMimeType ? type : charset;
  }

  /** Unprintable characters in octal. */
  /** As what libmagic says of a file: where a byte of it is no text, none is taken for one that is not ASCII. */
  #inMessage(text: string): string {
    if (this.#settings.raw || text.isWellFormed()) return this.#shown(text);
    return [...toBytes(text)].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : octalEscape(byte))).join("");
  }

  #shown(text: string): string {
    if (this.#settings.raw || /^[ -~]*$/.test(text)) return text;
    let out = "";
    for (const character of text) {
      if (isPrintable(character.codePointAt(0) as number)) out += character;
      else for (const byte of toBytes(character)) out += octalEscape(byte);
    }
    return out;
  }
}

const octalEscape = (byte: number): string => `\\${byte.toString(8).padStart(3, "0")}`;

const KINDS = {
  directory: "directory",
  symlink: "symbolic link",
  fifo: "fifo (named pipe)",
  socket: "socket",
  "character-device": "character special",
  "block-device": "block special",
} as const;

const MIME_KINDS = {
  directory: "directory",
  symlink: "symlink",
  fifo: "fifo",
  socket: "socket",
  "character-device": "chardevice",
  "block-device": "blockdevice",
} as const;
