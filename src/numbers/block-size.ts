/** The value of `--block-size`, as gnulib's human_options() reads it for ls, du and df. */
import { HUMAN, HUMAN_SI, type SizeFormat } from "./size-format.ts";
import { quoteAlways } from "../display/quote.ts";
import { scanCount } from "./counts.ts";
import { BadValue } from "../builtin/usage-error.ts";

/** Throws BadValue, which names the flag as `spelling`. A leading `'` asks for digit groups, of which C.UTF-8 has none. */
export function readBlockSize(text: string, spelling = "--block-size"): SizeFormat {
  const size = text.startsWith("'") ? text.slice(1) : text;
  if (size === "human-readable") return HUMAN;
  if (size === "si") return HUMAN_SI;
  const { value, problem } = scanCount(size, { suffixes: "eEgGkKmMpPtTyYzZ0", base: 0 });
  const quoted = quoteAlways(text);
  if (problem === "invalid" || value === 0n) throw new BadValue(`invalid ${spelling} argument ${quoted}`);
  if (problem === "overflow") throw new BadValue(`${spelling} argument ${quoted} too large`);
  if (problem === "suffix") throw new BadValue(`invalid suffix in ${spelling} argument ${quoted}`);
  if (/[0-9]/.test(size)) return { unit: value, autoscale: false, base: 1024, suffix: "none" };
  const isDecimal = /[^i]B$/.test(size);
  return { unit: value, autoscale: false, base: isDecimal ? 1000 : 1024, suffix: size.endsWith("B") ? "letter-and-byte" : "letter" };
}
