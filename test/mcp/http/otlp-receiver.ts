/** A receiver of OTLP over HTTP in JSON, for tests: what was sent, as the protocol's own names have it. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface AnyValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
}
interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}
interface SentRecord {
  readonly severityNumber: number;
  readonly severityText: string;
  readonly eventName?: string;
  readonly body: AnyValue;
  readonly attributes: readonly KeyValue[];
  readonly traceId?: string;
  readonly spanId?: string;
}
interface Resource {
  readonly attributes: readonly KeyValue[];
}
interface Message {
  readonly resourceSpans?: readonly {
    readonly resource: Resource;
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
  readonly resourceLogs?: readonly {
    readonly resource: Resource;
    readonly scopeLogs: readonly { readonly logRecords: readonly SentRecord[] }[];
  }[];
}

export class OtlpReceiver {
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly message: Message }[] = [];
  /** Status of answers; 0: none is given. */
  status = 200;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        this.requests.push({ path: request.url ?? "", headers: request.headers, message: JSON.parse(text) as Message });
        if (this.status !== 0) response.writeHead(this.status, { "content-type": "application/json" }).end("{}");
      });
    });
  }

  /** Gives its address: `http://127.0.0.1:PORT`. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  get spans(): readonly SentSpan[] {
    return this.requests.flatMap(({ message }) =>
      (message.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  get records(): readonly SentRecord[] {
    return this.requests.flatMap(({ message }) =>
      (message.resourceLogs ?? []).flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
    );
  }

  get resources(): readonly Readonly<Record<string, unknown>>[] {
    return this.requests.flatMap(({ message }) =>
      [...(message.resourceSpans ?? []), ...(message.resourceLogs ?? [])].map(({ resource }) => attributesOf(resource)),
    );
  }
}

export const attributesOf = ({
  attributes,
}: {
  readonly attributes: readonly KeyValue[];
}): Readonly<Record<string, string | number | undefined>> =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue } }) => [
      key,
      stringValue ?? doubleValue ?? (intValue === undefined ? undefined : Number(intValue)),
    ]),
  );
