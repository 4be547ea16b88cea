/** A screen as a terminal shows it, from what a program has written: as much of ECMA-48 as the prompt of `shelpa` uses. */

interface Cell {
  readonly character: string;
  /** SGR codes in force: "01;34". */
  readonly codes: string;
}

export class TerminalScreen {
  readonly #height: number;
  #rows: Cell[][] = [[]];
  #row = 0;
  #column = 0;
  #codes = "";

  constructor(height: number, written: string) {
    this.#height = height;
    for (const [piece, parameters, letter] of written.matchAll(/\u001b\[([\d;?]*)([A-Za-z])|[^]/gu)) {
      if (letter === undefined) this.#print(piece);
      else this.#obey(letter, parameters ?? "");
    }
  }

  /** Its rows as text, without spaces at their ends. */
  get lines(): readonly string[] {
    return this.#rows.map((row) =>
      Array.from(row, (cell) => cell?.character ?? " ")
        .join("")
        .trimEnd(),
    );
  }

  /** Its rows as HTML. */
  get html(): string {
    const rows = this.#rows.map((row) => Array.from(row, (cell) => htmlOf(cell ?? { character: " ", codes: "" })).join(""));
    return `<meta charset="utf-8"><style>${STYLE}</style><pre>${rows.join("\n")}<b class="cursor"> </b></pre>`;
  }

  #print(character: string): void {
    if (character === "\r") this.#column = 0;
    else if (character === "\n") this.#feed();
    else if (character >= " ") (this.#rows[this.#row] ??= [])[this.#column++] = { character, codes: this.#codes };
  }

  #feed(): void {
    this.#row++;
    if (this.#row < this.#height) return;
    this.#rows.shift();
    this.#row--;
  }

  #obey(letter: string, parameters: string): void {
    if (letter === "m") this.#codes = parameters === "" || parameters === "0" ? "" : parameters;
    if (letter === "G") this.#column = Number(parameters || 1) - 1;
    if (letter === "H") [this.#row, this.#column] = [0, 0];
    if (letter === "J" && parameters === "2") this.#rows = [[]];
    if (letter === "J" && parameters !== "2" && parameters !== "3") this.#rows.length = this.#row + 1;
    if ((letter === "J" && /^0?$/.test(parameters)) || letter === "K") (this.#rows[this.#row] ??= []).length = this.#column;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function htmlOf({ character, codes }: Cell): string {
  const text = ESCAPES[character] ?? character;
  const classes = codes.split(";").flatMap((code) => (code === "" ? [] : [`c${Number(code)}`]));
  return classes.length === 0 ? text : `<b class="${classes.join(" ")}">${text}</b>`;
}

const STYLE = `body { margin: 0; background: #1b1e24 } pre { margin: 0; padding: 16px 20px; color: #d7dae0; font: 15px/1.4 "DejaVu Sans Mono", monospace }
b { font-weight: normal } .c1 { font-weight: bold } .c31 { color: #ff6b6b } .c32 { color: #7ec97e } .c34 { color: #6cb0ff }
.c35 { color: #d38bea } .c36 { color: #58c8c8 } .c7, .cursor { background: #d7dae0; color: #1b1e24 }`;
