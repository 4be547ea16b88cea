/**
 * The environment's wish for telemetry (`OTEL_*`), as the OpenTelemetry specification names it. Only where there is one is the code of
 * OpenTelemetry read.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
import type { Telemetry, TelemetryOptions } from "./telemetry.ts";

export type Signal = "traces" | "logs";
type Environment = Readonly<Record<string, string | undefined>>;

export interface TelemetryWish {
  readonly signals: readonly Signal[];
  /** Sentences on settings that are not followed. */
  readonly problems: readonly string[];
}

const SIGNALS: readonly Signal[] = ["traces", "logs"];

export function telemetryWish(environment: Environment): TelemetryWish {
  if (environment["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true") return { signals: [], problems: [] };
  const wishes = SIGNALS.map((signal) => wishFor(signal, environment));
  return { signals: wishes.flatMap(({ signals }) => signals), problems: [...new Set(wishes.flatMap(({ problems }) => problems))] };
}

/** Sends what the environment asks for, until it is shut down; undefined where that is nothing. Problems are said by `options.say`. */
export async function openTelemetry(environment: Environment, options: TelemetryOptions): Promise<Telemetry | undefined> {
  const { signals, problems } = telemetryWish(environment);
  for (const message of problems) options.say({ level: "warning", message });
  if (signals.length === 0) return undefined;
  const { startTelemetry } = await import("./telemetry.ts");
  return startTelemetry(signals, environment, options);
}

function wishFor(signal: Signal, environment: Environment): TelemetryWish {
  const name = signal.toUpperCase();
  /** The variable of the signal, or else that of all; one that is empty counts as not set. */
  const setting = (general: string, own: string): readonly [name: string, value: string] | undefined =>
    [own, general].flatMap((variable) => {
      const value = environment[variable]?.trim() ?? "";
      return value === "" ? [] : [[variable, value] as const];
    })[0];
  const exporter = environment[`OTEL_${name}_EXPORTER`]?.trim() ?? "";
  const endpoint = setting("OTEL_EXPORTER_OTLP_ENDPOINT", `OTEL_EXPORTER_OTLP_${name}_ENDPOINT`);
  if (endpoint === undefined || exporter === "none") return { signals: [], problems: [] };
  if (exporter !== "" && exporter !== "otlp") {
    return { signals: [], problems: [`OTEL_${name}_EXPORTER: there is otlp and none, and no '${exporter}'; no ${signal} are sent`] };
  }
  if (!/^https?:\/\//i.test(endpoint[1]) || !URL.canParse(endpoint[1])) {
    return { signals: [], problems: [`${endpoint[0]} is no URL of http or https; no ${signal} are sent`] };
  }
  const protocol = setting("OTEL_EXPORTER_OTLP_PROTOCOL", `OTEL_EXPORTER_OTLP_${name}_PROTOCOL`);
  // A receiver of OTLP over HTTP takes both encodings at one address.
  if (protocol === undefined || /^http\//.test(protocol[1])) return { signals: [signal], problems: [] };
  return { signals: [signal], problems: [`${protocol[0]}: OTLP is sent as http/json, not by ${protocol[1]}: commonly to port 4318`] };
}
