/**
 * A command of the program's own, which an agent uses as it would `curl`: `fetch-json /users | jq -r '.[].name'`. What may be fetched is the
 * program's to say.
 *
 *   const shell = await Shell.open({ root: process.cwd(), commands: [fetchJson("https://api.example.com")] });
 */
import { type CustomCommand, defineCommand } from "shelpa-mcp";

export const fetchJson = (origin: string): CustomCommand =>
  defineCommand(
    "fetch-json",
    async function* ({ args: [path = ""], signal, stderr }) {
      const url = new URL(path, origin);
      if (url.origin !== new URL(origin).origin) throw new Error(`${path}: not of ${origin}`);
      const response = await fetch(url, { signal });
      if (response.body !== null) yield* response.body as unknown as AsyncIterable<Uint8Array>;
      if (response.ok) return 0;
      stderr(`fetch-json: ${path}: ${response.status} ${response.statusText}\n`);
      return 22;
    },
    { summary: "Print what the API answers to GET PATH.", example: "fetch-json /users | jq length" },
  );
