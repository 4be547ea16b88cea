/** A line over files that are on no disk: `await edited({ "a.csv": "2\n1\n" }, "sort -n a.csv | tee a.csv")`. */
import { Shell } from "shelpa-mcp";

/** The files as `line` leaves them, as text. Rejects with the reason where the line is refused. */
export async function edited(files: Readonly<Record<string, string>>, line: string): Promise<Record<string, string>> {
  const shell = await Shell.open({ files });
  try {
    const { result } = await shell.defaultSession.run(line);
    if (result.kind === "refused") throw new Error(result.violations[0].detail);
    return Object.fromEntries([...(await shell.files())].map(([path, content]) => [path, content.toString()]));
  } finally {
    await shell.close();
  }
}
