/** Names in columns, as git-column(1) sets them, and the flags and settings that ask for it. */
import { textWidth } from "../../../src/display/character-width.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import type { Config, Setting } from "../config.ts";
import { GitError } from "../git-error.ts";
import type { Options } from "./options.ts";

export interface ColumnStyle {
  readonly isOn: boolean;
  readonly layout: "column" | "row" | "plain";
  /** Columns are as wide as what stands in them. */
  readonly isDense: boolean;
}

const OFF: ColumnStyle = { isOn: false, layout: "column", isDense: false };

/** The style that column.ui, column.NAME and the flags ask for. Throws GitError. */
export function columnStyle(config: Config, name: string, options: Options<"--column" | "--no-column">): ColumnStyle {
  let style = configuredStyle(config, name);
  for (const { name: flag, value } of options.each("--column", "--no-column"))
    style = flag === "--no-column" ? { ...style, isOn: false } : styleIn({ ...style, isOn: true }, fromWord(value ?? ""));
  return style;
}

/** Throws GitError. */
export function configuredStyle({ settings }: Config, name: string | undefined): ColumnStyle {
  let style = OFF;
  for (const setting of settings)
    if (setting.name === "column.ui" || setting.name === `column.${name ?? "ui"}`) style = styleIn(style, setting.value ?? "", setting);
  return style;
}

/** The style with what the words of `text` change. Throws GitError. */
export function styleIn(before: ColumnStyle, text: string, setting?: Setting): ColumnStyle {
  let style = before;
  let isSwitched = false;
  let hasLayout = false;
  for (const word of text.split(/[ ,]+/)) {
    switch (word) {
      case "":
        break;
      case "always":
      case "never":
      case "auto":
        // There is no terminal that columns would be for.
        style = { ...style, isOn: word === "always" };
        isSwitched = true;
        break;
      case "plain":
      case "column":
      case "row":
        style = { ...style, layout: word };
        hasLayout = true;
        break;
      case "dense":
      case "nodense":
        style = { ...style, isDense: word === "dense" };
        break;
      default:
        throw new GitError(`unsupported option '${word}'${setting === undefined ? "" : settingLines(setting)}`, {
          prefix: "error: ",
          exit: setting === undefined ? 129 : 128,
        });
    }
  }
  return hasLayout && !isSwitched ? { ...style, isOn: true } : style;
}

const settingLines = ({ name, value, isTyped }: Setting): string =>
  `\nerror: invalid ${name} mode ${value ?? ""}\nfatal: ${isTyped === true ? `unable to parse '${name}' from command-line config` : `bad config variable '${name}' in file '.git/config'`}`;

export interface TableOptions {
  readonly width: number;
  readonly indent: string;
  readonly end: string;
  readonly padding: number;
}

/** As on a terminal of 80 columns. */
export const USUAL_TABLE: TableOptions = { width: 79, indent: "", end: "\n", padding: 1 };

export function table(items: readonly string[], { isOn, layout, isDense }: ColumnStyle, options: TableOptions): string {
  const { indent, end, padding } = options;
  if (!isOn) return items.map((item) => `${item}\n`).join("");
  if (layout === "plain") return items.map((item) => indent + item + end).join("");
  if (items.length === 0) return "";
  const widths = items.map((item) => textWidth(toWord(item)));
  const widest = Math.max(...widths) + padding;
  const room = options.width - indent.length;
  let columns = Math.max(1, Math.trunc(room / widest));
  let rows = Math.ceil(items.length / columns);
  const index = (x: number, y: number, height: number, across: number): number => (layout === "column" ? x * height + y : y * across + x);
  const widthOf = (x: number, height: number, across: number): number => {
    let most = 0;
    for (let y = 0; y < height; y++) most = Math.max(most, widths[index(x, y, height, across)] ?? 0);
    return most;
  };
  while (isDense && rows > 1) {
    const fewer = rows - 1;
    const across = Math.ceil(items.length / fewer);
    let total = indent.length;
    for (let x = 0; x < across; x++) total += widthOf(x, fewer, across) + padding;
    if (total > options.width) break;
    [rows, columns] = [fewer, across];
  }
  let text = "";
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const at = index(x, y, rows, columns);
      const item = items[at];
      if (item === undefined) break;
      const isLast = layout === "column" ? at + rows >= items.length : x === columns - 1 || at === items.length - 1;
      const most = isDense ? widthOf(x, rows, columns) : widest - padding;
      const cell = most < widest ? most + padding : widest;
      text += `${x === 0 ? indent : ""}${item}${isLast ? end : " ".repeat(Math.max(0, cell - (widths[at] as number)))}`;
    }
  }
  return text;
}
