/** Every primary of find by its name. */
import { nearest } from "../../src/builtin/nearest.ts";
import type { PrimaryReader } from "./primary.ts";
import { deletePrimary } from "./delete.ts";
import { execPrimaries } from "./exec.ts";
import { filePrimaries } from "./file-tests.ts";
import { namePrimaries } from "./name-tests.ts";
import { optionPrimaries } from "./options.ts";
import { ownerPrimaries } from "./owner-tests.ts";
import { printPrimaries } from "./print.ts";
import { timePrimaries } from "./time-tests.ts";

const TABLES: readonly Readonly<Record<string, PrimaryReader>>[] = [
  optionPrimaries,
  namePrimaries,
  filePrimaries,
  ownerPrimaries,
  timePrimaries,
  printPrimaries,
  execPrimaries,
  { "-delete": deletePrimary },
];

export const primaries = {
  find(word: string): PrimaryReader | undefined {
    for (const table of TABLES) if (Object.hasOwn(table, word)) return table[word];
    return /^-newer..$/.test(word) ? timePrimaries["-newerXY"] : undefined;
  },
  nearest(word: string): string | undefined {
    return nearest(
      word,
      TABLES.flatMap((table) => Object.keys(table)),
    );
  },
};
