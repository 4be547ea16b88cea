/** The stages that do what a foreign command was meant to do, in shell syntax; undefined where no stage does. */
import { quoteWord } from "../display/quote.ts";

/** A call of a foreign command. */
export interface ForeignCall {
  readonly name: string;
  /** The arguments as typed, quotes and all. */
  readonly sources: readonly string[];
  /** The same as text; undefined where a glob or `~` is in it. */
  readonly texts: readonly (string | undefined)[];
  /** True if variables are set for it alone. */
  readonly isAssigned: boolean;
  /** True if the argument at this index names files that are there. */
  readonly isThere: (at: number) => boolean;
  /** True if nothing stands behind it in the line. */
  readonly isLast: boolean;
}

/** The texts, if all are known and there are some. */
export function known(texts: readonly (string | undefined)[]): readonly string[] | undefined {
  return texts.every((text) => text !== undefined) && texts.length > 0 ? texts : undefined;
}

/** The stage without the command in front of it: `sudo -u x ls` → `ls`. */
export function afterPrefix(flagsWithValue: readonly string[], operands = 0): (call: ForeignCall) => string | undefined {
  return ({ sources }) => {
    let at = 0;
    for (; at < sources.length; at++) {
      const source = sources[at] as string;
      if (flagsWithValue.includes(source)) at++;
      else if (!source.startsWith("-") && !/^[A-Za-z_]\w*=/.test(source)) break;
    }
    const rest = sources.slice(at + operands);
    return rest.length === 0 ? undefined : rest.join(" ");
  };
}

/** `command` followed by the arguments that are not flags. */
export function withFiles(command: string, sources: readonly string[]): string {
  return [command, ...sources.filter((source) => !source.startsWith("-") && !source.startsWith("+"))].join(" ");
}

/** `man -k ls` asks something else. */
export function described({ sources }: ForeignCall): string | undefined {
  const [name, ...others] = sources;
  return name === undefined || others.length > 0 || !/^[\w-]+$/.test(name) || name.startsWith("-") ? undefined : `help ${name}`;
}

/** `command` with all that was typed behind the other. */
export const sameAs =
  (command: string) =>
  ({ sources }: ForeignCall): string =>
    [command, ...sources].join(" ");

/** The files that are named, changed by `stage`. */
export const inPlace =
  (stage: string) =>
  ({ sources }: ForeignCall): string | undefined => {
    const files = filesOf(sources);
    return files.length > 0 && files.length === sources.length ? `${stage} ${files.join(" ")}` : undefined;
  };

/** `locate x` → `find . -path '*x*'`: as there, anywhere in the path. */
export function found({ sources, texts }: ForeignCall): string | undefined {
  const ignoresCase = sources.some((source) => /^-\w*i/.test(source));
  const [name, ...others] = texts.filter((text) => text?.startsWith("-") !== true);
  if (name === undefined || others.length > 0) return undefined;
  return `find . -${ignoresCase ? "ipath" : "path"} ${quoteWord(/[*?[]/.test(name) ? name : `*${name}*`)}`;
}

/** `cloc src` → a `wc -l` of each file below it. */
export const countedLines = ({ sources }: ForeignCall): string => `${withFiles("rg --files -0", sources)} | xargs -0 wc -l`;

/** `parallel wc -l` → `xargs -n 1 wc -l` */
export function oneByOne({ sources }: ForeignCall): string | undefined {
  const call = afterPrefix(["-j", "-P", "--jobs"])({ name: "", sources, texts: [], isThere: () => false, isAssigned: false, isLast: true });
  if (call === undefined || call.includes(":::")) return undefined;
  return call.includes("{}") ? `xargs -I{} ${call}` : `xargs -n 1 ${call}`;
}

export const filesOf = (sources: readonly string[]): readonly string[] => sources.filter((source) => !source.startsWith("-"));

/** `-c SCRIPT` → the script. */
export function scriptOf({ texts }: ForeignCall): string | undefined {
  const at = texts.findIndex((text) => text !== undefined && /^-[a-z]*c$/.test(text));
  return at < 0 ? undefined : texts[at + 1];
}
