/** The configuration file's shape (TOML). Unknown keys are errors: a misspelt safety setting must not pass for one. */
import * as z from "zod";
import { boundedMatcher } from "../regex/bounded-matcher.ts";
import { PatternError } from "../regex/pattern-error.ts";
import { PIPELINE_NAME, PIPELINE_NAME_WORDS } from "./pipeline-problem.ts";
import { PROFILES, REDACTION_LEVELS, REDIRECT_POLICIES } from "./policy.ts";
import { SEVERITIES, SEVERITY_ACTIONS } from "./severity.ts";

const UNITS: Readonly<Record<string, number>> = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, kB: 1e3, MB: 1e6, GB: 1e9 };

/** Bytes as a number, or as "512 MiB". */
const bytes = z.union([z.int().positive(), z.string()]).transform((given, context) => {
  if (typeof given === "number") return given;
  const [, amount = "", unit = ""] = /^(\d+) ?([A-Za-z]+)$/.exec(given) ?? [];
  const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (factor === undefined || Number(amount) === 0) {
    context.addIssue({ code: "custom", message: `'${given}' is no size; give bytes, or an amount with ${Object.keys(UNITS).join(", ")}` });
    return z.NEVER;
  }
  return Number(amount) * factor;
});

/** The same, or 0 for none. */
const bytesOrNone = z.union([z.literal(0), bytes]);

const names = z.array(z.string().min(1));

const limits = z.strictObject({
  time_seconds: z.number().positive().max(3600).optional(),
  output: bytes.optional(),
  line: bytes.optional(),
  held: bytes.optional(),
  memory: bytes.optional(),
  scratch: bytesOrNone.optional(),
  concurrent_calls: z.int().min(1).max(64).optional(),
  queued_calls: z.int().min(0).max(10_000).optional(),
});

/** Patterns are read with every answer, by the one process that serves all clients. */
const MOST_PATTERNS = 32;
/** In the syntax of Rust's regex crate, for an engine whose time is linear. */
const regularExpression = z
  .string()
  .min(1)
  .superRefine((source, context) => {
    const problem = problemOf(source);
    if (problem !== undefined) context.addIssue({ code: "custom", message: `this pattern cannot be used: ${problem}` });
  });

const pipeline = z.union([
  z
    .string()
    .min(1)
    .transform((command) => ({ command, description: undefined, arguments: undefined })),
  z.strictObject({
    command: z.string().min(1),
    description: z.string().optional(),
    arguments: z.record(z.string(), z.string()).optional(),
  }),
]);

const action = z.enum(SEVERITY_ACTIONS).optional();

export const configurationSchema = z.strictObject({
  profile: z.enum(PROFILES).optional(),
  read_only: z.boolean().optional(),
  strict: z.boolean().optional(),
  split: z.boolean().optional(),
  redirects: z.enum(REDIRECT_POLICIES).optional(),
  limits: limits.optional(),
  commands: z.strictObject({ only: names.optional(), deny: names.optional() }).optional(),
  paths: z.strictObject({ deny_read: names.optional(), deny_write: names.optional() }).optional(),
  mounts: z.record(z.string(), z.string().min(1)).optional(),
  also_read: names.optional(),
  approval: z
    .strictObject({
      protected_paths: z.enum(["ask", "deny"]).optional(),
      pre_approved: names.optional(),
      challenge: z.boolean().optional(),
      oversize: bytes.optional(),
      confirm_oversize: z.enum(["agent", "human"]).optional(),
      auto_deny_severity: z.enum(SEVERITIES).optional(),
      require_human_approval: z
        .union([z.boolean(), z.strictObject({ Info: action, Low: action, Medium: action, High: action, Critical: action })])
        .optional(),
    })
    .optional(),
  redaction: z
    .strictObject({
      level: z.enum(REDACTION_LEVELS).optional(),
      patterns: z
        .array(z.strictObject({ name: z.string().regex(/^[a-z0-9-]+$/, "a name is of a–z, 0–9 and -"), regex: regularExpression }))
        .max(MOST_PATTERNS)
        .optional(),
    })
    .optional(),
  audit: z.strictObject({ calls: z.enum(["none", "notable", "all"]).optional() }).optional(),
  answers: z.strictObject({ structured: z.boolean().optional() }).optional(),
  pipelines: z.record(z.string().regex(PIPELINE_NAME, PIPELINE_NAME_WORDS), pipeline).optional(),
});

export type Configuration = z.infer<typeof configurationSchema>;

function problemOf(source: string): string | undefined {
  try {
    boundedMatcher(source);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    return thrown.message.trim().split("\n").at(-1);
  }
}
