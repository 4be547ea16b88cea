/**
 * Credentials that are recognized by their format alone, as their issuers document it. One table.
 *
 * A rule is found by one of its `starts` and then read by its `runs`, whose cost does not depend on their length
 * (redaction-runs.ts), or by a sticky regular expression over bytes (latin1). Those repeat a bounded number of times, and what
 * they repeat never holds another of their starts, so that the whole is linear. A secretlint rule set would know
 * more formats at some hundred packages, and needs each file as text at once.
 */
import { KEY_STARTS, keyBlock } from "./key-block.ts";
import { byteSet, type Run } from "./redaction-runs.ts";

export interface RedactionRule {
  /** The kind in `[REDACTED:kind]`. */
  readonly kind: string;
  readonly starts: readonly string[];
  readonly format: Format;
  /** May follow a letter or digit. Default: it begins a word. */
  readonly insideWord?: boolean;
}

/**
 * Reader of a credential: `runs` follow its start; a sticky `expression` reads the start too, and its group `keep`, if it
 * has one, stays in the text; a `block` may also stand before its start.
 */
export type Format = { readonly runs: readonly Run[] } | { readonly expression: RegExp } | { readonly block: typeof keyBlock };

/** A rule for a token: `start`, then `least` to `most` characters of `set` that end the word. */
function token(kind: string, starts: readonly string[], set: string, least: number, most = least): RedactionRule {
  return { kind, starts, format: { runs: [{ set: byteSet(set), least, most, end: "word" }] } };
}

const WORD = "A-Za-z0-9";
const WORD_ = "A-Za-z0-9_";
const URL_SAFE = "A-Za-z0-9_-";
const HEX = "0-9a-f";

export const BASIC_RULES: readonly RedactionRule[] = [
  token("aws-access-key", ["AKIA", "ASIA", "ABIA", "ACCA"], "A-Z2-7", 16),
  token("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], WORD, 36, 255),
  token("github-token", ["github_pat_"], WORD_, 60, 120),
  token("gitlab-token", ["glpat-", "gldt-", "glrt-", "glptt-", "glsoat-", "glcbt-"], URL_SAFE, 20, 100),
  token("slack-token", ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xapp-"], "A-Za-z0-9.-", 20, 250),
  {
    kind: "slack-webhook",
    starts: ["https://hooks.slack.com/"],
    format: { expression: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,200}/y },
  },
  token("anthropic-key", ["sk-ant-"], URL_SAFE, 40, 200),
  token("openai-key", ["sk-proj-", "sk-svcacct-", "sk-admin-"], URL_SAFE, 40, 250),
  token("openai-key", ["sk-"], WORD, 48),
  token("openrouter-key", ["sk-or-v1-"], HEX, 64),
  token("stripe-key", ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"], WORD, 16, 250),
  token("google-api-key", ["AIza"], URL_SAFE, 35),
  token("google-oauth", ["GOCSPX-"], URL_SAFE, 28),
  token("google-oauth", ["ya29."], "A-Za-z0-9_.-", 30, 400),
  token("npm-token", ["npm_"], WORD, 36),
  token("pypi-token", ["pypi-AgE"], URL_SAFE, 50, 250),
  token("huggingface-token", ["hf_"], "A-Za-z", 34),
  token("sendgrid-key", ["SG."], "A-Za-z0-9_.-", 60, 80),
  token("mailgun-key", ["key-"], HEX, 32),
  token("twilio-key", ["SK"], HEX, 32),
  token("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], HEX, 64),
  token("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_"], "0-9A-Fa-f", 32),
  token("square-token", ["sq0atp-", "sq0csp-", "EAAA"], URL_SAFE, 22, 70),
  token("vault-token", ["hvs.", "hvb.", "hvr."], URL_SAFE, 24, 200),
  token("linear-key", ["lin_api_", "lin_oauth_"], WORD, 32, 64),
  token("notion-token", ["ntn_", "secret_"], WORD, 43, 50),
  token("postman-key", ["PMAK-"], "A-Za-z0-9-", 55, 65),
  token("databricks-token", ["dapi"], HEX, 32),
  token("docker-token", ["dckr_pat_", "dckr_oat_"], URL_SAFE, 24, 64),
  token("terraform-token", [".atlasv1."], URL_SAFE, 60, 80),
  token("age-key", ["AGE-SECRET-KEY-1"], "0-9A-Z", 58),
  token("atlassian-token", ["ATATT3xFfGF0"], "A-Za-z0-9_=-", 100, 250),
  token("figma-token", ["figd_"], URL_SAFE, 38, 50),
  token("doppler-token", ["dp.pt.", "dp.st.", "dp.sa."], "A-Za-z0-9.", 40, 60),
  token("grafana-token", ["glsa_", "glc_"], "A-Za-z0-9_+/=", 32, 150),
  token("supabase-key", ["sbp_", "sb_secret_"], WORD_, 30, 60),
  token("cloudflare-token", ["v1.0-"], "A-Za-z0-9-", 100, 200),
  token("telegram-token", [":AA"], URL_SAFE, 33),
  {
    kind: "jwt",
    starts: ["eyJ"],
    format: {
      runs: [
        { set: byteSet(URL_SAFE), least: 10, most: 4000, end: ".eyJ" },
        { set: byteSet(URL_SAFE), least: 10, most: 8000, end: "." },
        { set: byteSet(URL_SAFE), least: 20, most: 2000, end: "any" },
      ],
    },
  },
  {
    kind: "private-key",
    starts: KEY_STARTS,
    format: { block: keyBlock },
    insideWord: true,
  },
  {
    kind: "url-password",
    starts: ["://"],
    format: { expression: /(?<keep>:\/\/[^\s:@/"'`<>$\\{}()]{0,256}:)(?!\/\/)(?![$<{*%[(])[^\s@/"'`<>\\]{4,256}(?=@[A-Za-z0-9.[-])/y },
    insideWord: true,
  },
  {
    kind: "azure-key",
    starts: ["AccountKey=", "SharedAccessKey="],
    format: { expression: /(?<keep>(?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{40,100}={0,2}/y },
    insideWord: true,
  },
  {
    kind: "authorization",
    starts: ["Bearer ", "bearer "],
    format: { expression: /(?<keep>[Bb]earer )(?=[A-Za-z0-9._~+/-]{0,400}[0-9])[A-Za-z0-9._~+/-]{24,4000}={0,2}/y },
  },
  {
    kind: "aws-secret-key",
    starts: ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "SecretAccessKey"],
    format: {
      expression:
        /(?<keep>(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY|SecretAccessKey)["']?\s{0,8}[:=]\s{0,8}["']?)[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/y,
    },
    insideWord: true,
  },
];

const NAMES = ["password", "passwd", "secret", "token", "api_key", "apikey", "api-key", "access_key", "private_key", "credential"];

/** At level "strict" also: a value given to a name that says it is a secret. */
export const STRICT_RULES: readonly RedactionRule[] = [
  {
    kind: "assigned-secret",
    starts: NAMES.flatMap((name) => [name, name.toUpperCase(), name[0]?.toUpperCase() + name.slice(1)]),
    format: {
      expression:
        /(?<keep>[A-Za-z_-]{3,40}["']?\s{0,8}(?::=|=>|[:=])\s{0,8})(?:"[^"\s$<{][^"\n]{5,400}"|'[^'\s$<{][^'\n]{5,400}'|(?=[A-Za-z_./+-]{0,200}\d)[A-Za-z0-9_./+=-]{8,400}(?![\w(.]))/y,
    },
    insideWord: true,
  },
];
