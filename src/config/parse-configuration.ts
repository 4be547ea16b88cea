/** Parser of a configuration file: its text → its settings, checked. */
import { ConfigurationError } from "./configuration-error.ts";
import { pipelineProblem } from "./pipeline-problem.ts";
import { configurationSchema, type Configuration } from "./schema.ts";
import { checkedValue, tomlValue } from "./toml-file.ts";

/**
 * Throws ConfigurationError, whose message names `path`, the place in it and, for an unknown key, the nearest known one. A file
 * inside the root may hold no pattern: the server would run it over its output, and only its owner may give it one.
 */
export function parseConfiguration(text: string, path: string, options: { readonly isInRoot: boolean }): Configuration {
  const value = tomlValue(text, path);
  if (options.isInRoot && hasPatterns(value)) {
    throw new ConfigurationError(
      `${path}: 'redaction.patterns' is not taken from a file inside the root; the server's own configuration may have them`,
    );
  }
  const configuration = checkedValue(value, configurationSchema, path);
  for (const [name, { command }] of Object.entries(configuration.pipelines ?? {})) {
    const problem = pipelineProblem(name, command);
    if (problem !== undefined) throw new ConfigurationError(`${path}: pipelines.${name}: ${problem}`);
  }
  return configuration;
}

function hasPatterns(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("redaction" in value)) return false;
  const { redaction } = value;
  return typeof redaction === "object" && redaction !== null && "patterns" in redaction;
}
