/** git get-tar-commit-id: the commit that an archive on standard input was made of. */
import { GitError } from "../git-error.ts";
import { command } from "./command.ts";

const BLOCK_BYTES = 512;

export const getTarCommitId = command({
  flags: {},
  *run({ print }) {
    let head = Buffer.alloc(0);
    while (head.length < 2 * BLOCK_BYTES) {
      const block = yield { separator: 10 };
      if (block === undefined) throw new GitError("git get-tar-commit-id: EOF before reading tar header: No such file or directory");
      head = Buffer.concat([head, block.subarray(0, 2 * BLOCK_BYTES)]);
    }
    const isGlobal = head[TYPE_OFFSET] === GLOBAL_HEADER;
    const [, id] = /^ *[0-9]+ comment=([0-9a-f]{40}(?:[0-9a-f]{24})?\n)/.exec(head.toString("latin1", BLOCK_BYTES, 2 * BLOCK_BYTES)) ?? [];
    if (!isGlobal || id === undefined) return 1;
    print(id);
    return 0;
  },
});

const TYPE_OFFSET = 156;
const GLOBAL_HEADER = 0x67;
