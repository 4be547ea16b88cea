/** Standard input of a git command. */
import { GitError } from "../git-error.ts";
import type { Repository } from "../repository.ts";
import type { InputRequest } from "./command.ts";

const NEXT_BLOCK: InputRequest = { separator: 10 };

/** The whole. Throws GitError where it is longer than what may be held. */
export function* wholeInput({ limits: { heldBytes } }: Repository): Generator<InputRequest, Buffer, Buffer | undefined> {
  const blocks: Buffer[] = [];
  let held = 0;
  for (let block = yield NEXT_BLOCK; block !== undefined; block = yield NEXT_BLOCK) {
    held += block.length;
    if (held > heldBytes) throw new GitError(`standard input: larger than the ${heldBytes} bytes held here`);
    blocks.push(Buffer.from(block));
  }
  return Buffer.concat(blocks);
}

/** Each line with its newline, to `see`; false ends the reading. */
export function* eachInputLine(see: (line: string) => boolean | void): Generator<InputRequest, void, Buffer | undefined> {
  for (let block = yield NEXT_BLOCK; block !== undefined; block = yield NEXT_BLOCK) {
    for (let at = 0; at < block.length; ) {
      const newline = block.indexOf(10, at);
      const end = newline < 0 ? block.length : newline + 1;
      if (see(block.toString("latin1", at, end)) === false) return;
      at = end;
    }
  }
}
