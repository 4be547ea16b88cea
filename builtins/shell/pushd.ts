/** `pushd`: moves the session and keeps the directory before on a stack, as bash's builtin does. */
import { defineBuiltin, type Navigation } from "../../src/builtin/definition.ts";
import { toBytes } from "../../src/io/text.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { absolutePath } from "../../src/walk/canonical-path.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { changeDirectory } from "./change-directory.ts";
import { MOST_DIRECTORIES, outOfRange, placeOf, shownStack } from "./directory-stack.ts";

export const STACK_LASTS = {
  from: "GNU bash",
  what: "the stack of directories lasts for one call",
  why: "it is a part of the shell, which does, too; the current directory is the session's",
} as const;

export const pushd = defineBuiltin({
  name: "pushd",
  summary: "Move the session to another directory, and put the present one on a stack.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Directory-Stack-Builtins.html#index-pushd",
  reference: "GNU bash 5.2",
  operands: { kind: "paths", access: "status" },
  operandLike: (argument) => argument !== "--",
  usageExit: 2,
  navigates: "stack",
  flags: {},
  examples: [
    { command: "pushd src >/dev/null && ls && popd >/dev/null && ls", files: { "src/a.ts": "" }, stdout: "a.ts\nsrc\n" },
    {
      command: "pushd src >/dev/null; pushd lib >/dev/null; pushd >/dev/null; dirs +1",
      files: { "src/lib/a.ts": "" },
      stdout: "~/src/lib\n",
      note: "pushd alone swaps the two on top; +N and -N turn the stack; -n moves nothing",
    },
  ],
  deviations: [
    STACK_LASTS,
    {
      from: "GNU bash",
      what: "pushd and popd in a pipeline are refused",
      why: "there they move nothing; what was meant is pushd DIR && …",
    },
  ],
  async *run({ navigation, operands: words, files, stderr }) {
    if (navigation === undefined) throw new Error("pushd without a session");
    const complain = (message: string, exit = 1): number => {
      stderr(`${navigation.place}: pushd: ${message}\n`);
      if (exit === 2) stderr("pushd: usage: pushd [-n] [+N | -N | dir]\n");
      return exit;
    };
    const { stack } = navigation;
    const here = absolutePath(files, files.currentDirectory);
    let stays = false;
    let turns: number | undefined;
    let at = 0;
    for (; at < words.length; at++) {
      const word = words[at] as string;
      if (word === "-n") stays = true;
      else if (word !== "-" && /^[+-]/.test(word)) {
        const place = placeOf(word, stack.length);
        if (place === "no number") return complain(`${word}: invalid number`, 2);
        if (place < 0 || place > stack.length) return complain(outOfRange(word, stack.length));
        turns = place;
      } else break;
    }
    if (words.length === 0 && stack.length === 0) return complain("no other directory");
    if (words.length === 0) turns = 1;
    if (turns !== undefined) {
      const all = words.length === 0 ? [stack[0] as string, here, ...stack.slice(1)] : turned([here, ...stack], turns);
      navigation.stack = all.slice(1);
      return yield* moved(files, navigation, stays ? undefined : all[0], complain);
    }
    const operands = words.slice(at);
    const [directory] = operands;
    if (directory === undefined) return 0;
    if (stack.length >= MOST_DIRECTORIES) throw new LimitReached("held", MOST_DIRECTORIES, "directories on the stack");
    const changed = stays ? "" : changeDirectory(files, navigation, operands);
    if (typeof changed !== "string") return complain(changed.error);
    navigation.stack = [stays ? directory : here, ...stack];
    yield toBytes((changed === "" ? "" : `${changed}\n`) + stackOf(files, navigation));
    return 0;
  },
});

const turned = (all: readonly string[], by: number): readonly string[] => [...all.slice(by), ...all.slice(0, by)];

/** The stack below the current directory has changed: moves to `to` and prints the whole. */
export async function* moved(
  files: Files,
  navigation: Navigation,
  to: string | undefined,
  complain: (message: string) => number,
): AsyncGenerator<Uint8Array, number> {
  const changed = to === undefined ? "" : changeDirectory(files, navigation, [to]);
  if (typeof changed !== "string") return complain(changed.error);
  if (to === undefined) return 0;
  yield toBytes(stackOf(files, navigation));
  return 0;
}

/** All directories, from the current one down. */
export const stackOf = (files: Files, { currentDirectory, stack, home }: Navigation): string =>
  shownStack([absolutePath(files, currentDirectory), ...stack], home);
