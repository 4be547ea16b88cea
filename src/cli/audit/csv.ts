/** Lines of CSV (RFC 4180) that neither a terminal nor a spreadsheet obeys. */
import { showName } from "../../display/visible.ts";

/**
 * One record with its CR LF. Control and invisible characters, newlines among them, are spelled out. A field that a spreadsheet
 * would take for a formula has an apostrophe before it.
 */
export const csvLine = (fields: readonly string[]): string => `${fields.map(csvField).join(",")}\r\n`;

function csvField(text: string): string {
  const shown = `${FORMULA.test(text) ? "'" : ""}${showName(text)}`;
  return PLAIN.test(shown) ? shown : `"${shown.replaceAll('"', '""')}"`;
}

/** Beginnings of formulas, the wide forms that some programs read as the narrow ones, and what some pass over before one. */
const FORMULA = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
/** No separator of any region (a comma, a semicolon, a tab), and nothing to be quoted. */
const PLAIN = /^[\w.:/]*$/;
