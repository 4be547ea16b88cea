/** Standard input of a git command, whole. */
import { GitError } from "../git-error.ts";
import type { InputRequest } from "./command.ts";

/** What these commands read is a message, a patch or the head of an archive. */
const MOST_BYTES = 64 << 20;

/** Throws GitError where it is too long. */
export function* readInput(most = MOST_BYTES): Generator<InputRequest, Buffer, Buffer | undefined> {
  const blocks: Buffer[] = [];
  let length = 0;
  for (let block = yield { separator: 10 }; block !== undefined; block = yield { separator: 10 }) {
    blocks.push(Buffer.from(block));
    length += block.length;
    if (length > most) throw new GitError(`standard input is longer than ${most} bytes`);
  }
  return Buffer.concat(blocks);
}
