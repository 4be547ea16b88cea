/**
 * Promise 3 against another process of the same user: what it writes between our looks is a conflict, and never lost
 * without a record.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRecorder } from "../../src/audit/recorder.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { stressRuns } from "../stress-settings.ts";
import { tree, type Tree } from "../tree.ts";
import { installFaultLayer, systemError } from "./fault-layer.ts";
import { needs } from "../needs.ts";

const layer = installFaultLayer();
afterAll(() => layer.remove());

let place: Tree;
let workspace: Workspace;
const at = (name: string): string => `${place.path}/${name}`;

beforeEach(() => {
  place = tree(["old-1: old 1\n", "old-2: old 2\n"]);
  workspace = Workspace.open(place.path);
});
afterEach(() => {
  layer.disarm();
  workspace.close();
  place.remove();
});

/** "done", or the code of the error. */
function tee(files: readonly string[], mode: "overwrite" | "append" = "overwrite"): string {
  const transaction = createRecorder(workspace, { session: "s", client: "c", line: "tee", confirmOversize: false }).begin(files, mode, "");
  transaction.write(Buffer.from("ours\n"));
  try {
    transaction.commit();
    return "done";
  } catch (thrown) {
    if (thrown instanceof FileError) return thrown.code;
    throw thrown;
  }
}

const THEIRS: readonly { readonly name: string; readonly files: readonly string[]; readonly file: string; readonly write: () => void }[] = [
  { name: "a new file", files: ["new-1", "new-2"], file: "new-2", write: () => writeFileSync(at("new-2"), "theirs\n", { flag: "wx" }) },
  { name: "the only new file", files: ["new-1"], file: "new-1", write: () => writeFileSync(at("new-1"), "theirs\n", { flag: "wx" }) },
  { name: "a file that is replaced", files: ["old-1", "old-2"], file: "old-2", write: () => writeFileSync(at("old-2"), "theirs\n") },
  {
    name: "another in a file's place",
    files: ["old-1", "old-2"],
    file: "old-2",
    write: () => {
      writeFileSync(at("other"), "theirs\n");
      renameSync(at("other"), at("old-2"));
    },
  },
];

const textOf = (name: string): string | undefined => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : undefined);

/** False where the file was there already, as with O_EXCL. */
function hasWritten(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST") return false;
    throw thrown;
  }
}

describe.each(THEIRS)("$name, written by somebody else before any of our calls", ({ files, file, write }) => {
  test.each(["overwrite", "append"] as const)("%s", (mode) => {
    const [first = ""] = files;
    const before = textOf(first);
    const seen = { calls: 0, theirs: 0, conflicts: 0 };
    for (let nth = 1; ; nth++) {
      let isTheirs = false;
      layer.arm(nth, (real, args, name) => {
        // Between the last look and the replacing stands no call of ours: those microseconds are stated in docs/security.md.
        if (name === "renameSync" && String(args[1]).endsWith(`/${file}`)) return real(...args);
        isTheirs = hasWritten(write);
        return real(...args);
      });
      const ended = tee(files, mode);
      const fired = layer.fired;
      layer.disarm();
      if (!fired) break;
      seen.calls++;
      if (isTheirs) seen.theirs++;
      if (ended === "CONFLICT") seen.conflicts++;
      expect(["done", "CONFLICT"], `call ${nth}`).toContain(ended);
      const kept = readFileSync(at(file), "utf8");
      const mirror = existsSync(at(`.shelpa/${file}`)) ? readFileSync(at(`.shelpa/${file}`), "utf8") : "";
      // Theirs is still there, or has a record.
      const when = `call ${nth}: ${ended}`;
      if (isTheirs && kept !== "theirs\n") expect(mirror + kept, when).toContain("theirs\n");
      if (ended === "CONFLICT") {
        expect(kept, when).toBe("theirs\n");
        if (first !== file) expect(textOf(first), when).toBe(before);
      }
      expect(verifyAudit(workspace).findings.filter(({ severity }) => severity === "error")).toEqual([]);
      workspace.close();
      place.remove();
      place = tree(["old-1: old 1\n", "old-2: old 2\n"]);
      workspace = Workspace.open(place.path);
    }
    // Something was tried at all: calls of ours, writes of theirs between them, and looks of ours that saw them.
    expect(seen.calls).toBeGreaterThan(10);
    expect(seen.theirs).toBeGreaterThan(5);
    expect(seen.conflicts).toBeGreaterThan(0);
  });
});

test.each([
  { came: false, ended: "done", text: "ours\n" },
  { came: true, ended: "CONFLICT", text: "theirs\n" },
])("on a file system without second names (theirs came: $came): $ended", ({ came, ended, text }) => {
  // Its number among the calls is not ours to know: the one that links is found by trying.
  for (let nth = 1; nth < 100; nth++) {
    const name = `n${nth}`;
    let isLinked = false;
    layer.arm(nth, (real, args, called) => {
      if (called !== "linkSync") return real(...args);
      isLinked = true;
      if (came) writeFileSync(at(name), "theirs\n");
      throw systemError("EPERM");
    });
    const got = tee([name]);
    if (!isLinked) continue;
    expect([got, textOf(name)]).toEqual([ended, text]);
    return;
  }
  expect.unreachable("no call of ours links");
});

const ROUNDS = stressRuns(3, 5);
needs("python3").test(
  `${ROUNDS} writes of forty files beside a process that creates the last of them`,
  { timeout: ROUNDS * 5_000 },
  async () => {
    const names = Array.from({ length: 40 }, (_, number) => `n${number}`);
    let conflicts = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const other = spawn(
        "python3",
        [
          "-c",
          `
import os, sys
os.chdir(sys.argv[1]); print("ready", flush=True)
while not os.path.lexists("n0"): pass
for n in range(39, 0, -1):
    try: os.write(os.open("n%d" % n, os.O_WRONLY | os.O_CREAT | os.O_EXCL), b"USERDATA\\n"); print(n, flush=True)
    except FileExistsError: break
`,
          place.path,
        ],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      let made = "";
      other.stdout.on("data", (text) => (made += String(text)));
      const ended = once(other, "close");
      while (!made.includes("ready")) await new Promise((resolve) => setTimeout(resolve, 5));
      if (tee(names) === "CONFLICT") conflicts++;
      if (!existsSync(at("n0"))) writeFileSync(at("n0"), "");
      await ended;
      const theirs = made.match(/^\d+$/gm) ?? [];
      const lost = theirs.filter((number) => textOf(`n${number}`) !== "USERDATA\n");
      expect(lost, `round ${round}, of ${theirs.length}`).toEqual([]);
      const others = names.map((name) => textOf(name)).filter((text) => text !== undefined && text !== "" && text !== "USERDATA\n");
      expect(new Set(others).size, "ours, whole").toBeLessThanOrEqual(1);
      expect(verifyAudit(workspace).findings.filter(({ severity }) => severity === "error")).toEqual([]);
      workspace.close();
      place.remove();
      place = tree(["old-1: old 1\n"]);
      workspace = Workspace.open(place.path);
    }
    console.log(`${ROUNDS} writes, ${conflicts} conflicts`);
  },
);
