/** Parser of a configuration file: its text → its settings, checked. */
import { parse, TomlError } from "smol-toml";
import type * as z from "zod";
import { nearest } from "../builtin/nearest.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { pipelineProblem } from "./pipeline-problem.ts";
import { configurationSchema, type Configuration } from "./schema.ts";

/**
 * Throws ConfigurationError, whose message names `path`, the place in it and, for an unknown key, the nearest known one. A file
 * inside the root may hold no pattern: the server would run it over its output, and only its owner may give it one.
 */
export function parseConfiguration(text: string, path: string, options: { readonly isInRoot: boolean }): Configuration {
  let value: unknown;
  try {
    value = parse(text);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    throw new ConfigurationError(`${path}:${thrown.line}:${thrown.column}: ${thrown.message.split("\n")[0]}`);
  }
  if (options.isInRoot && hasPatterns(value)) {
    throw new ConfigurationError(
      `${path}: 'redaction.patterns' is not taken from a file inside the root; the server's own configuration may have them`,
    );
  }
  const proto = protoKey(value, []);
  if (proto !== undefined) throw new ConfigurationError(`${path}: unknown key '${proto.join(".")}': nothing can have that name`);
  const checked = configurationSchema.safeParse(value);
  if (!checked.success) throw new ConfigurationError(checked.error.issues.map((issue) => `${path}: ${explained(issue)}`).join("\n"));
  for (const [name, { command }] of Object.entries(checked.data.pipelines ?? {})) {
    const problem = pipelineProblem(name, command);
    if (problem !== undefined) throw new ConfigurationError(`${path}: pipelines.${name}: ${problem}`);
  }
  return checked.data;
}

/** The first key `__proto__` in `value`: the schema's parser would leave it out without a word. */
function protoKey(value: unknown, path: readonly string[]): readonly string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, held] of Object.entries(value)) {
    const at = [...path, key];
    const found = key === "__proto__" ? at : protoKey(held, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasPatterns(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("redaction" in value)) return false;
  const { redaction } = value;
  return typeof redaction === "object" && redaction !== null && "patterns" in redaction;
}

function explained(issue: z.core.$ZodIssue): string {
  const at = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(issue.path);
    return issue.keys
      .map((key) => {
        const close = nearest(key, known);
        return `unknown key '${[...issue.path, key].join(".")}'${close === undefined ? "" : `: did you mean '${close}'?`}`;
      })
      .join("; ");
  }
  return `${at}: ${issue.message}`;
}

/** The keys that the schema has at `path`. */
function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  let here: unknown = configurationSchema;
  for (const key of path) {
    const shape = shapeOf(here);
    here = shape === undefined ? undefined : shape[String(key)];
  }
  return Object.keys(shapeOf(here) ?? {});
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  if ("shape" in schema) return schema.shape as Readonly<Record<string, unknown>>;
  return "unwrap" in schema && typeof schema.unwrap === "function" ? shapeOf(schema.unwrap()) : undefined;
}
