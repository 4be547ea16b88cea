/** Receivers for the tests of sinks, on this machine, that do what they are told to. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer as createTcp, type Server, type Socket } from "node:net";
import { createServer as createTls } from "node:tls";
import type { ShippedLine } from "../../../src/audit/ship/shipped-line.ts";

/** "read": all of it, and answers our end with its own. */
export type Manners = "read" | "reset after some" | "end after some" | "end at once" | "hang" | "never end";

export interface SyslogReceiverHere {
  readonly port: number;
  /** Texts of the messages behind their structured data, in the order in which they came; with the facts. */
  readonly messages: { readonly facts: Readonly<Record<string, string>>; readonly text: string }[];
  readonly connections: () => number;
  /** Manners of the connections to come, one each; the last holds for all that follow. */
  manners: Manners[];
  close(): Promise<void>;
}

export interface Certificates {
  readonly ca: string;
  readonly key: string;
  readonly certificate: string;
}

/** Certificates of openssl's in `directory`: an authority, and a server of that name. */
export function makeCertificates(directory: string, name: string): Certificates {
  const at = (file: string): string => `${directory}/${name}-${file}`;
  const openssl = (...words: string[]): void => void execFileSync("openssl", words, { stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...newKey, "-keyout", at("ca.key"), "-out", at("ca.pem"), "-subj", "/CN=test CA", "-days", "2");
  openssl("req", ...newKey, "-keyout", at("key"), "-out", at("csr"), "-subj", "/CN=server");
  writeFileSync(at("names"), `subjectAltName=DNS:${name}\n`);
  const signing = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-days", "2", "-extfile", at("names")];
  openssl("x509", "-req", "-in", at("csr"), "-out", at("pem"), ...signing);
  return { ca: readFileSync(at("ca.pem"), "utf8"), key: readFileSync(at("key"), "utf8"), certificate: readFileSync(at("pem"), "utf8") };
}

/** Enough that a receiver with bad manners has read something. */
const SOME_BYTES = 100;

export async function syslogReceiver(certificates?: Certificates, manners: Manners[] = ["read"]): Promise<SyslogReceiverHere> {
  let connections = 0;
  const open = new Set<Socket>();
  const messages: SyslogReceiverHere["messages"] = [];
  const here = { manners };
  const serve = (socket: Socket): void => {
    const how = here.manners[Math.min(connections++, here.manners.length - 1)] ?? "read";
    socket.on("error", () => undefined);
    if (how === "hang") return;
    if (how === "end at once") return void socket.end();
    let unread = Buffer.alloc(0);
    let bytes = 0;
    socket.on("data", (block: Buffer) => {
      bytes += block.length;
      unread = Buffer.concat([unread, block]);
      for (let frame = frameIn(unread); frame !== undefined; frame = frameIn(unread)) {
        messages.push(messageIn(unread.subarray(frame.from, frame.to).toString("utf8")));
        unread = unread.subarray(frame.to);
      }
      if (bytes < SOME_BYTES) return;
      // With bytes unread, which resets the connection.
      if (how === "reset after some") socket.destroy();
      if (how === "end after some") socket.end();
    });
    socket.on("end", () => {
      if (how !== "never end") socket.end();
    });
  };
  const server: Server =
    certificates === undefined
      ? createTcp({ allowHalfOpen: true }, serve)
      : createTls({ allowHalfOpen: true, key: certificates.key, cert: certificates.certificate }, serve);
  server.on("tlsClientError", () => undefined);
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  return Object.assign(here, {
    port,
    messages,
    connections: () => connections,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** RFC 6587 §3.4.1. */
function frameIn(bytes: Buffer): { readonly from: number; readonly to: number } | undefined {
  const blank = bytes.indexOf(" ");
  if (blank < 0) return undefined;
  const to = blank + 1 + Number(bytes.subarray(0, blank).toString("latin1"));
  return to <= bytes.length ? { from: blank + 1, to } : undefined;
}

function messageIn(message: string): SyslogReceiverHere["messages"][number] {
  const [, data = "", text = ""] = /^<\d+>1 \S+ \S+ shelpa-mcp - \w+ \[shelpa@32473 ((?:[^\]\\]|\\.)*)\] (.*)$/s.exec(message) ?? [];
  return {
    facts: Object.fromEntries([...data.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = "", value = ""]) => [name, value])),
    text,
  };
}

export const shippedLine = (sequence: number, text = `{"line":${sequence}}`): ShippedLine => ({
  ...{ stream: "s", workspace: "w", log: "journal", sequence, id: String(sequence), kind: "intent", time: "2026-02-25T13:17:30Z", text },
});

/** Waits until `is` holds: for half a minute, on a machine that does much else. */
export async function until(is: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  while (!is()) {
    if (performance.now() > deadlineMs) throw new Error("it did not come to that in 30 s");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
