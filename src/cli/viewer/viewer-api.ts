/** Answers to the viewer's page: pages of entries, one entry, differences, restores, exports. */
import type { IncomingMessage } from "node:http";
import { planRestore, recordedState, restore } from "../../audit/restore.ts";
import { verifyAudit } from "../../audit/verify.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { EntryIndex } from "./entry-index.ts";
import { entryDetail } from "./entry-detail.ts";
import { exportedLines } from "./exported.ts";
import { facetsOf, overviewOf, pageOf } from "./pages.ts";
import { recordedDifference } from "./recorded-difference.ts";
import { Rejected } from "./rejected.ts";
import { readSelection } from "./selection.ts";

export type Answer =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "lines"; readonly type: string; readonly lines: Iterable<string> };

const MOST_BODY_BYTES = 4096;

export class ViewerApi {
  readonly #workspace: Workspace;
  readonly #index: EntryIndex;

  /** Reads the whole audit. Throws FileError. */
  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#index = new EntryIndex(workspace.writer());
    this.#index.entries();
  }

  /** Throws Rejected, NotRestorable, DamagedMirror or FileError. */
  async answer(request: IncomingMessage, url: URL): Promise<Answer> {
    const parameters = url.searchParams;
    const record = parameters.get("record") ?? "";
    switch (`${request.method} ${url.pathname}`) {
      case "GET /api/version":
        this.#index.entries();
        return json({ version: this.#index.version });
      case "GET /api/entries":
        return json(this.#page(parameters));
      case "GET /api/overview":
        return json(overviewOf(this.#index.entries(), readSelection(parameters)));
      case "GET /api/entry":
        return json(entryDetail(this.#workspace.writer(), this.#index.entries(), parameters.get("key") ?? ""));
      case "GET /api/diff":
        return json(recordedDifference(this.#workspace, record));
      case "GET /api/content": {
        const { content } = recordedState(this.#workspace, record, parameters.get("side") === "before" ? "before" : "after");
        if (content === undefined) throw new Rejected(409, "there was no file then");
        return { kind: "bytes", bytes: content };
      }
      case "GET /api/export": {
        const isCsv = parameters.get("format") === "csv";
        const lines = exportedLines(this.#workspace.writer(), readSelection(parameters), isCsv ? "csv" : "jsonl");
        return { kind: "lines", type: isCsv ? "text/csv; charset=utf-8" : "application/jsonl", lines };
      }
      case "GET /api/verify":
        return json(verifyAudit(this.#workspace));
      case "POST /api/restore":
        return json(this.#restore(await body(request)));
      default:
        throw new Rejected(404, "there is nothing here");
    }
  }

  /** With `after`, the place that an earlier page gave as its `next`, the page after that one. */
  #page(parameters: URLSearchParams): unknown {
    const selection = readSelection(parameters);
    const entries = this.#index.entries();
    const { generation, version } = this.#index;
    const after = parameters.get("after");
    const [, of = "", place = ""] = /^(\d{1,10})\.(\d{1,10})$/.exec(after ?? "") ?? [];
    if (after !== null && place === "") throw new Rejected(400, "after is the place where an earlier page ended");
    if (after !== null && Number(of) !== generation) throw new Rejected(409, "records went since the list was loaded: load it again");
    const page = pageOf(entries, selection, parameters.get("grouped") !== "no", after === null ? undefined : Number(place));
    return {
      ...page,
      next: page.next === null ? null : `${generation}.${page.next}`,
      root: this.#workspace.rootPath,
      version,
      total: entries.length,
      ...(after === null ? { facets: facetsOf(entries, selection) } : {}),
    };
  }

  #restore({ record, undo }: Readonly<Record<string, unknown>>): unknown {
    if (typeof record !== "string" || typeof undo !== "boolean")
      throw new Rejected(400, "a restore names a record and says whether it undoes it");
    const plan = planRestore(this.#workspace, record, { undo });
    const line = `shelpa-mcp audit restore ${record}${undo ? " --undo" : ""}`;
    const id = restore(this.#workspace, plan, { session: "", client: "audit viewer", line });
    return { path: plan.path, record: id ?? null };
  }
}

const json = (value: unknown): Answer => ({ kind: "json", value });

async function body(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const blocks: Buffer[] = [];
  let bytes = 0;
  for await (const block of request as AsyncIterable<Buffer>) {
    bytes += block.length;
    if (bytes > MOST_BODY_BYTES) throw new Rejected(413, "that is too much");
    blocks.push(block);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(blocks).toString("utf8"));
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  }
  throw new Rejected(400, "that is no JSON object");
}
