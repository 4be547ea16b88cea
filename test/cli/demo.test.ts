/** `shelpa-mcp demo`: it needs nothing but the program, and leaves nothing. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tree } from "../tree.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));

test("each line does what is told of it, and the directory stays empty", { timeout: 60_000 }, () => {
  const place = tree(["work/", "temporary/"]);
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, "demo"], {
      cwd: `${place.path}/work`,
      env: { PATH: "", TMPDIR: `${place.path}/temporary` },
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stdout).toContain("      3 worker:\n      3 mailer:\n      3 db.pool:\n");
    expect(stdout).toContain("| wc -l\n37\n");
    expect(stdout).toContain("37 out/errors.txt\nmade\t0\tout\t");
    expect(stdout).toContain("removed out\nremoved out/errors.txt\nlogs\nsrc\nstatus.txt\n");
    expect(stdout).toContain("src/mailer.ts:2:  // TODO");
    expect(stderr.match(/[A-Z]+_[A-Z]+(?=:)|REDIRECT(?=:)|npm: command not found/g)).toEqual([
      "DISALLOWED_FLAG",
      "REDIRECT",
      "PATH_ESCAPE",
      "npm: command not found",
    ]);
    expect([readdirSync(`${place.path}/work`), readdirSync(`${place.path}/temporary`)]).toEqual([[], []]);
  } finally {
    place.remove();
  }
});
