/** The clients that `init` is to write for: named, found on this machine, or chosen from these by a person. */
import { join } from "node:path";
import { nearest } from "../../builtin/nearest.ts";
import { showName } from "../../display/visible.ts";
import { executableIn } from "../../host/host-file.ts";
import { CommandLineError } from "../command-line-error.ts";
import { TypedLines } from "../typed-lines.ts";
import { CLIENT_NAMES, type ClientName } from "./client-names.ts";
import { CLIENTS } from "./clients.ts";
import type { Place } from "./place.ts";

/** Names that people use for a client besides its own and its title, without spaces and dashes. */
const FURTHER_NAMES: Readonly<Record<string, ClientName>> = {
  claude: "claude-code",
  code: "vscode",
  visualstudiocode: "vscode",
  gemini: "gemini-cli",
  copilot: "copilot-cli",
  agy: "antigravity",
  roocode: "roo",
  kilocode: "kilo",
  jetbrains: "junie",
};

const packed = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

export interface ChosenClient {
  readonly name: ClientName;
  /** A person has named it or said yes to it: it is not one of "found" or "all". */
  readonly isMeant: boolean;
}

/** The clients of these names; "found" stands for those that are there, and "all" for every one. Throws CommandLineError. */
export function clientsNamed(names: readonly string[], found: () => readonly ClientName[]): readonly ChosenClient[] {
  const meant = new Set(names.filter((name) => name !== "all" && name !== "found").map(clientNamed));
  const all = names.includes("all") ? CLIENT_NAMES : names.includes("found") ? found() : [];
  return [...new Set([...meant, ...all])].map((name) => ({ name, isMeant: meant.has(name) }));
}

function clientNamed(name: string): ClientName {
  const wanted = packed(name);
  const known = CLIENT_NAMES.find((client) => packed(client) === wanted || packed(CLIENTS[client].title) === wanted);
  const meant = known ?? FURTHER_NAMES[wanted];
  if (meant !== undefined) return meant;
  const near = nearest(wanted, CLIENT_NAMES.map(packed));
  const likely = CLIENT_NAMES.find((client) => packed(client) === near);
  throw new CommandLineError(
    `init: there is no client '${name}'; there are ${CLIENT_NAMES.join(", ")}, found, all`,
    likely === undefined ? undefined : `shelpa-mcp init --client ${likely}`,
  );
}

/** The clients of which there is a sign: a file of theirs in the root or the home directory, or their program on PATH. */
export function clientsFound(place: Place, path: readonly string[]): readonly ClientName[] {
  return CLIENT_NAMES.filter((name) => {
    const { project = [], home = [], programs = [] } = CLIENTS[name].signs;
    return (
      project.some((sign) => place.exists(join(place.root, sign))) ||
      home.some((sign) => place.exists(join(place.home, sign))) ||
      programs.some((program) => executableIn(path, program) !== undefined)
    );
  });
}

/** The question whether a client is meant; `text` may hold names that others have given. */
export interface Question {
  readonly name: ClientName;
  readonly text: string;
  /** Answer for a line that is empty. */
  readonly isYesByDefault: boolean;
}

const ANSWERS: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false };

/** Asks a person at the terminal these questions, each until it is answered. Ctrl-C interrupts them, and Ctrl-D ends them. */
export async function clientsChosen(questions: readonly Question[]): Promise<readonly ChosenClient[] | "interrupted" | "ended"> {
  const lines = new TypedLines({ input: process.stdin, output: process.stdout });
  try {
    const chosen: ChosenClient[] = [];
    for (const { name, text, isYesByDefault } of questions) {
      let isMeant: boolean | undefined;
      while (isMeant === undefined) {
        const typed = await lines.next(`${showName(text)} ${isYesByDefault ? "[Y/n]" : "[y/N]"} `);
        if (typed.kind !== "line") return typed.kind === "dropped" ? "interrupted" : "ended";
        const answer = typed.line.trim().toLowerCase();
        isMeant = answer === "" ? isYesByDefault : Object.hasOwn(ANSWERS, answer) ? ANSWERS[answer] : undefined;
      }
      if (isMeant) chosen.push({ name, isMeant });
    }
    return chosen;
  } finally {
    lines.close();
  }
}
