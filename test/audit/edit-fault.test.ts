/**
 * Edits at every call that changes a file: the writer is stopped before it, or the call fails. Afterwards the tree is the one
 * before or the one after, never one in between.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, expect, test } from "vitest";
import { createRecorder } from "../../src/audit/recorder.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import type { EditTransaction } from "../../src/builtin/recorder.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree } from "../tree.ts";
import { installFaultLayer, systemError } from "./fault-layer.ts";

const LINES = ["d/", "d/a: one", "d/sub/", "d/sub/c: three", "d/link => a", "top: top\n"];
const CONTEXT = { session: "s", client: "test", line: "mv", confirmOversize: false };

/** As mv, rm and touch ask for them. */
const TRANSACTIONS: Readonly<Record<string, (edits: EditTransaction) => void>> = {
  move(edits) {
    edits.makeDirectory("new", { mode: 0o700 });
    edits.replace("new/a", [Buffer.from("one")], { mode: 0o600, modifiedNs: 1_000_000_000_000_000_000n });
    edits.link("new/link", "a");
    edits.remove("d/a");
    edits.remove("d/link");
  },
  remove(edits) {
    for (const file of ["d/a", "d/link", "d/sub/c"]) edits.remove(file);
    edits.removeDirectory("d/sub");
    edits.removeDirectory("d");
  },
  makeEmpty(edits) {
    edits.makeDirectory("new");
    edits.makeDirectory("new/deep", { mode: 0o700 });
  },
  replace(edits) {
    edits.replace("top", [Buffer.from("TOP")]);
    edits.replace("d/a", [Buffer.from("ONE")]);
    edits.setAttributes("d/sub/c", { modifiedNs: 2_000_000_000_000_000_000n });
  },
};

if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";
const layer = installFaultLayer();
afterEach(() => layer.disarm());
afterAll(() => layer.remove());

function snapshot(root: string, below = ""): readonly string[] {
  return readdirSync(`${root}/${below}`)
    .sort()
    .flatMap((name) => {
      const path = below === "" ? name : `${below}/${name}`;
      if (path === ".shelpa") return [];
      const status = lstatSync(`${root}/${path}`);
      if (status.isSymbolicLink()) return [`${path} -> ${readlinkSync(`${root}/${path}`)}`];
      if (status.isDirectory()) return [`${path}/ ${status.mode}`, ...snapshot(root, path)];
      const isSet = status.mtimeMs === 1e12 || status.mtimeMs === 2e12;
      return [`${path} ${status.mode} ${isSet} ${readFileSync(`${root}/${path}`, "utf8")}`];
    });
}

function inTree(action: (root: string, workspace: Workspace) => void): void {
  const { path, remove } = tree(LINES);
  const workspace = Workspace.open(path);
  try {
    action(path, workspace);
  } finally {
    layer.disarm();
    workspace.close();
    remove();
  }
}

function run(workspace: Workspace, changes: (edits: EditTransaction) => void): void {
  const edits = createRecorder(workspace, CONTEXT).edit("");
  changes(edits);
  edits.commit();
}

/** Snapshots of the tree before and after the changes. */
function ends(changes: (edits: EditTransaction) => void): readonly [readonly string[], readonly string[]] {
  let found: readonly [readonly string[], readonly string[]] = [[], []];
  inTree((root, workspace) => {
    const old = snapshot(root);
    run(workspace, changes);
    found = [old, snapshot(root)];
  });
  return found;
}

class Stopped extends Error {}

for (const [name, changes] of Object.entries(TRANSACTIONS)) {
  test(`stopped before each call: ${name}`, { timeout: 120_000 }, () => {
    const states = ends(changes);
    const met = new Set<number>();
    for (let nth = 1, fired = true; fired; nth++) {
      inTree((root, workspace) => {
        layer.arm(nth, () => {
          layer.dead = new Stopped();
          throw layer.dead;
        });
        try {
          run(workspace, changes);
        } catch (thrown) {
          if (!(thrown instanceof Stopped)) throw thrown;
        }
        fired = layer.fired;
        layer.dead = undefined;
        layer.disarm();
        const lock = `${root}/.shelpa/@/lock`;
        if (existsSync(lock)) writeFileSync(lock, readFileSync(lock, "utf8").replace(/"pid":\d+/, '"pid":999999999') || "{}");
        createRecorder(workspace, CONTEXT).edit("").abort();
        // Only where the making of the lock itself was cut short.
        if (existsSync(lock)) return;
        const now = snapshot(root);
        met.add(states.findIndex((state) => JSON.stringify(state) === JSON.stringify(now)));
        expect(states, `call ${nth}`).toContainEqual(now);
        expect(
          // A mirror that was made and not yet journaled is a warning.
          verifyAudit(workspace).findings.filter(({ code }) => code !== "ORPHAN_MIRROR"),
          `call ${nth}`,
        ).toEqual([]);
      });
    }
    expect(met).toEqual(new Set([0, 1]));
  });

  for (const code of ["ENOSPC", "EACCES"]) {
    test(`${code} at each call: ${name}`, { timeout: 120_000 }, () => {
      const states = ends(changes);
      for (let nth = 1, fired = true; fired; nth++) {
        inTree((root, workspace) => {
          layer.arm(nth, (real, args, call) => {
            if (call === "unlinkSync" && String(args[0]).endsWith("/lock")) return real(...args);
            throw systemError(code);
          });
          let failed = false;
          try {
            run(workspace, changes);
          } catch (thrown) {
            if (!(thrown instanceof FileError)) throw thrown;
            failed = true;
            expect(thrown.message, `call ${nth}`).not.toMatch(/\/proc|\.shelpa-/);
          }
          fired = layer.fired;
          layer.disarm();
          createRecorder(workspace, CONTEXT).edit("").abort();
          const now = snapshot(root);
          expect(now, `call ${nth}`).toEqual(states[failed ? 0 : 1]);
        });
      }
    });
  }
}
