/** A difference as a table of two sides, which a narrow screen shows one below the other. */
import type { DiffRow } from "../side-by-side.ts";
import type { RecordedDifference } from "../recorded-difference.ts";
import { make } from "./elements.ts";

export function differenceTable({ rows, isCut, isBinary }: RecordedDifference, path: string): Node[] {
  if (isBinary) return [make("p", { class: "note", text: "Binary content is not shown. It can be downloaded." })];
  if (rows.length === 0) return [make("p", { class: "note", text: "No line differs." })];
  // A narrow screen lays cells out as blocks, and a browser then forgets what they are unless they say so.
  const head = make(
    "thead",
    { role: "rowgroup" },
    make(
      "tr",
      { role: "row" },
      ...["Line", "Before", "Line", "After"].map((text) => make("th", { scope: "col", role: "columnheader", text })),
    ),
  );
  const table = make(
    "table",
    { class: "diff", role: "table" },
    make("caption", { text: `What the record changed in ${path}` }),
    head,
    make("tbody", { role: "rowgroup" }, ...rows.map(rowOf)),
  );
  // What scrolls must be within reach of the keyboard.
  const shown = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Difference" }, table);
  return isCut ? [shown, make("p", { class: "note", text: "The rest is not shown. The whole file can be downloaded." })] : [shown];
}

function rowOf(row: DiffRow): HTMLTableRowElement {
  if (row.kind === "gap") {
    return make(
      "tr",
      { class: "gap", role: "row" },
      make(
        "td",
        { colspan: "4", role: "cell" },
        make("span", { "aria-hidden": "true", text: "⋯" }),
        make("span", { class: "hidden", text: "equal lines are left out" }),
      ),
    );
  }
  const cells = (line: DiffRow["old"], name: string): Node[] => [
    make("td", { class: `n ${name}n`, role: "cell", text: String(line?.number ?? "") }),
    make("td", { class: name, role: "cell", text: line?.text ?? "" }),
  ];
  return make("tr", { class: row.kind, role: "row" }, ...cells(row.old, "o"), ...cells(row.now, "w"));
}
