/** Command lines of `docker run` and `podman run`, taken apart by the rules of their own option parser (spf13/pflag). */

import { ENGINES, type Engine } from "./engine-names.ts";

export interface RunOption {
  /** The long name with its dashes, also where the short one stands. */
  readonly name: string;
  /** Undefined for a switch. */
  readonly value: string | undefined;
  /** As it stands on the command line. */
  readonly words: readonly string[];
}

export interface ContainerRun {
  readonly engine: Engine;
  readonly options: readonly RunOption[];
  readonly image: string;
  /** Arguments of the program in the image. */
  readonly server: readonly string[];
}

/** Options of either engine's `run` that take no value unless it stands behind a `=`; every other one takes one. */
const SWITCHES: ReadonlySet<string> = new Set(
  [
    "detach disable-content-trust env-host help http-proxy init interactive no-healthcheck no-hostname no-hosts oom-kill-disable passwd",
    "privileged publish-all quiet read-only read-only-tmpfs replace rm rmi sig-proxy tls-verify tty unsetenv-all use-api-socket",
  ].flatMap((names) => names.split(" ").map((name) => `--${name}`)),
);
/** Letters of switches, and of those options with a value that are kept or written here. */
const SHORT: Readonly<Record<string, string>> = {
  d: "--detach",
  i: "--interactive",
  P: "--publish-all",
  q: "--quiet",
  t: "--tty",
  e: "--env",
  l: "--label",
  m: "--memory",
  u: "--user",
  v: "--volume",
  w: "--workdir",
};

/** The parts of the command line `words`; undefined where it is no `run` of docker or podman, or names no image. */
export function containerRunOf([program = "", subcommand, ...words]: readonly string[]): ContainerRun | undefined {
  const name = (program.split(/[\\/]/).at(-1) ?? "").replace(/\.exe$/i, "");
  const engine = ENGINES.find((known) => known === name);
  if (engine === undefined || subcommand !== "run") return undefined;
  const options: RunOption[] = [];
  let at = 0;
  while (at < words.length) {
    const word = words[at] as string;
    if (!word.startsWith("-") || word === "-" || word === "--") break;
    const option = optionAt(word, words[at + 1]);
    options.push(option);
    at += option.words.length;
  }
  if (words[at] === "--") at++;
  const image = words[at];
  return image === undefined ? undefined : { engine, options, image, server: words.slice(at + 1) };
}

function optionAt(word: string, next: string | undefined): RunOption {
  if (!word.startsWith("--")) return shortOptionAt(word, next);
  const equals = word.indexOf("=");
  if (equals !== -1) return { name: word.slice(0, equals), value: word.slice(equals + 1), words: [word] };
  if (SWITCHES.has(word) || next === undefined) return { name: word, value: undefined, words: [word] };
  return { name: word, value: next, words: [word, next] };
}

/** Letters in one word: switches up to the first that takes a value, which is the rest of the word or the next one. */
function shortOptionAt(word: string, next: string | undefined): RunOption {
  const letters = [...word.slice(1)];
  const valued = letters.findIndex((letter) => !SWITCHES.has(SHORT[letter] ?? ""));
  const name = SHORT[letters.at(Math.max(valued, 0)) ?? ""] ?? word;
  if (valued === -1) return { name, value: undefined, words: [word] };
  const rest = letters
    .slice(valued + 1)
    .join("")
    .replace(/^=/, "");
  if (rest !== "" || next === undefined) return { name, value: rest, words: [word] };
  return { name, value: next, words: [word, next] };
}
