/** Signed heads of the chain: they hold while the journal grows and is pruned, and fail once it is rewritten. */
import { type ED25519KeyPairOptions, generateKeyPairSync } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { prunable, prune } from "../../../src/audit/prune.ts";
import { createRecorder } from "../../../src/audit/recorder.ts";
import {
  type Anchor,
  AnchorError,
  anchorKey,
  anchorText,
  checkAnchor,
  headOf,
  parseAnchor,
  signedAnchor,
} from "../../../src/audit/ship/anchor.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { tree, type Tree } from "../../tree.ts";

let place: Tree;
let workspace: Workspace;
beforeEach(() => {
  place = tree([]);
  workspace = Workspace.open(place.path);
});
afterEach(() => {
  workspace.close();
  place.remove();
});

const FORMS: ED25519KeyPairOptions<"pem", "pem"> = {
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
};
const own = generateKeyPairSync("ed25519", FORMS);
const other = generateKeyPairSync("ed25519", FORMS);

function write(path: string, text = "x\n"): string {
  const transaction = createRecorder(workspace, { session: "s", client: "test", line: "line", confirmOversize: true }).begin(
    [path],
    "overwrite",
    "",
  );
  transaction.write(Buffer.from(text));
  return transaction.commit().at(-1)?.recordId ?? "";
}

const ABOUT = { workspace: "a b", root: "0".repeat(64), time: "2026-02-25T13:17:30.123Z" };
const anchor = (): Anchor => signedAnchor(headOf(workspace.writer()), own.privateKey, ABOUT);
const checked = (of: Anchor, key = own.publicKey) => checkAnchor(workspace.writer(), of, anchorKey(key));
const path = (): string => `${place.path}/.shelpa/@/journal.jsonl`;
const journal = (): string[] => readFileSync(path(), "utf8").split("\n").slice(0, -1);
const rewrite = (lines: readonly string[]): void => writeFileSync(path(), lines.map((line) => `${line}\n`).join(""));

function pruneBefore(id: string): void {
  const elsewhere = tree([]);
  const target = Workspace.open(elsewhere.path);
  const directory = target.writer().root();
  prune(workspace, prunable(workspace, BigInt(id)), directory, "a.tar.gz");
  directory.close();
  target.close();
  elsewhere.remove();
}

test("both forms are read back", () => {
  write("a");
  const made = anchor();
  expect(anchorText(made)).toMatch(
    /^shelpa-anchor\/1 workspace=a%20b root=0{64} records=1 id=\d{19} sha256=[0-9a-f]{64} time=2026-02-25T13%3A17%3A30\.123Z key=[0-9a-f]{16} signature=[\w+/]{86}==$/,
  );
  expect(parseAnchor(anchorText(made))).toEqual(made);
  expect(parseAnchor(JSON.stringify(made))).toEqual(made);
});

describe("holds", () => {
  test("of a journal that has nothing yet, whatever comes", () => {
    const empty = anchor();
    write("a");
    expect([empty.records, checked(empty)]).toEqual([0, { verdict: "holds", detail: "Nothing had been recorded then." }]);
  });
  test("of each head, while others follow", () => {
    write("a");
    const first = anchor();
    expect(checked(first)).toEqual({ verdict: "holds", detail: "The chain has this head, and 0 changes after it." });
    write("b");
    write("c");
    expect(checked(first)).toEqual({ verdict: "holds", detail: "The chain has this head, and 2 changes after it." });
  });
  test("after a prune of what was before, and after another", () => {
    write("a");
    const second = write("b");
    write("c");
    const made = anchor();
    pruneBefore(second);
    expect(checked(made).verdict).toBe("holds");
    const later = anchor();
    const last = write("d");
    pruneBefore(last);
    expect(checked(later)).toEqual({
      verdict: "holds",
      detail: "The chain goes on from this head, which was pruned, with 1 changes after it.",
    });
    expect(checked(made).verdict).toBe("unknown");
  });
});

describe("cannot be told here", () => {
  test("where the line was pruned: the archive is named", () => {
    write("a");
    const made = anchor();
    write("b");
    const last = write("c");
    pruneBefore(last);
    const { verdict, detail } = checked(made);
    expect(verdict).toBe("unknown");
    expect(detail).toMatch(
      /^The line \d+ was pruned at \S+Z: unpack the archive a\.tar\.gz \(sha256 [0-9a-f]{64}\), and verify the anchor there\.$/,
    );
  });
});

describe("fails", () => {
  const REWRITTEN = "The chain does not have this head: the journal was rewritten, cut off, or is another one.";
  test.each<readonly [string, () => void, string | RegExp]>([
    ["another journal", () => rmSync(`${place.path}/.shelpa`, { recursive: true }), REWRITTEN],
    ["cut off", () => rewrite(journal().slice(0, 2)), REWRITTEN],
    [
      "the signed line is another",
      () => rewrite([...journal().slice(0, -1), (journal().at(-1) ?? "").replace('"done"', '"abandoned"')]),
      /^The journal's line \d+ is not the one that was signed: the journal was rewritten\.$/,
    ],
    [
      "a line before it is another",
      () => rewrite(journal().with(0, (journal()[0] ?? "").replace('"line"', '"LINE"'))),
      /^The chain is broken at line \d+/,
    ],
    ["a line before it is gone", () => rewrite(journal().slice(2)), /^The chain is broken at line \d+/],
  ])("%s", (_, change, detail) => {
    write("a");
    write("b");
    const made = anchor();
    change();
    expect(checked(made)).toEqual({ verdict: "fails", detail: typeof detail === "string" ? detail : expect.stringMatching(detail) });
  });
  test("a journal written anew with a whole chain", () => {
    write("a");
    const made = anchor();
    rmSync(`${place.path}/.shelpa`, { recursive: true });
    write("a");
    write("b");
    expect(headOf(workspace.writer()).records).toBe(2);
    expect(checked(made)).toEqual({ verdict: "fails", detail: REWRITTEN });
  });
  test("another key, and each field changed", () => {
    write("a");
    const made = anchor();
    expect(checked(made, other.publicKey).detail).toMatch(/^It was signed with another key: /);
    const changed = "Its signature is not of this text: the anchor was changed.";
    const changes: Partial<Anchor>[] = [
      { workspace: "b" },
      { root: "1" },
      { records: 2 },
      { id: "5" },
      { sha256: "1".repeat(64) },
      { time: "" },
    ];
    for (const change of changes) expect(checked({ ...made, ...change })).toEqual({ verdict: "fails", detail: changed });
    expect(checked({ ...made, signature: "" })).toEqual({ verdict: "fails", detail: changed });
  });
});

describe("nothing is signed or read", () => {
  test("over a chain that is broken", () => {
    write("a");
    write("b");
    rewrite(journal().toSpliced(1, 1));
    expect(() => headOf(workspace.writer())).toThrow(AnchorError);
  });
  test.each(["", "no key", generateKeyPairSync("x25519", FORMS).privateKey, own.publicKey])("with %j for a private key", (pem) => {
    expect(() => signedAnchor(headOf(workspace.writer()), pem, ABOUT)).toThrow(/Ed25519 private key/);
  });
  test.each(["", "shelpa-anchor/1", "shelpa-anchor/2 workspace=a", "{", "null", "[]", "{}", "shelpa-anchor/1 workspace=%zz"])(
    "%j",
    (text) => {
      expect(() => parseAnchor(text)).toThrow(AnchorError);
    },
  );
});
