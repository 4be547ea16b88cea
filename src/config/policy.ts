/**
 * The server's complete permissions: every choice of the configuration after defaults, profile, file, environment and flags. Plain
 * data: it crosses a process boundary.
 */
import type { CallScope } from "../audit/call-log.ts";
import { DEFAULT_RUN_LIMITS, type RunLimits } from "./limits.ts";
import { everySeverity, type SeverityPolicy } from "./severity.ts";

export interface Policy {
  readonly profile: Profile;
  /** Nothing is written: tee is refused, and no record is made. */
  readonly readOnly: boolean;
  /** Refuse even the redirections that name no file. */
  readonly strict: boolean;
  /** Redirections into files of the workspace: refused, or recorded writes. */
  readonly redirects: RedirectPolicy;
  readonly limits: PolicyLimits;
  readonly commands: {
    /** Builtins that may be used; undefined: all. */
    readonly only: readonly string[] | undefined;
    readonly deny: readonly string[];
  };
  readonly paths: {
    /** Rules as of gitignore(5), relative to the root. */
    readonly denyRead: readonly string[];
    readonly denyWrite: readonly string[];
    /** Files and directories of the server itself that lie in the root, relative to it: never written. */
    readonly own: readonly string[];
  };
  /** Directories beside the root. */
  readonly mounts: readonly PolicyMount[];
  readonly approval: ApprovalPolicy;
  readonly redaction: {
    readonly level: RedactionLevel;
    /** Regular expressions beside the built-in ones. */
    readonly patterns: readonly { readonly name: string; readonly regex: string }[];
  };
  readonly audit: { readonly calls: CallScope };
  /** `structured`: each answer has its parts as data too, which some clients give the model in place of the text. */
  readonly answers: { readonly structured: boolean };
  /** The tool `shelpa_pipe` only reads, and `shelpa_write` takes the lines that write. */
  readonly split: boolean;
  readonly pipelines: Readonly<Record<string, NamedPipeline>>;
}

export interface PolicyMount {
  /** Absolute, without a slash at the end. */
  readonly name: string;
  /** Host path, absolute. */
  readonly directory: string;
  readonly access: "read" | "write";
  /** As Policy.paths.own, relative to it. */
  readonly own: readonly string[];
  /** Rules as of gitignore(5), relative to it, besides those of the policy, which hold in it too. */
  readonly denyRead: readonly string[];
}

export const REDIRECT_POLICIES = ["refuse", "record"] as const;
export type RedirectPolicy = (typeof REDIRECT_POLICIES)[number];
export const PROFILES = ["read-only", "standard", "strict"] as const;
export type Profile = (typeof PROFILES)[number];
export const REDACTION_LEVELS = ["off", "basic", "strict"] as const;
export type RedactionLevel = (typeof REDACTION_LEVELS)[number];

export interface PolicyLimits extends RunLimits {
  /** Most calls that run at once. */
  readonly concurrentCalls: number;
  /** Most calls that wait for one to end; a further call is answered BUSY. */
  readonly queuedCalls: number;
}

export interface ApprovalPolicy {
  /** A write to a path that programs on the host run or obey: "ask" the human where the client can, or "deny". */
  readonly protectedPaths: "ask" | "deny";
  /** Protected paths that are allowed without asking; rules as of gitignore(5). */
  readonly preApproved: readonly string[];
  /** The human types the file's name, and not only yes. */
  readonly challenge: boolean;
  /** A write of more bytes than this needs confirming. */
  readonly oversizeBytes: number;
  /** The party that confirms such a write: the agent by its own `confirm_oversize`, or a human. */
  readonly confirmOversize: "agent" | "human";
  /** Action for a line by the severity that the rules give it, beside the above. */
  readonly severity: SeverityPolicy;
}

/** A pipeline that an agent calls as `@name key=value`. */
export interface NamedPipeline {
  /** Command line with `${key}` in the place of values, each of which is always one literal operand. */
  readonly command: string;
  readonly description: string;
  /** Key → its meaning. Exactly the keys that `command` has. */
  readonly arguments: Readonly<Record<string, string>>;
}

/** The policy where nothing is configured. */
export const DEFAULT_POLICY: Policy = {
  profile: "standard",
  readOnly: false,
  strict: false,
  redirects: "refuse",
  limits: { ...DEFAULT_RUN_LIMITS, concurrentCalls: 4, queuedCalls: 64 },
  commands: { only: undefined, deny: [] },
  paths: { denyRead: [], denyWrite: [], own: [] },
  mounts: [],
  approval: {
    protectedPaths: "ask",
    preApproved: [],
    challenge: false,
    oversizeBytes: 1 << 20,
    confirmOversize: "agent",
    severity: { autoDeny: undefined, actions: everySeverity("allow") },
  },
  redaction: { level: "basic", patterns: [] },
  audit: { calls: "notable" },
  answers: { structured: false },
  split: false,
  pipelines: {},
};

/** The default policy with the changes of a profile. */
export function profilePolicy(profile: Profile): Policy {
  switch (profile) {
    case "standard":
      return DEFAULT_POLICY;
    case "read-only":
      return { ...DEFAULT_POLICY, profile, readOnly: true, audit: { calls: "none" } };
    case "strict":
      return {
        ...DEFAULT_POLICY,
        profile,
        strict: true,
        approval: { ...DEFAULT_POLICY.approval, protectedPaths: "deny", challenge: true, confirmOversize: "human" },
        redaction: { ...DEFAULT_POLICY.redaction, level: "strict" },
        audit: { calls: "all" },
      };
  }
}
