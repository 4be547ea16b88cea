/** A file's name in a message, as GNU patch 2.7.6 quotes it. */
import { quoteInStyle } from "../../src/display/quoting-style.ts";

/** Its gnulib is older: a name with an apostrophe stands in double quotes only where it is ASCII. */
export const quoted = (name: string): string =>
  name.includes("'") && /[^\0-\x7f]/.test(name) ? `'${name.replaceAll("'", `'\\''`)}'` : quoteInStyle(name, "shell");
