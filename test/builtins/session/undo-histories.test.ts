/** Random lines of writes over random trees, then undone: in reverse all is as it was; in any order each is right or refused. */
import { isDeepStrictEqual } from "node:util";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Shell } from "../../../src/session/shell.ts";
import { extent } from "../../extent.ts";
import { tree } from "../../tree.ts";

const FILES = ["a", "b", "d/c", "d/e/f", ".gitignore"];

const generator =
  (seed: number) =>
  (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };

/** Content of every file by its path, without the records. */
function contents(root: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(`${root}/${below}`, { withFileTypes: true })) {
    const path = below + entry.name;
    if (path === ".shelpa") continue;
    if (entry.isDirectory()) Object.assign(found, contents(root, `${path}/`));
    else found[path] = readFileSync(`${root}/${path}`, "latin1");
  }
  return found;
}

function randomLine(random: (below: number) => number, number: number): string {
  const file = (): string => FILES[random(FILES.length)] as string;
  const command = (): string => {
    switch (random(4)) {
      case 0:
        return `printf '${number}\\n%s' ${random(9)} | tee ${file()} >/dev/null`;
      case 1:
        return `echo ${number} | tee -a ${file()} ${file()} >/dev/null`;
      case 2:
        return `for i in 1 2; do seq $i ${random(6)} | tee -a ${file()}; done >/dev/null`;
      default:
        return `printf '' | tee ${file()}`;
    }
  };
  return Array.from({ length: 1 + random(3) }, command).join("; ");
}

test.each(Array.from({ length: extent(3, 15) }, (_, seed) => seed + 1))("seed %i", async (seed) => {
  const random = generator(seed);
  const place = tree([]);
  const shell = await Shell.open({ root: place.path, isolation: "none" });
  try {
    mkdirSync(`${place.path}/d`);
    for (const path of FILES.slice(0, 3))
      if (random(2) === 0) writeFileSync(`${place.path}/${path}`, `theirs ${random(100)}\n`.repeat(random(3)));
    const run = async (line: string) => {
      const { result, stderr } = await shell.defaultSession.run(line);
      if (result.kind !== "completed") throw new Error(`${line}: ${JSON.stringify(result)}`);
      return { exit: result.exit, said: stderr.toString(), record: result.receipts[0]?.recordId };
    };
    const states = [contents(place.path)];
    const records: string[] = [];
    for (let number = 0; number < 20; number++) {
      const { record } = await run(randomLine(random, number));
      if (record === undefined) continue;
      records.push(record);
      states.push(contents(place.path));
    }
    // In any order: what was changed since is refused and nothing changes; what is undone is as it was before that line.
    for (let turn = 0; turn < 10; turn++) {
      const at = random(records.length);
      const before = contents(place.path);
      const { exit, record } = await run(`undo ${records[at]}`);
      const after = contents(place.path);
      if (record === undefined) expect(after).toEqual(before);
      else {
        expect(exit).toBe(0);
        const [was, became] = [states[at], states[at + 1]] as [Record<string, string>, Record<string, string>];
        for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
          if (before[path] !== after[path]) expect({ [path]: [before[path], after[path]] }).toEqual({ [path]: [became[path], was[path]] });
        }
        expect((await run(`undo ${record}`)).exit).toBe(0);
      }
      expect(contents(place.path)).toEqual(before);
    }
    const isPlain = seed % 2 === 0;
    for (const [at, record] of [...records.entries()].reverse()) {
      // It is passed over, or taken back already.
      if (isPlain && isDeepStrictEqual(states[at], states[at + 1])) continue;
      expect(await run(isPlain ? "undo" : `undo ${record}`)).toMatchObject({
        exit: 0,
        said: expect.not.stringContaining("changed"),
      });
      expect(contents(place.path)).toEqual(states[at]);
    }
  } finally {
    await shell.close();
    place.remove();
  }
});
