/**
 * Check of a policy that a program gives as an object. It goes to another process as it is, and a misspelt setting must not pass for a
 * safe one: each has to be there, in its kind, and no other.
 */
import { nearest } from "../builtin/nearest.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { pipelineProblem, PIPELINE_NAME, PIPELINE_NAME_WORDS } from "./pipeline-problem.ts";
import { PROFILES, REDACTION_LEVELS, REDIRECT_POLICIES } from "./policy.ts";
import { SEVERITIES, SEVERITY_ACTIONS } from "./severity.ts";

/** Throws ConfigurationError with a line for each setting that is wrong, by its place: "policy.limits.timeMs: …". */
export function checkPolicy(policy: unknown): void {
  const problems = POLICY(policy, "policy");
  if (problems.length > 0) throw new ConfigurationError(problems.join("\n"));
}

/** Complaints on `value`, whose place is `at`. */
type Check = (value: unknown, at: string) => readonly string[];

const is =
  (kind: string, holds: (value: unknown) => boolean): Check =>
  (value, at) =>
    holds(value) ? [] : [`${at}: ${shown(value)} is not ${kind}`];

const oneOf = (words: readonly string[]): Check =>
  is(`one of ${words.join(", ")}`, (value) => typeof value === "string" && words.includes(value));

const orAbsent =
  (check: Check): Check =>
  (value, at) =>
    value === undefined ? [] : check(value, at);

const listOf =
  (each: Check): Check =>
  (value, at) =>
    Array.isArray(value) ? value.flatMap((item, index) => each(item, `${at}[${index}]`)) : [`${at}: ${shown(value)} is not a list`];

const recordOf =
  (each: (value: unknown, at: string, name: string) => readonly string[]): Check =>
  (value, at) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([name, item]) => each(item, `${at}.${name}`, name))
      : [`${at}: ${shown(value)} is not an object`];

const objectOf =
  (settings: Readonly<Record<string, Check>>): Check =>
  (value, at) => {
    if (!isRecord(value)) return [`${at}: ${shown(value)} is not an object`];
    const unknown = Object.keys(value).filter((key) => !Object.hasOwn(settings, key));
    return [
      ...unknown.map((key) => {
        const close = nearest(key, Object.keys(settings));
        return `${at}: there is no setting '${key}'${close === undefined ? "" : `: did you mean '${close}'?`}`;
      }),
      ...Object.entries(settings).flatMap(([key, check]) => check(value[key], `${at}.${key}`)),
    ];
  };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value as an error shows it. */
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : typeof value === "function" ? "a function" : String(value);
}

/** Characters of a text that are shown. */
const MOST_SHOWN = 40;

const flag = is("true or false", (value) => typeof value === "boolean");
const text = is("text", (value) => typeof value === "string");
const rule = is("a rule as in .gitignore", (value) => typeof value === "string" && value !== "");
const whole = (least: number, kind: string): Check =>
  is(
    `${kind} of at least ${least}`,
    (value) => typeof value === "number" && (Number.isSafeInteger(value) || value === Infinity) && value >= least,
  );
const bytes = whole(1, "a whole number of bytes");
const count = (least: number): Check => whole(least, "a whole number");

const pipeline = (value: unknown, at: string, name: string): readonly string[] => {
  if (!PIPELINE_NAME.test(name)) return [`${at}: ${PIPELINE_NAME_WORDS}`];
  const problems = PIPELINE(value, at);
  if (problems.length > 0 || !isRecord(value)) return problems;
  const problem = pipelineProblem(name, String(value["command"]));
  return problem === undefined ? [] : [`${at}: ${problem}`];
};

const PIPELINE = objectOf({ command: text, description: text, arguments: recordOf((value, at) => text(value, at)) });

const POLICY = objectOf({
  profile: oneOf(PROFILES),
  readOnly: flag,
  strict: flag,
  redirects: oneOf(REDIRECT_POLICIES),
  limits: objectOf({
    timeMs: is("a number of milliseconds above 0", (value) => typeof value === "number" && value > 0),
    outputBytes: bytes,
    lineBytes: bytes,
    heldBytes: bytes,
    spillBytes: bytes,
    scratchBytes: whole(0, "a whole number of bytes"),
    residentBytes: bytes,
    concurrentCalls: count(1),
    queuedCalls: count(0),
  }),
  commands: objectOf({ only: orAbsent(listOf(text)), deny: listOf(text) }),
  paths: objectOf({ denyRead: listOf(rule), denyWrite: listOf(rule), own: listOf(text) }),
  mounts: listOf(objectOf({ name: text, directory: text, access: oneOf(["read", "write"]), own: listOf(text), denyRead: listOf(rule) })),
  approval: objectOf({
    protectedPaths: oneOf(["ask", "deny"]),
    preApproved: listOf(rule),
    challenge: flag,
    oversizeBytes: bytes,
    confirmOversize: oneOf(["agent", "human"]),
    severity: objectOf({
      autoDeny: orAbsent(oneOf(SEVERITIES)),
      actions: objectOf(Object.fromEntries(SEVERITIES.map((severity) => [severity, oneOf(SEVERITY_ACTIONS)]))),
    }),
  }),
  redaction: objectOf({ level: oneOf(REDACTION_LEVELS), patterns: listOf(objectOf({ name: text, regex: text })) }),
  audit: objectOf({ calls: oneOf(["none", "notable", "all"]) }),
  answers: objectOf({ structured: flag }),
  split: flag,
  pipelines: recordOf(pipeline),
});
