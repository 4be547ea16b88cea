/** The sink `syslog` against receivers of its own making: what counts as confirmed, over TCP and over TLS. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SinkAway } from "../../../src/mcp/sinks/audit-sink.ts";
import { SyslogSink } from "../../../src/mcp/sinks/syslog-sink.ts";
import { needs } from "../../needs.ts";
import { tree, type Tree } from "../../tree.ts";
import { type Certificates, makeCertificates, type Manners, shippedLine, syslogReceiver, type SyslogReceiverHere } from "./receivers.ts";

const SOON = { connectMs: 30_000, sendMs: 30_000 };
const never = new AbortController().signal;
/** More than the buffers of a connection hold. */
const MANY = Array.from({ length: 400 }, (_, index) => shippedLine(index + 1, JSON.stringify({ text: "x".repeat(60_000) })));
const FEW = [shippedLine(1), shippedLine(2)];

let receiver: SyslogReceiverHere | undefined;
afterEach(() => receiver?.close());

const sinkTo = ({ port }: SyslogReceiverHere, tls?: { readonly ca: string | undefined }, limits = SOON): SyslogSink =>
  new SyslogSink({ host: "localhost", port, tls }, "host", limits);
const listening = async (certificates?: Certificates, ...manners: Manners[]): Promise<SyslogReceiverHere> => {
  receiver = await syslogReceiver(certificates, manners);
  return receiver;
};

/** One table, both ways. */
function confirmations(certificates: () => Certificates | undefined): void {
  const tls = (): { readonly ca: string } | undefined => {
    const made = certificates();
    return made && { ca: made.ca };
  };
  test("all is read and the connection ended: confirmed, in order", async () => {
    const here = await listening(certificates());
    await sinkTo(here, tls()).send(FEW, never);
    expect(here.messages.map(({ text }) => text)).toEqual(['{"line":1}', '{"line":2}']);
    expect(here.messages[1]?.facts).toEqual({ stream: "s", workspace: "w", log: "journal", seq: "2", id: "2", kind: "intent" });
  });
  test("a batch that is larger than any buffer", async () => {
    const here = await listening(certificates());
    await sinkTo(here, tls()).send(MANY, never);
    expect(here.messages.filter(({ facts }) => facts["part"]?.startsWith("1/") === true).map(({ facts }) => Number(facts["seq"]))).toEqual(
      MANY.map(({ sequence }) => sequence),
    );
  });
  test.each<readonly [Manners, number]>([
    ["reset after some", 400],
    ["end after some", 400],
    ["reset after some", 2],
    ["end after some", 2],
    ["end at once", 2],
    ["end at once", 400],
  ])("%s, of %i lines: not confirmed", async (manners, count) => {
    const here = await listening(certificates(), manners);
    await expect(sinkTo(here, tls()).send(MANY.slice(0, count), never)).rejects.toThrow(SinkAway);
  });
  test.each<Manners>(["hang", "never end"])("%s: given up in time", async (manners) => {
    const here = await listening(certificates(), manners);
    await expect(sinkTo(here, tls(), { connectMs: 30_000, sendMs: 100 }).send(MANY, never)).rejects.toThrow(SinkAway);
  });
  test("the server stops meanwhile", async () => {
    const here = await listening(certificates(), "hang");
    const stop = new AbortController();
    const sent = sinkTo(here, tls()).send(MANY, stop.signal);
    stop.abort();
    await expect(sent).rejects.toThrow("the server stops");
  });
}

describe("over TCP", () => {
  confirmations(() => undefined);
  test("nobody listens", async () => {
    const here = await listening();
    await here.close();
    await expect(sinkTo(here).send(FEW, never)).rejects.toThrow(/ECONNREFUSED/);
  });
});

needs("openssl").describe("over TLS", () => {
  let place: Tree;
  let certificates: Certificates;
  beforeEach(() => {
    place = tree([]);
    certificates = makeCertificates(place.path, "localhost");
  });
  afterEach(() => place.remove());

  confirmations(() => certificates);
  test("a certificate of an authority that is not ours", async () => {
    const here = await listening(certificates);
    const { ca } = makeCertificates(place.path, "other");
    await expect(sinkTo(here, { ca }).send(FEW, never)).rejects.toThrow(/certificate/);
    await expect(sinkTo(here, { ca: undefined }).send(FEW, never)).rejects.toThrow(/certificate/);
    expect(here.messages).toEqual([]);
  });
  test("a certificate of another name", async () => {
    const other = makeCertificates(place.path, "elsewhere.example");
    const here = await listening(other);
    await expect(sinkTo(here, { ca: other.ca }).send(FEW, never)).rejects.toThrow(/localhost/);
    expect(here.messages).toEqual([]);
  });
  test("a receiver without TLS", async () => {
    const here = await listening();
    await expect(sinkTo(here, { ca: certificates.ca }, { connectMs: 500, sendMs: 500 }).send(FEW, never)).rejects.toThrow(SinkAway);
  });
});
