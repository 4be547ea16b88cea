/** Parser of instants and ages as people type them: `2026-02-25T13:17:30Z`, `2h`. */
import { CommandLineError } from "./command-line-error.ts";

/** An instant as people type it, in milliseconds since the epoch. Throws CommandLineError. */
export function readInstant(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit = ""] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return Date.now() - Number(amount) * (UNIT_MS[unit] as number);
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs))
    throw new CommandLineError(`${flag}: '${text}' is no time; give 2026-02-25, 2026-02-25T13:17:30Z or an age such as 2h`);
  return atMs;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
