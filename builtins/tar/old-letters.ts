/** tar's oldest way with flags: the letters of the first argument have no dash, and their values follow it in order. */
import type { Argument } from "../../src/builtin/arguments.ts";
import type { RespelledArgument } from "../../src/builtin/respelled-arguments.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { LETTERS_WITH_VALUE } from "./flags.ts";

export function withDashes(args: readonly Argument[]): readonly RespelledArgument[] | undefined {
  const [first, ...others] = args;
  if (first === undefined || first.text.startsWith("-")) return undefined;
  if (first.data === true || first.operandOnly === true)
    throw new UsageError("data-flag", "the first argument is made of letters that are flags, and these have to be typed: tar -tf FILE", {
      argument: 0,
      subject: first.text,
    });
  const respelled: RespelledArgument[] = [];
  let next = 0;
  for (const letter of first.text) {
    respelled.push({ argument: { text: `-${letter}` }, from: 0 });
    if (!LETTERS_WITH_VALUE.has(letter)) continue;
    const value = others[next];
    if (value === undefined)
      throw new UsageError("missing-value", `Old option '${letter}' requires an argument.`, { argument: 0, pointsToHelp: true, exit: 2 });
    respelled.push({ argument: value, from: ++next });
  }
  return [...respelled, ...others.slice(next).map((argument, at) => ({ argument, from: next + 1 + at }))];
}
