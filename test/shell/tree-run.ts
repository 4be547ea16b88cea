/** Runs a tree the way bash would run the line, with the three commands of bash-lines.ts. For tests alone. */
import type { Command, List, Redirect, Word } from "../../src/shell/tree.ts";
import { BASH_HOME } from "./bash-lines.ts";

export interface TreeAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export function runTree(list: List): TreeAnswer {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const exit = runList(list, { stdin: { text: "" }, stdout, stderr });
  return { stdout: stdout.join(""), stderr: stderr.join(""), exit };
}

/** The word where no glob matches, which is how the tests run bash (`set -f`). */
export function literalText(word: Word): string {
  return word.parts
    .map((part) => {
      switch (part.kind) {
        case "text":
          return part.text;
        case "glob":
          return part.source.replace(/\\(.)/gsu, "$1");
        case "home":
          return BASH_HOME;
      }
    })
    .join("");
}

/** Thrown at a command that is not `t`, `f` or `e`. */
export class UnknownCommand extends Error {}

interface Streams {
  readonly stdin: { text: string };
  readonly stdout: string[] | undefined;
  readonly stderr: string[] | undefined;
}

function runList(list: List, streams: Streams): number {
  let status = 0;
  for (const { when, pipeline } of list.items) {
    if ((when === "success" && status !== 0) || (when === "failure" && status === 0)) continue;
    let stdin = streams.stdin;
    pipeline.commands.forEach((command, index) => {
      const last = index === pipeline.commands.length - 1;
      const stdout = last ? streams.stdout : [];
      status = runCommand(command, { stdin, stdout, stderr: streams.stderr });
      stdin = { text: (stdout ?? []).join("") };
    });
    if (pipeline.negated) status = status === 0 ? 1 : 0;
  }
  return status;
}

function runCommand(command: Command, outer: Streams): number {
  const streams = command.redirects.reduce(redirected, outer);
  if (command.kind === "group") return runList(command.body, streams);
  const [name, ...words] = command.words.map(literalText);
  const shown = (words.length === 0 ? "<>" : words.map((word) => `<${word}>`).join("")) + "\n";
  if (name === "e") {
    streams.stderr?.push(shown);
    return 0;
  }
  if (name !== "t" && name !== "f") throw new UnknownCommand(name);
  streams.stdout?.push(shown, streams.stdin.text);
  streams.stdin.text = "";
  return name === "t" ? 0 : 1;
}

function redirected(streams: Streams, redirect: Redirect): Streams {
  const at = (descriptor: 1 | 2): string[] | undefined => (descriptor === 1 ? streams.stdout : streams.stderr);
  const put = (descriptor: 1 | 2, sink: string[] | undefined): Streams =>
    descriptor === 1 ? { ...streams, stdout: sink } : { ...streams, stderr: sink };
  switch (redirect.kind) {
    case "discard":
      return put(redirect.from, undefined);
    case "duplicate":
      return put(redirect.from, at(redirect.to));
    case "no-input":
      return { ...streams, stdin: { text: "" } };
    case "here":
      return { ...streams, stdin: { text: redirect.text } };
  }
}
