/** Programs on a terminal of their own, which script(1) makes, with somebody who types. */
import { spawn } from "node:child_process";
import { quoteWord } from "../../src/display/quote.ts";

/** Output and exit status of a command on its terminal. The text of each step is typed once its prompt was shown after those before. */
export async function typedOnTerminal(
  words: readonly string[],
  steps: readonly (readonly [awaited: string, typed: string])[],
): Promise<{ readonly said: string; readonly exit: number | null }> {
  const line = words.map(quoteWord).join(" ");
  const env = { ...process.env, SHELPA_HISTORY: "off", NO_COLOR: "1" };
  const child = spawn("script", ["-qec", line, "/dev/null"], { stdio: ["pipe", "pipe", "ignore"], env });
  const waiting = [...steps];
  let said = "";
  let seenTo = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    for (;;) {
      const [awaited, typed] = waiting[0] ?? [];
      const at = awaited === undefined ? -1 : said.indexOf(awaited, seenTo);
      if (awaited === undefined || at < 0) return;
      seenTo = at + awaited.length;
      waiting.shift();
      child.stdin.write(typed ?? "");
    }
  });
  const exit = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { said, exit };
}
