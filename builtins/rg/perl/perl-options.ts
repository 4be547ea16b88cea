/** The flags of the search for Perl's patterns, one by one as they were typed; those that another search has too are Options'. */
import type { TextPattern } from "../../../src/regex/text-pattern.ts";
import { isContextLength, Options, type Given } from "../own-options.ts";
import { unescaped } from "./separators.ts";
import type { PerlSettings } from "./settings.ts";

export class PerlOptions {
  readonly common = new Options();
  #output: PerlSettings["output"] = "standard";
  #quiet = false;
  #onlyMatching = false;
  #multiline = false;
  #dotAll = false;
  #stopOnNonmatch = false;
  /** Undefined: --passthru. */
  #context: { readonly before?: number; readonly after?: number; readonly both?: number } | undefined = {};
  #lineNumber: boolean | undefined;
  #column: boolean | undefined;
  #byteOffset = false;
  #perMatch = false;
  #maxColumns: number | undefined;
  #maxColumnsPreview = false;
  #trim = false;
  #replacement: string | undefined;
  #contextSeparator: Buffer | undefined = Buffer.from("--");
  #fieldMatchSeparator: Buffer = Buffer.from(":");
  #fieldContextSeparator: Buffer = Buffer.from("-");
  #includeZero = false;
  #stats = false;

  /** `.` matches a newline. */
  get dotAll(): boolean {
    return this.#multiline && this.#dotAll;
  }

  /** False where this flag, or this value of it, is not done. */
  takes(occurrence: Given): boolean {
    switch (occurrence.key) {
      case "count":
        return this.#takesOutput("count");
      case "countMatches":
        return this.#takesOutput("count-matches");
      case "filesWithMatches":
        return this.#takesOutput("paths");
      case "filesWithoutMatch":
        return this.#takesOutput("paths-without");
      case "json":
        return this.#takesOutput("json");
      case "noJson":
        return this.#takesOutput(this.#output === "json" ? "standard" : this.#output);
      case "replace":
        this.#replacement = occurrence.value;
        return true;
      case "maxColumns":
        this.#maxColumns = Number(occurrence.value) || undefined;
        return /^\d{1,9}$/.test(occurrence.value ?? "");
      case "contextSeparator":
        this.#contextSeparator = unescaped(occurrence.value ?? "");
        return true;
      case "noContextSeparator":
        this.#contextSeparator = undefined;
        return true;
      case "fieldMatchSeparator":
        this.#fieldMatchSeparator = unescaped(occurrence.value ?? "");
        return true;
      case "fieldContextSeparator":
        this.#fieldContextSeparator = unescaped(occurrence.value ?? "");
        return true;
      case "context":
      case "beforeContext":
      case "afterContext":
        this.#context = { ...this.#context, [CONTEXT_SIDES[occurrence.key]]: Number(occurrence.value) };
        return isContextLength(occurrence.value);
      case "lineBuffered":
      case "noLineBuffered":
      case "blockBuffered":
      case "noBlockBuffered":
        return true;
      default:
        return this.#takesSwitch(occurrence) || this.common.takes(occurrence);
    }
  }

  /** False where the flag is none of these. */
  #takesSwitch({ key }: Given): boolean {
    switch (key) {
      case "quiet":
        this.#quiet = true;
        return true;
      case "onlyMatching":
        this.#onlyMatching = true;
        return true;
      case "multiline":
      case "noMultiline":
        this.#multiline = key === "multiline";
        if (this.#multiline) this.#stopOnNonmatch = false;
        return true;
      case "stopOnNonmatch":
        this.#stopOnNonmatch = true;
        this.#multiline = false;
        return true;
      case "multilineDotall":
      case "noMultilineDotall":
        this.#dotAll = key === "multilineDotall";
        return true;
      case "passthru":
        this.#context = undefined;
        return true;
      case "lineNumber":
      case "noLineNumber":
        this.#lineNumber = key === "lineNumber";
        return true;
      case "column":
      case "noColumn":
        this.#column = key === "column";
        return true;
      case "byteOffset":
      case "noByteOffset":
        this.#byteOffset = key === "byteOffset";
        return true;
      case "vimgrep":
        this.#perMatch = true;
        return true;
      case "maxColumnsPreview":
      case "noMaxColumnsPreview":
        this.#maxColumnsPreview = key === "maxColumnsPreview";
        return true;
      case "trim":
      case "noTrim":
        this.#trim = key === "trim";
        return true;
      case "includeZero":
      case "noIncludeZero":
        this.#includeZero = key === "includeZero";
        return true;
      case "stats":
      case "noStats":
        this.#stats = key === "stats";
        return true;
      case "noText":
      case "noBinary":
        this.common.isText = this.common.searchesBinary = false;
        return true;
      default:
        return false;
    }
  }

  settings(pattern: TextPattern): PerlSettings {
    const { common } = this;
    const { before, after, both = 0 } = this.#context ?? {};
    const column = this.#column ?? this.#perMatch;
    const output =
      this.#output === "count-matches" && common.invert
        ? "count"
        : this.#output === "count" && this.#onlyMatching
          ? "count-matches"
          : this.#output;
    const numbersByDefault = !this.#quiet && (output === "json" || (output === "standard" && (column || this.#perMatch)));
    return {
      pattern,
      multiline: this.#multiline,
      invert: common.invert,
      output,
      quiet: this.#quiet,
      before: before ?? both,
      after: after ?? both,
      passthru: this.#context === undefined,
      maxCount: common.maxCount,
      stopOnNonmatch: this.#stopOnNonmatch,
      lineNumber: this.#lineNumber ?? numbersByDefault,
      column,
      byteOffset: this.#byteOffset,
      onlyMatching: this.#onlyMatching,
      perMatch: this.#perMatch,
      heading: common.heading && !this.#perMatch,
      nullAfterPath: common.nullAfterPath,
      maxColumns: this.#maxColumns,
      maxColumnsPreview: this.#maxColumnsPreview,
      trim: this.#trim,
      replacement: this.#replacement,
      contextSeparator: this.#contextSeparator,
      fieldMatchSeparator: this.#fieldMatchSeparator,
      fieldContextSeparator: this.#fieldContextSeparator,
      includeZero: this.#includeZero,
      stats: this.#stats || output === "json",
      isText: common.isText,
    };
  }

  #takesOutput(output: PerlSettings["output"]): true {
    this.#output = output;
    return true;
  }
}

const CONTEXT_SIDES = { context: "both", beforeContext: "before", afterContext: "after" } as const;
