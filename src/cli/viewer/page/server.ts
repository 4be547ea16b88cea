/** Requests to the server that gave the page, each with the token in a header. */
import type { EntryDetail } from "../entry-detail.ts";
import type { Facets, Overview, Page } from "../pages.ts";
import type { RecordedDifference } from "../recorded-difference.ts";

export interface ListPage extends Omit<Page, "next"> {
  readonly root: string;
  readonly version: number;
  /** Number of entries without any filter. */
  readonly total: number;
  readonly next: string | null;
  /** With the first page. */
  readonly facets?: Facets;
}

export interface Verification {
  readonly records: number;
  readonly files: number;
  readonly findings: readonly { readonly severity: string; readonly code: string; readonly path: string; readonly detail: string }[];
}

export class Server {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  /** `query`: the filters. Each method throws Error with a sentence of the server. */
  entries(query: string, isGrouped: boolean, after?: string): Promise<ListPage> {
    const parameters = new URLSearchParams(query);
    if (!isGrouped) parameters.set("grouped", "no");
    if (after !== undefined) parameters.set("after", after);
    return this.#json(`/api/entries?${parameters}`);
  }

  version(): Promise<{ readonly version: number }> {
    return this.#json("/api/version");
  }

  overview(query: string): Promise<Overview> {
    return this.#json(`/api/overview?${query}`);
  }

  entry(key: string): Promise<EntryDetail> {
    return this.#json(`/api/entry?${new URLSearchParams({ key })}`);
  }

  difference(record: string): Promise<RecordedDifference> {
    return this.#json(`/api/diff?${new URLSearchParams({ record })}`);
  }

  verification(): Promise<Verification> {
    return this.#json("/api/verify");
  }

  async content(record: string, side: "before" | "after"): Promise<Blob> {
    return (await this.#ask(`/api/content?${new URLSearchParams({ record, side })}`)).blob();
  }

  async exported(query: string, format: "csv" | "jsonl"): Promise<Blob> {
    return (await this.#ask(`/api/export?format=${format}&${query}`)).blob();
  }

  /** The record of the restore; null where the file was so already. */
  restore(record: string, undo: boolean): Promise<{ readonly path: string; readonly record: string | null }> {
    return this.#json("/api/restore", JSON.stringify({ record, undo }));
  }

  async #json<R>(path: string, body?: string): Promise<R> {
    return (await this.#ask(path, body)).json();
  }

  async #ask(path: string, body?: string): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    const response = await fetch(path, { method: body === undefined ? "GET" : "POST", headers, body: body ?? null });
    if (response.ok) return response;
    const { error }: { readonly error: string } = await response.json();
    throw new Error(error);
  }
}
