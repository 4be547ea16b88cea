/** Settings of a search, from the flags of grep taken together. */

export interface Settings {
  readonly invert: boolean;
  readonly lineEnd: 10 | 0;
  /** Lines to select per file; Infinity: all. */
  readonly maxCount: number;
  readonly byteOffset: boolean;
  readonly lineNumber: boolean;
  readonly onlyMatching: boolean;
  readonly initialTab: boolean;
  /** A 0 byte after file names. */
  readonly nullAfterName: boolean;
  readonly color: boolean;
  /** See colourSequence. */
  readonly colorMark: string;
  /** Print names of files with ("matching") or without selected lines. */
  readonly list: "none" | "matching" | "nonmatching";
  readonly count: boolean;
  readonly quiet: boolean;
  readonly binaryFiles: "binary" | "text" | "without-match";
  /** No byte but 0 makes input binary: in the locale C each is a character. */
  readonly everyByteIsText: boolean;
  /** Lines of context; -1: none asked for, and then no separators either. */
  readonly before: number;
  readonly after: number;
  /** Between groups of context lines; undefined: nothing. */
  readonly groupSeparator: string | undefined;
}

/** Nothing of a line is printed: a file is searched up to its first selected line. */
export const stopsAtFirst = (settings: Settings): boolean => settings.quiet || settings.list !== "none";

/** No line is printed, only counts, names or nothing. */
export const printsNoLines = (settings: Settings): boolean => settings.count || stopsAtFirst(settings);
