/**
 * Sends the records of workspaces to sinks outside them, signs the heads of their chains, and moves old records into archives. Loaded
 * only where the server's file has a table `[audit]`.
 */
import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { AnchorError, checkSigningKey } from "../../audit/ship/anchor.ts";
import { type JournalSince, newPlace, parsePlace, type Place } from "../../audit/ship/place.ts";
import { nextLines } from "../../audit/ship/next-lines.ts";
import { Slices } from "../../audit/ship/slices.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { AuditSettings, SinkSettings } from "../../config/server/audit-settings.ts";
import { hostFileText, hostSecretText, placesInRoot } from "../../host/host-file.ts";
import { stateFileNames } from "../../host/state-file.ts";
import { FileError } from "../../workspace/file-error.ts";
import { Workspace } from "../../workspace/workspace.ts";
import type { NotedEvent, SinkFigures } from "../server-events.ts";
import type { AuditSink } from "./audit-sink.ts";
import { CountedSink } from "./counted-sink.ts";
import { OtlpSink } from "./otlp-sink.ts";
import { Shipper } from "./shipper.ts";
import { StdoutSink, type WriteOut } from "./stdout-sink.ts";
import { SyslogSink } from "./syslog-sink.ts";
import { Turns } from "./turns.ts";
import { Upkeep } from "./upkeep.ts";

/** Time for what is there to be sent when the server stops, in milliseconds. */
const FLUSH_MS = 2000;
/** Batches on the way to one sink, each of one workspace. */
const MOST_AT_ONCE = 8;
/** Commands that run at once, each of which is a process with some 80 MB. */
const MOST_COMMANDS = 2;

export interface ShippedWorkspace {
  /** To be called after a call that wrote or was logged. Returns at once. */
  changed(): void;
  /** A sentence, where `require_sink` holds and a sink has confirmed nothing for too long while records wait: no line may write then. */
  writesRefusedBecause(): string | undefined;
  /** True where records wait for a sink: it is to be watched although nobody uses it. */
  readonly isUnfinished: boolean;
  /**
   * Signs the head, for at most five seconds, sends what is there, for at most two, and ends. What is left is sent when the workspace is
   * next watched.
   */
  close(): Promise<void>;
}

export class AuditShipping {
  readonly #settings: AuditSettings;
  readonly #sinks: readonly { readonly sink: CountedSink; readonly turns: Turns }[];
  readonly #log: (event: NotedEvent) => void;
  /** By name and root; also those that are being closed. */
  readonly #watched = new Map<string, { readonly watched: ShippedWorkspace; readonly hurry: AbortController }>();
  readonly #slices = new Slices();
  readonly #commandTurns = new Turns(MOST_COMMANDS);

  /**
   * `write` is the process's standard output, where that is no channel of the protocol; undefined: a sink `stdout` is an error. Nothing is
   * opened or written before a workspace is watched. Throws ConfigurationError, also for certificates that cannot be read.
   */
  static open(settings: AuditSettings, log: (event: NotedEvent) => void, write?: WriteOut): AuditShipping {
    if (settings.anchorKeyFile !== undefined) checkAnchorKey(settings.anchorKeyFile);
    return new AuditShipping(settings, log, write);
  }

  private constructor(settings: AuditSettings, log: (event: NotedEvent) => void, write: WriteOut | undefined) {
    this.#settings = settings;
    this.#log = log;
    this.#sinks = settings.sinks.map((sink) => ({ sink: new CountedSink(sinkOf(sink, log, write)), turns: new Turns(MOST_AT_ONCE) }));
  }

  /**
   * Ships the records of the workspace at the host directory `root` until it is closed. One that is still watched, or whose last lines are
   * on the way, is closed before, at once: two would write one place. To be called once at a time for a workspace. Rejects with
   * ConfigurationError where the state directory lies in the root, and FileError where the root cannot be opened.
   */
  async watch(name: string, root: string): Promise<ShippedWorkspace> {
    this.#checkOutside(name, root);
    const key = `${name}\0${root}`;
    const before = this.#watched.get(key);
    before?.hurry.abort();
    // Its owner is told of what goes wrong there.
    await before?.watched.close().catch(() => undefined);
    const shippers = this.#sinks.map(({ sink, turns }) => this.#shipper(sink, turns, name, root));
    const sinceClosed = shippers
      .map((shipper) => shipper.sinceClosed())
      .reduce<JournalSince>((one, other) => (one === "same" ? other : one), "same");
    const options = { settings: this.#settings, name, root, shippers, sinceClosed, turns: this.#commandTurns, log: this.#log };
    const upkeep = new Upkeep(options);
    if (this.#settings.requireSink) for (const shipper of shippers) void shipper.readAhead();
    for (const shipper of shippers) shipper.changed();
    const hurry = new AbortController();
    const end = async (): Promise<void> => {
      try {
        await upkeep.close(hurry.signal);
        await Promise.all(shippers.map((shipper) => shipper.close(FLUSH_MS, hurry.signal)));
      } finally {
        this.#watched.delete(key);
      }
    };
    let ended: Promise<void> | undefined;
    const watched: ShippedWorkspace = {
      changed: () => {
        for (const shipper of shippers) shipper.changed();
      },
      writesRefusedBecause: () =>
        this.#settings.requireSink ? shippers.map((shipper) => shipper.writesRefusedBecause()).find((why) => why !== undefined) : undefined,
      get isUnfinished() {
        return shippers.some((shipper) => shipper.isUnfinished);
      },
      close: () => (ended ??= end()),
    };
    this.#watched.set(key, { watched, hurry });
    return watched;
  }

  /**
   * True where a sink was sent records of this workspace, which nobody watches, before, and others wait, or their head is not signed.
   * Rejects with FileError where the records cannot be read.
   */
  async isUnfinished(name: string, root: string): Promise<boolean> {
    for (const { sink } of this.#sinks) {
      const text = hostFileText(this.#placeFile(sink, name, root));
      const place = text === undefined ? undefined : parsePlace(text);
      if (place === undefined) continue;
      if (this.#settings.anchorKeyFile !== undefined && place.notices.anchored !== place.journal.id) return true;
      const workspace = Workspace.open(root);
      try {
        if ((await nextLines(workspace.writer(), place, 1, { slices: this.#slices })).lines.length > 0) return true;
      } finally {
        workspace.close();
      }
    }
    return false;
  }

  /** In the order of the settings. */
  get figures(): readonly SinkFigures[] {
    return this.#sinks.map(({ sink }) => sink.figures);
  }

  /** Names of the workspaces whose records were sent before. Throws FileError. */
  knownNames(): readonly string[] {
    const names = stateFileNames(`${this.#settings.state}/places`).map((file) => PLACE_FILE.exec(file)?.[1]);
    return [...new Set(names.filter((name) => name !== undefined))];
  }

  /** Closes what is watched, as `ShippedWorkspace.close`. */
  async close(): Promise<void> {
    await Promise.all([...this.#watched.values()].map(({ watched }) => watched.close()));
  }

  #checkOutside(name: string, root: string): void {
    if (placesInRoot(root, this.#settings.state).length === 0) return;
    throw new ConfigurationError(
      `audit.state: ${this.#settings.state} lies in the root of the workspace ${name}, whose content may tell the server nothing`,
    );
  }

  #shipper(sink: AuditSink, turns: Turns, name: string, root: string): Shipper {
    const file = this.#placeFile(sink, name, root);
    const nowMs = (): number => Date.now();
    const place = this.#keptPlace(file) ?? newPlace(randomUUID(), name, nowMs());
    const given = { sink, turns, slices: this.#slices, file, place, log: this.#log };
    return new Shipper({ workspace: Workspace.open(root), ...given, chance: Math.random, nowMs });
  }

  #keptPlace(file: string): Place | undefined {
    try {
      const text = hostFileText(file);
      return text === undefined ? undefined : parsePlace(text);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      throw new ConfigurationError(`audit.state: ${file}: ${thrown.message}`);
    }
  }

  /** A root that is served under another name is another workspace, and a sink at another address another sink. */
  #placeFile(sink: AuditSink, name: string, root: string): string {
    const hash = createHash("sha256").update(`${root}\0${sink.name}`).digest("hex").slice(0, 24);
    return `${this.#settings.state}/places/${name}-${hash}.json`;
  }
}

const PLACE_FILE = /^(.+)-[0-9a-f]{24}\.json$/;

function sinkOf(sink: SinkSettings, log: (event: NotedEvent) => void, write: WriteOut | undefined): AuditSink {
  switch (sink.type) {
    case "stdout":
      if (write === undefined)
        throw new ConfigurationError("audit.sinks: standard output is the protocol's here; stdout is for a server over HTTP");
      return new StdoutSink(write);
    case "syslog":
      return new SyslogSink(
        { host: sink.host, port: sink.port, tls: sink.isTls ? { ca: certificates(sink.caFile) } : undefined },
        hostname(),
      );
    case "otlp":
      return new OtlpSink({ url: sink.url, ca: certificates(sink.caFile), headers: headersIn(sink.headersFile) }, hostname(), (message) =>
        log({ level: "error", message }),
      );
  }
}

function checkAnchorKey(file: string): void {
  const where = `audit.anchor_key_file: ${file}`;
  try {
    const pem = hostSecretText(file);
    if (pem === undefined) throw new ConfigurationError(`${where}: there is no such file`);
    checkSigningKey(pem);
  } catch (thrown) {
    if (!(thrown instanceof AnchorError || thrown instanceof FileError)) throw thrown;
    throw new ConfigurationError(`${where}: ${thrown.message}`);
  }
}

/** Headers of a file, `NAME: VALUE` on each line. None of it is repeated in an error: it is secret. */
function headersIn(file: string | undefined): Readonly<Record<string, string>> {
  if (file === undefined) return {};
  let text: string | undefined;
  try {
    text = hostSecretText(file);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new ConfigurationError(`headers_file: ${file}: ${thrown.message}`);
  }
  if (text === undefined) throw new ConfigurationError(`headers_file: ${file} is not there`);
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const [, name = "", value = ""] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)[ \t]*$/.exec(line) ?? [];
    if (name === "") throw new ConfigurationError(`headers_file: ${file}, line ${index + 1}: a header is NAME: VALUE, of printable ASCII`);
    if (/^(?:content-type|content-length|host|connection|transfer-encoding)$/i.test(name))
      throw new ConfigurationError(`headers_file: ${file}, line ${index + 1}: ${name} is set by the server itself`);
    headers[name] = value;
  }
  return headers;
}

function certificates(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    const text = hostFileText(file);
    if (text?.includes("-----BEGIN CERTIFICATE-----") === true) return text;
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new ConfigurationError(`ca_file: ${file}: ${thrown.message}`);
  }
  throw new ConfigurationError(`ca_file: ${file} is not there, or holds no certificate in PEM`);
}
