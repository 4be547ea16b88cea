/**
 * The rails of `git log --graph`. Each commit is drawn in lines: what makes room for a merge of many, the commit's own,
 * the edges of a merge, and the edges that move towards their columns. Text goes on beside them.
 */

/** A commit as the graph needs it: the parents are those that are shown too. */
export interface GraphCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** `*`, `o` (a boundary), `<`, `>`, `=`, `+`. */
  readonly mark: string;
}

type Row = "padding" | "skip" | "before" | "commit" | "edges" | "collapsing";

const NONE = -1;

export class Graph {
  #commit: GraphCommit | undefined;
  #columns: string[] = [];
  #next: string[] = [];
  /** Target of the edge at each position of the line: a column, or NONE. */
  #mapping: number[] = [];
  #oldMapping: number[] = [];
  #row: Row = "padding";
  #rowBefore: Row = "padding";
  #width = 0;
  #place = 0;
  #placeBefore = 0;
  /** 0 where the first parent's edge leads left, 1 where it goes straight down. */
  #layout = 0;
  #edges = 0;
  #edgesBefore = 0;
  #expanded = 0;

  /** Takes the next commit; what is left of the one before is not drawn. */
  update(commit: GraphCommit): void {
    this.#commit = commit;
    this.#placeBefore = this.#place;
    this.#updateColumns(commit);
    this.#expanded = 0;
    this.#row = this.#row !== "padding" ? "skip" : this.#needsRoom() ? "before" : "commit";
  }

  get isFinished(): boolean {
    return this.#row === "padding";
  }

  /** The lines up to the commit's own, which ends without a newline. */
  commitLines(): string {
    if (this.isFinished) return this.paddingLine();
    let text = "";
    while (!this.isFinished) {
      const isCommit = this.#row === "commit";
      text += this.nextLine();
      if (isCommit) break;
      text += "\n";
    }
    return text;
  }

  /** Lines of text beside the graph; it is drawn to its end below them. */
  beside(text: string): string {
    let out = "";
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline + 1;
      out += text.slice(at, end);
      if (newline >= 0 && end < text.length) out += this.nextLine();
      at = end;
    }
    if (this.isFinished) return out;
    const endsInNewline = text.endsWith("\n");
    if (!endsInNewline) out += "\n";
    out += this.remainder();
    return endsInNewline ? `${out}\n` : out;
  }

  /** The remaining lines of the commit, without a last newline. */
  remainder(): string {
    const lines: string[] = [];
    while (!this.isFinished) lines.push(this.nextLine());
    return lines.join("\n");
  }

  /** A line that only goes on. */
  paddingLine(): string {
    if (this.#row !== "commit") return this.nextLine();
    const commit = this.#commit as GraphCommit;
    const line = this.#columns
      .map((column) => `|${column === commit.id && commit.parents.length > 2 ? " ".repeat((commit.parents.length - 2) * 2) : " "}`)
      .join("");
    this.#rowBefore = "padding";
    return line.padEnd(this.#width);
  }

  nextLine(): string {
    let line = "";
    switch (this.#row) {
      case "padding":
        line = "| ".repeat(this.#next.length);
        break;
      case "skip":
        line = "...";
        this.#enter(this.#needsRoom() ? "before" : "commit");
        break;
      case "before":
        line = this.#roomLine();
        break;
      case "commit":
        line = this.#commitLine();
        break;
      case "edges":
        line = this.#edgesLine();
        break;
      case "collapsing":
        line = this.#collapsingLine();
        break;
    }
    return line.padEnd(this.#width);
  }

  #enter(row: Row): void {
    this.#rowBefore = this.#row;
    this.#row = row;
  }

  #updateColumns(commit: GraphCommit): void {
    [this.#columns, this.#next] = [this.#next, []];
    this.#mapping = new Array<number>(2 * (this.#columns.length + commit.parents.length)).fill(NONE);
    this.#width = 0;
    this.#edgesBefore = this.#edges;
    this.#edges = 0;
    let isSeen = false;
    for (let at = 0; at <= this.#columns.length; at++) {
      if (at === this.#columns.length && isSeen) break;
      const column = this.#columns[at] ?? commit.id;
      if (column !== commit.id) {
        this.#insert(column, NONE);
        continue;
      }
      isSeen = true;
      this.#place = at;
      this.#layout = NONE;
      for (const parent of commit.parents) this.#insert(parent, at);
      if (commit.parents.length === 0) this.#width += 2;
    }
    while (this.#mapping.length > 1 && (this.#mapping.at(-1) as number) < 0) this.#mapping.pop();
  }

  #insert(id: string, from: number): void {
    let column = this.#next.indexOf(id);
    if (column < 0) column = this.#next.push(id) - 1;
    let position: number;
    const count = this.#commit?.parents.length ?? 0;
    if (count > 1 && from > NONE && this.#layout === NONE) {
      const distance = from - column;
      const shift = distance > 1 ? 2 * distance - 3 : 1;
      this.#layout = distance > 0 ? 0 : 1;
      this.#edges = count + this.#layout - 2;
      position = this.#width + (this.#layout - 1) * shift;
      this.#width += 2 * this.#layout;
    } else if (this.#edges > 0 && column === this.#mapping[this.#width - 2]) {
      position = this.#width - 2;
      this.#edges = -1;
    } else {
      position = this.#width;
      this.#width += 2;
    }
    this.#mapping[position] = column;
  }

  get #dashes(): number {
    return (this.#commit?.parents.length ?? 0) + this.#layout - 3;
  }

  #needsRoom(): boolean {
    const count = this.#commit?.parents.length ?? 0;
    return count >= 3 && this.#place < this.#columns.length - 1 && this.#expanded < this.#dashes * 2;
  }

  get #isSettled(): boolean {
    return this.#mapping.every((target, at) => target < 0 || target === at >> 1);
  }

  #roomLine(): string {
    let line = "";
    let isSeen = false;
    this.#columns.forEach((column, at) => {
      if (column === this.#commit?.id) {
        isSeen = true;
        line += `|${" ".repeat(this.#expanded)}`;
      } else if (isSeen && this.#expanded === 0) line += this.#rowBefore === "edges" && this.#placeBefore < at ? "\\" : "|";
      else line += isSeen ? "\\" : "|";
      line += " ";
    });
    this.#expanded++;
    if (!this.#needsRoom()) this.#enter("commit");
    return line;
  }

  #commitLine(): string {
    const commit = this.#commit as GraphCommit;
    let line = "";
    let isSeen = false;
    for (let at = 0; at <= this.#columns.length; at++) {
      if (at === this.#columns.length && isSeen) break;
      const column = this.#columns[at] ?? commit.id;
      if (column === commit.id) {
        isSeen = true;
        line += commit.mark;
        if (commit.parents.length > 2) for (let dash = 0; dash < this.#dashes; dash++) line += dash === this.#dashes - 1 ? "-." : "--";
      } else if (isSeen && this.#edges > 1) line += "\\";
      else if (isSeen && this.#edges === 1)
        line += this.#rowBefore === "edges" && this.#edgesBefore > 0 && this.#placeBefore < at ? "\\" : "|";
      else if (this.#rowBefore === "collapsing" && this.#oldMapping[2 * at + 1] === at && (this.#mapping[2 * at] ?? NONE) < at) line += "/";
      else line += "|";
      line += " ";
    }
    this.#enter(commit.parents.length > 1 ? "edges" : this.#isSettled ? "padding" : "collapsing");
    return line;
  }

  #edgesLine(): string {
    const commit = this.#commit as GraphCommit;
    let line = "";
    let isSeen = false;
    let isUnder = false;
    for (let at = 0; at <= this.#columns.length; at++) {
      if (at === this.#columns.length && isSeen) break;
      const column = this.#columns[at] ?? commit.id;
      if (column === commit.id) {
        isSeen = true;
        let shape = this.#layout;
        for (let parent = 0; parent < commit.parents.length; parent++) {
          line += "/|\\"[shape] ?? "";
          if (shape === 2) line += this.#edges > 0 || parent < commit.parents.length - 1 ? " " : "";
          else shape++;
        }
        if (this.#edges === 0) line += " ";
      } else if (isSeen) line += this.#edges > 0 ? "\\ " : "| ";
      else {
        line += "|";
        if (this.#layout !== 0 || at !== this.#place - 1) line += isUnder ? "_" : " ";
      }
      if (column === commit.parents[0]) isUnder = true;
    }
    this.#enter(this.#isSettled ? "padding" : "collapsing");
    return line;
  }

  #collapsingLine(): string {
    let edge = NONE;
    let edgeTarget = NONE;
    const old = this.#mapping;
    const mapping = new Array<number>(old.length).fill(NONE);
    const goAcross = (target: number, at: number, from: number): void => {
      if (edge !== NONE) return;
      edge = from;
      edgeTarget = target;
      for (let across = target * 2 + 3; across < at - 2; across += 2) mapping[across] = target;
    };
    old.forEach((target, at) => {
      if (target < 0) return;
      if (target * 2 === at) mapping[at] = target;
      else if ((mapping[at - 1] ?? NONE) < 0) {
        mapping[at - 1] = target;
        goAcross(target, at, at);
      } else if (mapping[at - 1] !== target) {
        mapping[at - 2] = target;
        goAcross(target, at, at - 1);
      }
    });
    this.#mapping = mapping;
    this.#oldMapping = [...mapping];
    if ((mapping.at(-1) ?? 0) < 0) mapping.pop();
    let line = "";
    let isAcross = false;
    mapping.forEach((target, at) => {
      if (target < 0) line += " ";
      else if (target * 2 === at) line += "|";
      else if (target === edgeTarget && at !== edge - 1) {
        if (at !== target * 2 + 3) mapping[at] = NONE;
        isAcross = true;
        line += "_";
      } else {
        if (isAcross && at < edge) mapping[at] = NONE;
        line += "/";
      }
    });
    if (this.#isSettled) this.#enter("padding");
    return line;
  }
}
