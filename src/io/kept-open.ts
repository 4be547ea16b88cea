/** Standard input that one reader hands on to the next. */
import type { ByteInput } from "./input.ts";

/** The same input, which its reader cannot close: the next one reads on where it left off. */
export function keptOpen(stdin: ByteInput): ByteInput {
  return {
    isGiven: stdin.isGiven,
    read: () => stdin.read(),
    unread: (rest) => stdin.unread(rest),
    close: async () => {},
    async *[Symbol.asyncIterator]() {
      for (let block = await stdin.read(); block !== undefined; block = await stdin.read()) yield block;
    },
  };
}
