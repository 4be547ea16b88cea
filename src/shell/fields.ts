/** Field splitting (POSIX 2.6.5, as bash does it): cuts the unquoted results of expansions at the characters of IFS. */

export interface Segment {
  readonly text: string;
  /**
   * "typed": text of the word itself, outside quotes; "split": from an expansion outside quotes; "break": a field ends between the
   * elements of a list, and where nothing is split its text joins them.
   */
  readonly kind: "quoted" | "typed" | "split" | "break";
  /** For a break: it cuts as a character of IFS that is no blank does, so that an empty element between two makes a field. */
  readonly cuts?: boolean;
  /** True if the text was typed in the line, false if it is data that came while the line ran. */
  readonly typed: boolean;
}

export type Field = readonly Segment[];

/** `ifs` empty: nothing is split. */
export function splitFields(segments: readonly Segment[], ifs: string): readonly Field[] {
  const fields: Segment[][] = [];
  let field: Segment[] | undefined;
  let closedByBlank = false;
  const close = (): void => {
    if (field !== undefined) fields.push(field);
    field = undefined;
  };
  for (const segment of segments) {
    if (segment.kind === "break") {
      if (field === undefined && segment.cuts === true && !closedByBlank) fields.push([]);
      close();
      closedByBlank = false;
      continue;
    }
    if (segment.kind !== "split") {
      (field ??= []).push(segment);
      closedByBlank = false;
      continue;
    }
    const { text } = segment;
    for (let at = 0; at < text.length; ) {
      let end = at;
      while (end < text.length && !ifs.includes(text[end] as string)) end++;
      if (end > at) {
        (field ??= []).push({ ...segment, text: text.slice(at, end) });
        closedByBlank = false;
      }
      if (end === text.length) break;
      if (DEFAULT_BLANKS.includes(text[end] as string)) {
        if (field !== undefined) closedByBlank = true;
        close();
      } else if (field !== undefined) {
        close();
        closedByBlank = false;
      } else if (closedByBlank) {
        closedByBlank = false;
      } else {
        fields.push([]);
      }
      at = end + 1;
    }
  }
  close();
  return fields;
}

/** The characters of IFS of which several are one separator. */
export const DEFAULT_BLANKS = " \t\n";

export const fieldText = (field: Field): string => field.map((segment) => segment.text).join("");
