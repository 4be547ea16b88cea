/** The shape of the file of a server of many workspaces (TOML). Unknown keys are errors, as in a policy's file. */
import * as z from "zod";
import { PROFILES } from "../policy.ts";
import { RIGHTS, WORKSPACE_RIGHTS } from "./rights.ts";

/** Also a part of a URL's path and of a metric's label: `/w/NAME/mcp`. */
export const WORKSPACE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const WORKSPACE_NAME_WORDS =
  "a workspace's name is of letters, digits, '.', '_' and '-', begins with a letter or a digit, and has at most 63";

const workspaceName = z.string().regex(WORKSPACE_NAME, WORKSPACE_NAME_WORDS);
/** A host path, relative to the file's own directory. */
const path = z.string().min(1);
const seconds = z.number().positive().max(86_400);
const count = z.int().min(1).max(1_000_000);

const workspace = z.strictObject({
  root: path,
  /** A policy's file; default: the one named at the top. */
  config: path.optional(),
  profile: z.enum(PROFILES).optional(),
  read_only: z.boolean().optional(),
  /** As in a policy's file: "/docs" = "DIR" or "DIR:rw". */
  mounts: z.record(z.string(), z.string().min(1)).optional(),
});

const limits = z.strictObject({
  /** Calls that run at once, of all workspaces together. */
  concurrent_calls: count.max(1024).optional(),
  /** Processes of executors, busy and idle, of all workspaces together. */
  executors: count.max(4096).optional(),
  executor_idle_seconds: seconds.optional(),
  /** Calls that wait, of all workspaces together. */
  queued_calls: count.optional(),
  /** Workspaces that are open at once; one that nobody uses is closed for another. */
  open_workspaces: count.optional(),
  /** Requests that one workspace answers at once; further ones are answered 429. */
  workspace_requests: count.optional(),
  workspace_idle_seconds: seconds.optional(),
  sessions: count.optional(),
  /** The server ends when it has not been used for so long, for a service manager to start it again. Default: never. */
  exit_idle_seconds: seconds.optional(),
  caller_calls: count.optional(),
  caller_calls_per_minute: count.optional(),
});

const caller = z.strictObject({
  token_file: path.optional(),
  /** SHA-256 of the token, in hexadecimal, for a file that holds no secret. */
  token_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "a SHA-256 is 64 digits 0-9 and a-f")
    .optional(),
  /** A date or an instant of TOML: the token is of no use from then on. */
  expires: z.union([z.date(), z.string()]).optional(),
  /** The same in each workspace; or a table of those in workspaces of these names, with `*` for any characters. */
  rights: z
    .union([z.array(z.enum(RIGHTS)).min(1).readonly(), z.record(z.string().min(1), z.array(z.enum(WORKSPACE_RIGHTS)).min(1).readonly())], {
      error: `a list of ${RIGHTS.join(", ")}; or a table of workspaces, each with a list of ${WORKSPACE_RIGHTS.join(", ")}`,
    })
    .optional(),
  /** Names, with `*` for any characters. Default: every workspace. */
  workspaces: z.array(z.string().min(1)).min(1).optional(),
});

const oauth = z.strictObject({
  issuer: z.url(),
  /** The audience that tokens must be for: this server's URL as clients know it. */
  audience: z.string().min(1),
  /** This server's URL as clients know it, where the audience is none: `/mcp` follows it. Default: the audience. */
  public_url: z.url().optional(),
  /** Default: what the issuer's metadata names. */
  jwks_uri: z.url().optional(),
  /** Claim with the names of the workspaces (text with blanks between, or a list). Default: every workspace. */
  workspaces_claim: z.string().min(1).optional(),
});

const sink = z.strictObject({
  type: z.enum(["stdout", "syslog", "otlp"]),
  /** syslog: `tcp://HOST:PORT` or `tls://HOST:PORT`; otlp: `https://HOST/v1/logs`. */
  url: z.url().optional(),
  ca_file: path.optional(),
  /** otlp: a file with headers of the collector's own, `NAME: VALUE` on each line. */
  headers_file: path.optional(),
});

const audit = z.strictObject({
  sinks: z.array(sink).max(8).optional(),
  /** Directory, outside every root, where a sink's place in each journal is kept. */
  state: path.optional(),
  require_sink: z.boolean().optional(),
  /** An Ed25519 private key (PEM, PKCS #8) with which the heads of the chains are signed. */
  anchor_key_file: path.optional(),
  anchor_minutes: z.number().positive().max(10_080).optional(),
  /** Records older than that are moved into an archive. */
  keep_days: z.number().positive().optional(),
});

export const serverSchema = z.strictObject({
  /** Each directory in it is a workspace under its name. */
  directory: path.optional(),
  /** The policy of workspaces that name none. */
  config: path.optional(),
  workspaces: z.record(workspaceName, workspace).optional(),
  limits: limits.optional(),
  callers: z.record(z.string().regex(/^[\w.@-]{1,63}$/, "a caller's name is of letters, digits, '.', '_', '@' and '-'"), caller).optional(),
  oauth: oauth.optional(),
  log: z.strictObject({ format: z.enum(["text", "json"]).optional() }).optional(),
  audit: audit.optional(),
});

export type ServerFile = z.infer<typeof serverSchema>;
