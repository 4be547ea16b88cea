/** Formats of ls-files and ls-tree. */
import { GitError } from "../git-error.ts";

/** The text of a --format, whose fields `valueOf` knows. Throws GitError for any other. */
export function entryFormat(command: string, format: string): (valueOf: (field: string) => string | undefined) => string {
  return (valueOf) =>
    format.replace(
      /%(?:(%)|x([0-9a-fA-F]{2})|(n)|\(([^)]*)\))?/g,
      (code, percent?: string, hex?: string, newline?: string, field?: string) => {
        if (percent !== undefined) return "%";
        if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
        if (newline !== undefined) return "\n";
        const value = field === undefined ? undefined : valueOf(field);
        if (value !== undefined) return value;
        if (field === undefined)
          throw new GitError(`bad ${command} format: element '${format.slice(format.indexOf(code) + 1)}' does not start with '('`);
        throw new GitError(`bad ${command} format: %(${field})`);
      },
    );
}
