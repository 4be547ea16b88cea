/** Lines of a dump: an address, then the fields of each type, one line per type. */
import { BlockBuilder } from "../../src/io/output.ts";
import type { ShownType } from "./type-string.ts";

export interface DumpLayout {
  readonly types: readonly ShownType[];
  readonly lineBytes: number;
  /** Show lines that repeat. */
  readonly showsAll: boolean;
  readonly address: (offset: number) => string;
  /** Columns of an address, without a label behind it. */
  readonly addressColumns: number;
}

/** Least common multiple of the types' sizes. */
export function commonBytes(types: readonly ShownType[]): number {
  return types.reduce(
    (least, { bytes }) => (Math.max(least, bytes) % Math.min(least, bytes) === 0 ? Math.max(least, bytes) : least * bytes),
    1,
  );
}

export class LineDump {
  readonly out = new BlockBuilder();
  readonly #layout: DumpLayout;
  /** Columns that all fields of a type share out among them to be as wide as the widest type's. */
  readonly #padding: readonly number[];
  #previous: Buffer | undefined;
  #isStarred = false;
  #offset: number;

  constructor(layout: DumpLayout, offset: number) {
    this.#layout = layout;
    this.#offset = offset;
    const fields = layout.types.map(({ bytes }) => layout.lineBytes / bytes);
    const widest = Math.max(...layout.types.map(({ columns }, at) => (columns + 1) * (fields[at] as number)));
    this.#padding = layout.types.map(({ columns }, at) => widest - columns * (fields[at] as number));
  }

  get offset(): number {
    return this.#offset;
  }

  /** A line's worth of bytes; only the last may be fewer. */
  line(bytes: Buffer): void {
    const { lineBytes, showsAll } = this.#layout;
    const isWhole = bytes.length === lineBytes;
    if (isWhole && !showsAll && this.#previous?.equals(bytes) === true) {
      if (!this.#isStarred) this.out.addText("*\n");
      this.#isStarred = true;
    } else {
      this.#isStarred = false;
      this.#print(bytes);
    }
    if (isWhole) this.#previous = bytes;
    this.#offset += bytes.length;
  }

  /** The address behind the last byte. */
  end(): void {
    const address = this.#layout.address(this.#offset);
    if (address !== "") this.out.addText(`${address}\n`);
  }

  #print(bytes: Buffer): void {
    const { types, lineBytes, address, addressColumns } = this.#layout;
    const start = address(this.#offset);
    const unit = commonBytes(types);
    const missing = (unit - (bytes.length % unit)) % unit;
    const block = missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
    for (const [which, type] of types.entries()) {
      let line = which === 0 ? start : " ".repeat(addressColumns);
      const fields = lineBytes / type.bytes;
      const blank = Math.floor((lineBytes - bytes.length) / type.bytes);
      const padding = this.#padding[which] as number;
      let left = padding;
      for (let field = 0; field < fields - blank; field++) {
        const next = Math.floor((padding * (fields - field - 1)) / fields);
        line += type.text(block, field * type.bytes).padStart(left - next + type.columns);
        left = next;
      }
      if (type.hasTrailer) line += " ".repeat(blank * type.columns + Math.floor((padding * blank) / fields)) + trailer(bytes);
      this.out.addLatin1(`${line}\n`);
    }
  }
}

function trailer(bytes: Buffer): string {
  return `  >${bytes.toString("latin1").replace(/[^ -~]/g, ".")}<`;
}
