/** Rows of attacks (test/attacks/README.md has their contract): reads them, and judges an answer by its row. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { materialDirectory } from "./material.ts";

export interface AttackRow {
  readonly id: string;
  readonly note: string;
  readonly setup: string;
  readonly command: string;
  readonly expect: "refuse" | "safe-output" | "bounded";
  readonly forbid_regex: string;
  readonly must_regex?: string;
  /** bash, in ROOT; must exit 0. */
  readonly post?: string;
  readonly cwd?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly calls?: readonly string[];
  /** Lines for the server's standard input as they are; those that begin with `@` are made by attack-wire.ts. */
  readonly raw?: readonly string[];
  /** Two paths that another process swaps during `calls` calls. */
  readonly race?: { readonly a: string; readonly b: string; readonly calls: number };
  readonly max_ms?: number;
  /** Further arguments of the server. */
  readonly server?: readonly string[];
  readonly needs?: string;
}

/**
 * Rows that were written before something was part of the language, with what they are judged as since: that it may succeed, and
 * that nothing of the host is shown.
 */
const SUPERSEDED: Readonly<Record<string, Partial<AttackRow>>> = {
  // "${NAME}" was to be refused. Variables came: one that the line does not set is empty, as in bash, and a note says so.
  "parse-012": { expect: "safe-output" },
  // ripgrep 15 puts each pattern in a group, so that a)(b is one, and matches nothing: no error there either.
  "proto-015": { expect: "safe-output", must_regex: '"exit_code":1' },
  // tee to the output it has anyway, as in bash: the answer holds the line twice.
  "special-019": { expect: "safe-output" },
  // Our own printf prints the canary, behind fd's sh -c, behind env and as a command of awk.
  "exec-006": { expect: "safe-output", forbid_regex: "CANARY_(OUT|ENV)_" },
  "exec-014": { expect: "safe-output", forbid_regex: "CANARY_(OUT|ENV)_" },
  "exec-015": { expect: "safe-output", forbid_regex: "CANARY_(OUT|ENV)_" },
  "exec-027": { expect: "safe-output", forbid_regex: "CANARY_(OUT|ENV)_" },
  // The editing commands write, and keep the bytes that they replace.
  "write-001": { expect: "safe-output", post: "grep -q x in.txt && grep -q alpha .shelpa/in.txt" },
  "write-002": { expect: "safe-output", post: "grep -q alpha in.txt.bak && grep -q alpha .shelpa/in.txt" },
  "write-003": { expect: "safe-output", post: "grep -q x in.txt && grep -q alpha .shelpa/in.txt" },
  "write-014": { expect: "safe-output", post: "grep -q b .shelpa/in.txt" },
  "write-015": { expect: "safe-output", post: "test -e .shelpa/out.txt" },
  // rm came: it removes what the record holds, and in the second row it does not find what it is to remove.
  "parse-032": { expect: "safe-output", post: "grep -q alpha .shelpa/in.txt" },
  "parse-033": { post: "test -e a.txt" },
  // A part that cannot run fails at its turn, and this one's turn does not come.
  "parse-005": { expect: "safe-output" },
  // rg prints a file's name as it is, a newline in it too, as ripgrep does: the text that a client shows has that line.
  // What goes over the wire has it escaped.
  "output-003": { forbid_regex: "CANARY_(OUT|ENV|EXEC)_" },
};

/** Values of a row's `needs` that are checked. Any other text in it is a hint for people. */
export const NEEDS_ROOT = "root";
export const NEEDS_NON_ROOT = "non-root";

export interface AttackRows {
  readonly rows: readonly AttackRow[];
  /** Path of the rows that should have been there and were not; undefined if all were found. */
  readonly missing: string | undefined;
}

/** The rows of the repository, which are always there, and the rows of the material (material.ts). */
export function attackRows(project: string): AttackRows {
  const own = rowsOf(join(project, "test/attacks/rows.jsonl"));
  const further = join(materialDirectory(project), "attacks/rows.jsonl");
  if (existsSync(further)) return { rows: [...rowsOf(further), ...own], missing: undefined };
  return { rows: own, missing: further };
}

function rowsOf(file: string): AttackRow[] {
  const rows = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as AttackRow)
    .map((row) => ({ ...row, ...SUPERSEDED[row.id] }));
  const ids = new Set<string>();
  for (const { id } of rows) {
    if (ids.has(id)) throw new Error(`${file}: two rows ${id}`);
    ids.add(id);
  }
  return rows;
}

/** Faults of one answer to a call of `row`; undefined stands for an answer that did not come. */
export function judge(row: AttackRow, answer: unknown): string[] {
  if (answer === undefined) return ["no answer"];
  const text = JSON.stringify(answer);
  // As it goes over the wire, and as a client shows it.
  const shown = (answer as { result?: { content?: readonly { text?: string }[] } }).result?.content ?? [];
  const problems = judgeText(row, [text, ...shown.map((block) => block.text ?? "")].join("\n"));
  if (row.expect === "refuse" && !isRefusal(answer)) problems.push(`neither refused nor failed: ${text.slice(0, 300)}`);
  return problems;
}

/** Code points past U+FFFF are written \u{…}. */
const pattern = (source: string): RegExp => new RegExp(source, source.includes("\\u{") ? "u" : "");

/** Faults of the text of one or more answers. */
export function judgeText(row: AttackRow, text: string): string[] {
  const problems: string[] = [];
  if (row.forbid_regex !== "" && pattern(row.forbid_regex).test(text)) problems.push(`forbidden text: ${text.slice(0, 300)}`);
  if (row.must_regex !== undefined && !pattern(row.must_regex).test(text)) {
    problems.push(`the answer lacks ${row.must_regex}: ${text.slice(0, 300)}`);
  }
  return problems;
}

/** A refusal, a protocol error, or a non-zero exit. */
function isRefusal(answer: unknown): boolean {
  const { error, result } = answer as {
    error?: unknown;
    result?: { isError?: boolean; _meta?: { exit_code?: number } };
  };
  if (error !== undefined || result?.isError === true) return true;
  return (result?._meta?.exit_code ?? 0) !== 0;
}
