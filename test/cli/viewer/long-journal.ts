/** A journal of many records with its chain and mirrors, as a writer of ours would have left it, made at once. */
import { createHash } from "node:crypto";
import { appendFileSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import type { IntentLine, NewLine } from "../../../src/audit/journal-lines.ts";
import { timestampOf } from "../../../src/audit/journal-lines.ts";
import { separator } from "../../../src/audit/mirror.ts";

/** 2026-02-25T12:00:00Z, in nanoseconds; a record follows every minute. */
const FIRST_ID = 1_772_020_800_000_000_000n;
const MINUTE_NS = 60_000_000_000n;
const CLIENTS = [
  { client: "mcp", client_name: "claude-code", client_version: "2.1.4" },
  { client: "mcp", client_name: "cursor", client_version: "3.0" },
  { client: "run" },
] as const;
const FILES = 40;

/**
 * Records `writes` overwrites of forty files below `root`, of which the files are made, too; of each hundred writes the last
 * ten are one command line's.
 */
export function recordMany(root: string, writes: number): void {
  mkdirSync(`${root}/.shelpa/@`, { recursive: true });
  mkdirSync(`${root}/.shelpa/src`, { recursive: true });
  mkdirSync(`${root}/src`, { recursive: true });
  const journal = openSync(`${root}/.shelpa/@/journal.jsonl`, "w", 0o600);
  const files = Array.from({ length: FILES }, () => ({ content: "", mirror: "", offset: 0, last: null as string | null }));
  let prev = "0".repeat(64);
  let text = "";
  const add = (line: NewLine): void => {
    const json = JSON.stringify({ ...line, prev });
    prev = sha256(json);
    text += `${json}\n`;
    if (text.length < 1 << 20) return;
    writeSync(journal, text);
    text = "";
  };
  for (let number = 0; number < writes; number++) {
    const id = String(FIRST_ID + BigInt(number) * MINUTE_NS);
    const first = number - (number % 10);
    const call = number % 100 >= 90 ? String(FIRST_ID + BigInt(first) * MINUTE_NS) : id;
    const at = number % FILES;
    const file = files[at] ?? { content: "", mirror: "", offset: 0, last: null };
    const path = `src/module-${String(at).padStart(2, "0")}.ts`;
    const content = `export const module = ${at};\nexport const revision = ${number};\n`;
    const head = separator("overwrite", id);
    const line: Omit<IntentLine, "prev"> = {
      kind: "intent",
      id,
      ts: timestampOf(id),
      transaction: id,
      call,
      targets: 1,
      mode: "overwrite",
      temporary: `.shelpa-new-${sha256(id).slice(0, 16)}`,
      backup: `.shelpa-old-${sha256(id).slice(0, 16)}`,
      session: `session-${Math.floor(number / 1000)}`,
      ...(CLIENTS[Math.floor(number / 10) % CLIENTS.length] ?? { client: "run" }),
      command:
        call === id
          ? `sed 's/revision = .*/revision = ${number}/' ${path} | tee ${path}`
          : "rg -l revision src | xargs sed -i 's/revision/version/'",
      permitted_by: number % 50 === 0 ? "human" : null,
      path,
      mirror: `.shelpa/${path}`,
      offset: file.offset,
      content_offset: file.offset + head.length,
      content: digest(content),
      before: file.last === null ? null : digest(file.content),
      after: digest(content),
      whole: true,
      previous: file.last,
    };
    add(line);
    file.offset += head.length + content.length;
    add({
      kind: "outcome",
      id: String(BigInt(id) + 3_000_000n),
      ts: timestampOf(id),
      transaction: id,
      record_id: id,
      path,
      result: "done",
      reason: "",
      recovered: false,
      after: digest(content),
      whole: true,
      mirror_end: file.offset,
      pending: 0,
    });
    file.mirror += head + content;
    file.content = content;
    file.last = id;
    if (file.mirror.length > 1 << 18) {
      appendFileSync(`${root}/.shelpa/${path}`, file.mirror);
      file.mirror = "";
    }
  }
  writeSync(journal, text);
  closeSync(journal);
  files.forEach(({ content, mirror, last }, at) => {
    if (last === null) return;
    const path = `src/module-${String(at).padStart(2, "0")}.ts`;
    appendFileSync(`${root}/.shelpa/${path}`, mirror);
    writeFileSync(`${root}/${path}`, content);
  });
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const digest = (text: string): { bytes: number; sha256: string } => ({ bytes: text.length, sha256: sha256(text) });
