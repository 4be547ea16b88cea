/** unzip's arguments: flags, the archive, members, and behind an -x the members that are left out. */
import type { Argument } from "../../src/builtin/arguments.ts";
import { dataFlag } from "../../src/builtin/dash-operand.ts";
import type { RespelledArgument } from "../../src/builtin/respelled-arguments.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";

export function inOrder(args: readonly Argument[]): readonly RespelledArgument[] | undefined {
  let archive = 0;
  while (isFlag(args[archive])) archive++;
  const flags = args.slice(0, archive).map((argument, from) => ({ argument, from }));
  const members: RespelledArgument[] = [];
  const excluded: RespelledArgument[] = [];
  let isExcluded = false;
  for (const [index, argument] of args.slice(archive).entries()) {
    const from = archive + index;
    const isWord = index > 0 && (argument.text === "-x" || argument.text.startsWith("-d"));
    if (isWord && (argument.data === true || argument.operandOnly === true))
      throw new UsageError("data-flag", dataFlag(argument.text), { argument: from, subject: argument.text });
    if (isWord && argument.text !== "-x") flags.push({ argument, from });
    else if (isWord && !isExcluded) isExcluded = true;
    else if (isExcluded) excluded.push({ argument: { text: "-x" }, from }, { argument, from });
    else members.push({ argument, from });
  }
  return [...flags, ...excluded, { argument: { text: "--" }, from: archive }, ...members];
}

/** A dash alone is no archive, and no flag either. */
const isFlag = (argument: Argument | undefined): boolean =>
  argument?.text.startsWith("-") === true && argument.operandOnly !== true && argument.text !== "--";
