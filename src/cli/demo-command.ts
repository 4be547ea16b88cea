/** `shelpa-mcp demo`: lines on a few made files, with what each prints, writes and is refused. Nothing of the machine is touched. */
import { inputOf } from "../io/input.ts";
import { Shell } from "../session/shell.ts";
import type { Given } from "./command.ts";
import type { DEMO } from "./commands.ts";
import { print } from "./print.ts";
import { runLine } from "./run-line.ts";
import { standardStreams } from "./standard-streams.ts";

const PARTS = ["mailer", "worker", "db.pool"] as const;
/** Every eleventh of its lines is an error. */
const LOG = Array.from({ length: 400 }, (_, number) => {
  const time = `10:${String(Math.floor(number / 60)).padStart(2, "0")}:${String(number % 60).padStart(2, "0")}`;
  const [level, message] = number % 11 === 0 ? ["ERROR", "timed out"] : ["INFO", "done"];
  return `${time} ${level} ${PARTS[number % PARTS.length]}: job ${number} ${message}\n`;
}).join("");

const FILES = {
  "logs/app.log": LOG,
  "src/mailer.ts": "export function send(to: string): void {\n  // TODO: try again after a time-out\n}\n",
  "status.txt": "open\n",
};

const LINES: readonly (readonly [told: string, line: string])[] = [
  ["A pipeline, every stage of it a builtin:", "tail -n 100 logs/app.log | grep ERROR | cut -d' ' -f3 | sort | uniq -c | sort -rn"],
  ["A write, which is recorded:", "grep ERROR logs/app.log | tee out/errors.txt | wc -l"],
  ["The file, and its record:", "wc -l out/errors.txt; history | cut -f 3-"],
  ["It is taken back:", "undo; ls"],
  ["What would never end is refused before anything runs, with a line that works:", "tail -f logs/app.log | grep ERROR"],
  ["And so is a write that would not be recorded:", "echo done > status.txt"],
  ["And a file outside:", "cat /etc/hostname"],
  ["No program is started; a part that cannot run fails as in bash:", "grep -rn TODO src && npm test"],
];

/** Runs it and gives the exit status. Rejects with what the shell cannot be opened for. */
export async function demo(_given: Given<typeof DEMO.options>): Promise<number> {
  const streams = standardStreams();
  const shell = await Shell.open({ files: FILES, isolation: "process", client: "demo" });
  for (const [told, line] of LINES) {
    print(`\n# ${told}\n$ ${line}\n`);
    await runLine(shell.defaultSession, line, { ...streams, stdin: inputOf() }, undefined);
  }
  await shell.close();
  print("\nThese files were in memory alone. To go on, in a project of yours: shelpa-mcp init, or shelpa for a prompt.\n");
  return 0;
}
