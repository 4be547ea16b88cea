/** What gawk says once each where a program sets how input is cut, which --csv has settled. */
export class CsvWarnings {
  readonly #warn: (message: string) => void;
  readonly #said = new Set<string>();
  #lastSeparator = "\n";
  #lastFields = " ";

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** FS, FPAT or FIELDWIDTHS was assigned; FS that stays what it is says nothing. */
  ofFields(name: string, value: string): void {
    if (name === "FS") {
      if (value === this.#lastFields) return;
      this.#lastFields = value;
    }
    this.#ofFields();
  }

  /** RS was assigned: gawk comes to FS, which RS is part of, where that is what RS was. */
  ofRecords(separator: string): void {
    if (separator !== this.#lastSeparator) this.#of("RS");
    else if (this.#said.has("RS")) this.#ofFields();
    this.#lastSeparator = separator;
  }

  #ofFields(): void {
    this.#of("FS/FIELDWIDTHS/FPAT");
  }

  #of(names: string): void {
    if (this.#said.has(names)) return;
    this.#said.add(names);
    this.#warn(`assignment to ${names} has no effect when using --csv`);
  }
}
