/** The clients that `init` is to write for: named, found on this machine, or chosen from these by a person. */
import { join } from "node:path";
import { nearest } from "../../builtin/nearest.ts";
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

/** The clients of these names; "found" stands for those that are there, and "all" for every one. Throws CommandLineError. */
export function clientsNamed(names: readonly string[], found: () => readonly ClientName[]): readonly ClientName[] {
  return [...new Set(names.flatMap((name) => (name === "all" ? CLIENT_NAMES : name === "found" ? found() : [clientNamed(name)])))];
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

/** Asks a person at the terminal for each of these whether it is meant; a line without an answer is yes, and Ctrl-C or Ctrl-D means none. */
export async function clientsChosen(found: readonly ClientName[], verb: string): Promise<readonly ClientName[]> {
  const lines = new TypedLines({ input: process.stdin, output: process.stdout });
  try {
    const chosen: ClientName[] = [];
    for (const name of found) {
      const answer = await lines.next(`${verb} ${CLIENTS[name].title}? [Y/n] `);
      if (answer.kind !== "line") return [];
      if (/^\s*(?:y(?:es)?)?\s*$/i.test(answer.line)) chosen.push(name);
    }
    return chosen;
  } finally {
    lines.close();
  }
}
