/** Begin and end of each field of a record's bytes, found only as far as they are asked for. */
export class FieldTable {
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  /** Number of fields found so far. */
  count = 0;
  /** Position at which the splitter goes on. */
  at = 0;
  isComplete = false;
  /** Fields whose text is not their bytes (CSV), by index from 0. */
  decoded: Map<number, string> | undefined;

  reset(from: number): void {
    this.count = 0;
    this.at = from;
    this.isComplete = false;
    this.decoded = undefined;
  }

  add(start: number, end: number): void {
    const { count } = this;
    if (count === this.starts.length) this.#grow();
    this.starts[count] = start;
    this.ends[count] = end;
    this.count = count + 1;
  }

  #grow(): void {
    const starts = new Int32Array(this.starts.length * 2);
    const ends = new Int32Array(starts.length);
    starts.set(this.starts);
    ends.set(this.ends);
    this.starts = starts;
    this.ends = ends;
  }
}
