/** A TOML file read by a schema: wrong places in it are named, and for an unknown key the nearest known one. */
import { parse, TomlError } from "smol-toml";
import type * as z from "zod";
import { nearest } from "../builtin/nearest.ts";
import { ConfigurationError } from "./configuration-error.ts";

/** The value that the text holds. Throws ConfigurationError, whose message names `path` and the place in it. */
export function tomlValue(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    throw new ConfigurationError(`${path}:${thrown.line}:${thrown.column}: ${thrown.message.split("\n")[0]}`);
  }
}

/** `value`, read from the file `path`, as `schema` has it. Throws ConfigurationError. */
export function checkedValue<T>(value: unknown, schema: z.ZodType<T>, path: string): T {
  const proto = protoKey(value, []);
  if (proto !== undefined) throw new ConfigurationError(`${path}: unknown key '${proto.join(".")}': nothing can have that name`);
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  throw new ConfigurationError(checked.error.issues.map((issue) => `${path}: ${explained(issue, schema)}`).join("\n"));
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

function explained(issue: z.core.$ZodIssue, schema: unknown): string {
  const at = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(schema, issue.path);
    return issue.keys
      .map((key) => {
        const close = nearest(key, known);
        return `unknown key '${[...issue.path, key].join(".")}'${close === undefined ? "" : `: did you mean '${close}'?`}`;
      })
      .join("; ");
  }
  // A name that may not be: the reason is in the issue of the key itself.
  const { message } = (issue.code === "invalid_key" ? issue.issues[0] : undefined) ?? issue;
  return `${at}: ${message}`;
}

/** The keys that the schema has at `path`. */
function knownKeys(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  let here: unknown = schema;
  for (const key of path) {
    const shape = shapeOf(here);
    here = shape === undefined ? valuesOf(here) : shape[String(key)];
  }
  return Object.keys(shapeOf(here) ?? {});
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  if ("shape" in schema) return schema.shape as Readonly<Record<string, unknown>>;
  return "unwrap" in schema && typeof schema.unwrap === "function" ? shapeOf(schema.unwrap()) : undefined;
}

/** The schema of the values of a table whose keys are names. */
function valuesOf(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return undefined;
  if ("valueType" in schema) return schema.valueType;
  return "unwrap" in schema && typeof schema.unwrap === "function" ? valuesOf(schema.unwrap()) : undefined;
}
