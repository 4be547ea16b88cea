/**
 * The one way in which our commands print. Text of ours comes out with whatever a terminal would obey spelled out;
 * content of files is exact for a program that reads it, and spelled out for a terminal. The output of a command line
 * that is run is not printed here: it goes to the process's streams as it is (standard-streams.ts).
 */
import { toText } from "../io/text.ts";
import { hanging, showJson, showName, showText } from "../display/visible.ts";

/** Prints lines of ours on standard output. A name or value among them has been through `showName`, or `hanging`. */
export function print(text: string): void {
  process.stdout.write(showText(text));
}

/** Prints one line of JSON, or several where `indentation` says so. */
export function printJson(value: unknown, indentation?: number): void {
  process.stdout.write(`${showJson(value, indentation)}\n`);
}

/**
 * Prints lines that are safe as they are, at the pace of the reader, without holding more than a block of them. Ends early where
 * nobody reads any more.
 */
export async function printEach(lines: Iterable<string>): Promise<void> {
  let block = "";
  const flush = async (): Promise<boolean> => {
    const text = block;
    block = "";
    return text === "" || (await new Promise<boolean>((resolve) => process.stdout.write(text, (error) => resolve(error == null))));
  };
  for (const line of lines) {
    block += line;
    if (block.length >= BLOCK_CHARACTERS && !(await flush())) return;
  }
  await flush();
}

const BLOCK_CHARACTERS = 1 << 16;

/** Prints lines of the operator's log on standard error; they are safe as they are. */
export function printLog(lines: string): void {
  process.stderr.write(lines);
}

/** Prints `lines` of JSON for a program on standard output; resolves when the system has them, and rejects where it takes none. */
export function printData(lines: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(lines, (error) => (error == null ? resolve() : reject(error))));
}

/** Prints bytes of a file, or a difference between files. */
export function printContent(bytes: Uint8Array): void {
  process.stdout.write(process.stdout.isTTY ? showText(toText(bytes)) : bytes);
}

/** Prints a message on standard error, behind the name of the program. */
export function complain(message: string, program: "shelpa-mcp" | "shelpa" = "shelpa-mcp"): void {
  process.stderr.write(`${program}: ${hanging(message)}\n`);
}

/** Prints the refusal of a line on standard error, as guard/render.ts made it: names are spelled out already. */
export function printRefusal(text: string): void {
  process.stderr.write(showText(text));
}

/** Prints on standard error the command line that would have worked; `otherwise` where none can be copied as it is shown. */
export function suggest(line: string | undefined, otherwise: string): void {
  process.stderr.write(`${line !== undefined && showName(line) === line ? `try: ${line}` : otherwise}\n`);
}

/** The text of what ended a server: an address that cannot be listened at is no fault of ours. */
export function servingFault(thrown: unknown): string {
  const isListening = thrown instanceof Error && "syscall" in thrown && thrown.syscall === "listen";
  return isListening ? thrown.message : faultText(thrown);
}

/** The text of a fault of ours, with its stack. */
export const faultText = (thrown: unknown): string => (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
