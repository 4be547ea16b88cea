/** ELF files, with what libmagic reads from their program and section headers. */
import { kind, type Endian, type Kind, type Sample } from "./sample.ts";

const MACHINES: ReadonlyMap<number, string> = new Map([
  [2, "SPARC"],
  [3, "Intel 80386"],
  [8, "MIPS"],
  [20, "PowerPC or cisco 4500"],
  [21, "64-bit PowerPC or cisco 7500"],
  [22, "IBM S/390"],
  [40, "ARM"],
  [62, "x86-64"],
  [183, "ARM aarch64"],
  [243, "UCB RISC-V"],
  [247, "eBPF"],
  [258, "LoongArch"],
]);

const SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0, "SYSV"],
  [1, "HP-UX"],
  [2, "NetBSD"],
  [3, "GNU/Linux"],
  [4, "GNU/Hurd"],
  [5, "86Open"],
  [6, "Solaris"],
  [7, "Monterey"],
  [8, "IRIX"],
  [9, "FreeBSD"],
  [10, "Tru64"],
  [11, "Novell Modesto"],
  [12, "OpenBSD"],
  [13, "OpenVMS"],
  [14, "HP NonStop Kernel"],
  [15, "AROS Research Operating System"],
  [16, "FenixOS"],
  [17, "Nuxi CloudABI"],
  [97, "ARM"],
  [202, "Cafe OS"],
  [255, "embedded"],
]);

const NOTE_SYSTEMS: readonly string[] = ["Linux", "Hurd", "Solaris", "kFreeBSD", "kNetBSD"];

/** Headers past these are not looked at. */
const MOST_SEGMENTS = 2048;
const MOST_SECTIONS = 32_768;
const MOST_NOTE_BYTES = 65_536;

export function elf(sample: Sample): Kind {
  const bits = CLASSES[sample.byte(4)];
  const endian = ENDIANS[sample.byte(5)];
  const isKnownClass = bits === 32 || bits === 64;
  const hasClass = sample.size > 5;
  const type = endian === undefined || sample.size < 18 ? undefined : sample.uint16(16, endian);
  const isWhole = isKnownClass && endian !== undefined && sample.size >= (bits === 64 ? 64 : 52);
  const facts = isWhole ? new ElfFile(sample, bits, endian).facts() : { words: [], isPie: false };
  const isPie = type === 3 && facts.isPie;
  const parts = ["ELF"];
  if (hasClass && bits !== undefined) parts.push(isKnownClass ? `${bits}-bit` : bits);
  if (hasClass && (endian !== undefined || sample.byte(5) === 0)) parts.push(endian === undefined ? "invalid byte order" : WORDS[endian]);
  if (endian !== undefined) parts.push(...headerWords(sample, endian, isPie));
  const system = SYSTEMS.get(sample.byte(7));
  if (system !== undefined && sample.size > 7) parts.push(`(${system})`);
  const unknownClass = hasClass && !isKnownClass ? `, unknown class ${sample.byte(4)}` : "";
  const mime = isPie ? "application/x-pie-executable" : MIME[type ?? -1];
  const words = `${parts.join(" ").replace(/,$/, "")}${unknownClass}`;
  return kind([words, ...facts.words].join(", "), mime === undefined ? "application/octet-stream" : `${mime}${unknownClass}`);
}

const CLASSES: readonly (string | 32 | 64)[] = ["invalid class", 32, 64];
const ENDIANS: readonly (Endian | undefined)[] = [undefined, "little", "big"];
const WORDS = { little: "LSB", big: "MSB" } as const;
const TYPES: readonly string[] = ["no file type", "relocatable", "executable", "shared object", "core file"];
const MIME: readonly string[] = [
  "application/octet-stream",
  "application/x-object",
  "application/x-executable",
  "application/x-sharedlib",
  "application/x-coredump",
];

/** Type, machine and version, as far as the header goes. */
function headerWords(sample: Sample, endian: Endian, isPie: boolean): readonly string[] {
  const words: string[] = [];
  const type = sample.size < 18 ? undefined : isPie ? "pie executable" : TYPES[sample.uint16(16, endian)];
  if (type !== undefined) words.push(`${type},`);
  if (sample.size >= 20) {
    const machine = MACHINES.get(sample.uint16(18, endian));
    words.push(machine === undefined ? `*unknown arch 0x${sample.uint16(18, endian).toString(16)}*` : `${machine},`);
  }
  const version = sample.size < 24 ? undefined : sample.uint32(20, endian);
  if (version === 0 || version === 1) words.push(version === 0 ? "invalid version" : "version 1");
  return words;
}

class ElfFile {
  readonly #sample: Sample;
  readonly #is64: boolean;
  readonly #endian: Endian;
  #buildId: string | undefined;
  #abi: string | undefined;

  constructor(sample: Sample, bits: 32 | 64, endian: Endian) {
    this.#sample = sample;
    this.#is64 = bits === 64;
    this.#endian = endian;
  }

  facts(): { readonly words: readonly string[]; readonly isPie: boolean } {
    const words: string[] = [];
    let isPie = false;
    let isDynamic = false;
    let interpreter: string | undefined;
    const type = this.#half(16);
    for (const segment of this.#segments()) {
      if (segment.type === 2) {
        isDynamic = true;
        isPie = this.#isPie(segment.offset, segment.size);
      } else if (segment.type === 3) interpreter = this.#sample.text(segment.offset, segment.size).split("\0")[0];
      else if (segment.type === 4) this.#readNotes(segment.offset, segment.size);
    }
    const sections = [...this.#sections()];
    for (const section of sections) if (section.type === 7) this.#readNotes(section.offset, section.size);
    if (type === 2 || type === 3) {
      words.push(isDynamic ? "dynamically linked" : "statically linked");
      if (interpreter !== undefined && interpreter !== "") words.push(`interpreter ${interpreter}`);
    }
    if (this.#buildId !== undefined) words.push(this.#buildId);
    if (this.#abi !== undefined) words.push(this.#abi);
    if (type >= 1 && type <= 3) {
      if (sections.length === 0 && this.#half(this.#is64 ? 60 : 48) === 0) words.push("no section header");
      else if (sections.length === 0) words.push(`missing section headers at ${this.#word(this.#is64 ? 40 : 32)}`);
      else {
        if (sections.some(({ name }) => name === ".debug_info")) words.push("with debug_info");
        words.push(sections.some((section) => section.type === 2) ? "not stripped" : "stripped");
      }
    }
    return { words, isPie };
  }

  *#segments(): Generator<{ type: number; offset: number; size: number }> {
    const start = this.#word(this.#is64 ? 32 : 28);
    const entry = this.#half(this.#is64 ? 54 : 42);
    const count = Math.min(MOST_SEGMENTS, this.#half(this.#is64 ? 56 : 44));
    for (let at = 0; at < count; at++) {
      const from = start + at * entry;
      const [offset, size] = this.#is64 ? [from + 8, from + 32] : [from + 4, from + 16];
      yield { type: this.#int(from), offset: this.#word(offset), size: this.#word(size) };
    }
  }

  *#sections(): Generator<{ type: number; offset: number; size: number; name: string }> {
    const start = this.#word(this.#is64 ? 40 : 32);
    const entry = this.#half(this.#is64 ? 58 : 46);
    const count = Math.min(MOST_SECTIONS, this.#half(this.#is64 ? 60 : 48));
    if (start === 0 || start + count * entry > this.#sample.size) return;
    const read = (at: number): { type: number; offset: number; size: number; nameAt: number } => {
      const from = start + at * entry;
      const [offset, size] = this.#is64 ? [from + 24, from + 32] : [from + 16, from + 20];
      return { nameAt: this.#int(from), type: this.#int(from + 4), offset: this.#word(offset), size: this.#word(size) };
    };
    const names = read(this.#half(this.#is64 ? 62 : 50)).offset;
    for (let at = 0; at < count; at++) {
      const section = read(at);
      yield { ...section, name: this.#sample.text(names + section.nameAt, 64).split("\0")[0] as string };
    }
  }

  /** DT_FLAGS_1 with DF_1_PIE. */
  #isPie(offset: number, size: number): boolean {
    const width = this.#is64 ? 16 : 8;
    for (let at = offset; at + width <= offset + size && at < this.#sample.size; at += width) {
      const tag = this.#word(at);
      if (tag === 0) return false;
      if (tag === 0x6ffffffb) return (this.#int(at + width / 2) & 0x08000000) !== 0;
    }
    return false;
  }

  #readNotes(offset: number, size: number): void {
    const padded = (length: number): number => (length + 3) & ~3;
    const end = Math.min(offset + size, offset + MOST_NOTE_BYTES, this.#sample.size);
    for (let at = offset; at + 12 <= end; ) {
      const nameLength = this.#int(at);
      const length = this.#int(at + 4);
      const type = this.#int(at + 8);
      const name = this.#sample.text(at + 12, nameLength).replace(/\0+$/, "");
      const content = at + 12 + padded(nameLength);
      if (name === "GNU" && type === 3 && length >= 4 && length <= 20) {
        const hash = length === 20 ? "sha1" : length === 16 ? "md5/uuid" : length === 8 ? "xxHash" : "unknown";
        this.#buildId ??= `BuildID[${hash}]=${Buffer.from(this.#sample.text(content, length), "latin1").toString("hex")}`;
      } else if (name === "GNU" && type === 1 && length === 16) {
        const system = NOTE_SYSTEMS[this.#int(content)] ?? "<unknown>";
        const version = [4, 8, 12].map((more) => this.#int(content + more)).join(".");
        this.#abi ??= `for GNU/${system} ${version}`;
      }
      at = content + padded(length);
    }
  }

  #half(at: number): number {
    return this.#sample.uint16(at, this.#endian);
  }

  #int(at: number): number {
    return this.#sample.uint32(at, this.#endian);
  }

  /** An address or offset: of eight bytes only what a file of ours can hold. */
  #word(at: number): number {
    if (!this.#is64) return this.#int(at);
    const [low, high] = this.#endian === "little" ? [at, at + 4] : [at + 4, at];
    return this.#int(low) + this.#int(high) * 2 ** 32;
  }
}
