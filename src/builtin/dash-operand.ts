/** Message about a word from data (a variable, a command) that a shell would take for a flag. */
import { quoteCurly } from "../display/quote.ts";

export const dataFlag = (text: string): string =>
  `${quoteCurly(text)} came from a variable or a command, and what such a word begins with is never taken for a flag; put -- before it, or ./ in front of it`;
