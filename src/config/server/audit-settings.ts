/** The table `[audit]` of a server's file as it takes effect: sinks by type, host paths absolute, contradictions refused. */
import { resolve } from "node:path";
import { ConfigurationError } from "../configuration-error.ts";
import type { ServerFile } from "./server-schema.ts";

export type SinkSettings =
  | { readonly type: "stdout" }
  | {
      readonly type: "syslog";
      readonly host: string;
      readonly port: number;
      readonly isTls: boolean;
      /** Certificates (PEM) that the receiver's must go back to; undefined: those that Node brings. */
      readonly caFile: string | undefined;
    }
  | {
      readonly type: "otlp";
      readonly url: string;
      readonly caFile: string | undefined;
      /** A secret file of the server: headers of the collector's own, `NAME: VALUE` on each line. */
      readonly headersFile: string | undefined;
    };

export interface AuditSettings {
  readonly sinks: readonly SinkSettings[];
  /** Host directory, outside every root, where the place of each sink in each journal is kept, and archives of `keepDays`. */
  readonly state: string;
  /** No line writes while records wait for a sink that has confirmed nothing for some time. */
  readonly requireSink: boolean;
  /** A secret file of the server: no line may read it (`secretFiles` of loadPolicy). */
  readonly anchorKeyFile: string | undefined;
  readonly anchorMinutes: number;
  /** undefined: nothing is moved into archives. */
  readonly keepDays: number | undefined;
}

/** Ports of RFC 5425 and, for TCP without TLS, the one that receivers commonly have. */
const SYSLOG_TLS_PORT = 6514;
const SYSLOG_TCP_PORT = 514;
const ANCHOR_MINUTES = 60;

/**
 * `directory`: that of the file, to which its paths are relative. `state`: the state directory of this user, where the file names none.
 * Throws ConfigurationError.
 */
export function auditSettings(
  table: ServerFile["audit"],
  { directory, state }: { readonly directory: string; readonly state: string },
): AuditSettings {
  const { sinks = [], require_sink = false, anchor_key_file, anchor_minutes, keep_days } = table ?? {};
  const at = (path: string | undefined): string | undefined => (path === undefined ? undefined : resolve(directory, path));
  if (require_sink && sinks.length === 0) throw new ConfigurationError("audit.require_sink: there is no sink; name one in audit.sinks");
  if (anchor_minutes !== undefined && anchor_key_file === undefined) {
    throw new ConfigurationError("audit.anchor_minutes: there is no key to sign with; name one in audit.anchor_key_file");
  }
  if (anchor_key_file !== undefined && sinks.length === 0) {
    throw new ConfigurationError("audit.anchor_key_file: there is no sink that anchors could go to; name one in audit.sinks");
  }
  const found = sinks.map((sink, index) =>
    sinkSettings(sink, `audit.sinks[${index}]`, { caFile: at(sink.ca_file), headersFile: at(sink.headers_file) }),
  );
  const names = found.map((sink) => JSON.stringify(sink));
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0) throw new ConfigurationError(`audit.sinks[${twice}]: the same sink is named before`);
  return {
    sinks: found,
    state: at(table?.state) ?? state,
    requireSink: require_sink,
    anchorKeyFile: at(anchor_key_file),
    anchorMinutes: anchor_minutes ?? ANCHOR_MINUTES,
    keepDays: keep_days,
  };
}

/** Hosts to which nothing leaves this one. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

type SinkTable = NonNullable<NonNullable<ServerFile["audit"]>["sinks"]>[number];

interface SinkFiles {
  readonly caFile: string | undefined;
  readonly headersFile: string | undefined;
}

function sinkSettings({ type, url }: SinkTable, name: string, { caFile, headersFile }: SinkFiles): SinkSettings {
  if (headersFile !== undefined && type !== "otlp") throw new ConfigurationError(`${name}: headers_file is for otlp`);
  if (type === "stdout") {
    if (url !== undefined || caFile !== undefined) throw new ConfigurationError(`${name}: stdout takes no url and no ca_file`);
    return { type };
  }
  const form = type === "syslog" ? "tcp://HOST:PORT or tls://HOST:PORT" : "https://HOST/v1/logs";
  if (url === undefined) throw new ConfigurationError(`${name}: ${type} needs a url: ${form}`);
  const { protocol, hostname, port, pathname, search, username, password } = new URL(url);
  if (username !== "" || password !== "") throw new ConfigurationError(`${name}: a url with a user or a password is not supported`);
  const isTls = protocol === "tls:" || protocol === "https:";
  if (caFile !== undefined && !isTls) throw new ConfigurationError(`${name}: ca_file is for TLS, and ${protocol}// has none`);
  if (type === "otlp") {
    if (protocol !== "https:" && protocol !== "http:") throw new ConfigurationError(`${name}: the url of an OTLP sink is ${form}`);
    if (headersFile !== undefined && !isTls && !LOOPBACK.test(hostname))
      throw new ConfigurationError(`${name}: headers_file is secret, and http:// sends it as it is; the url is ${form}`);
    return { type, url, caFile, headersFile };
  }
  const isPlain = (pathname === "" || pathname === "/") && search === "" && hostname !== "";
  if ((protocol !== "tls:" && protocol !== "tcp:") || !isPlain)
    throw new ConfigurationError(`${name}: the url of a syslog sink is ${form}`);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return { type, host, port: port === "" ? (isTls ? SYSLOG_TLS_PORT : SYSLOG_TCP_PORT) : Number(port), isTls, caFile };
}
