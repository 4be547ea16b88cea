/** Secrets that were planted, and ordinary code that must stay as it is. The secrets are made here: none is a file's text. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { Redactor } from "../../src/mcp/redaction.ts";

const top = fileURLToPath(new URL("../..", import.meta.url));
const basic = DEFAULT_POLICY.redaction;

let state = 7;
const below = (count: number): number => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >>> 8) % count;
};
const pick = (alphabet: string, count: number): string => Array.from({ length: count }, () => alphabet[below(alphabet.length)]).join("");
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const WORD = `${UPPER}${LOWER}0123456789`;
const SAFE = `${WORD}_-`;
const HEX = "0123456789abcdef";

/** Makers of secrets as their issuers document them. Each puts the secret between « and ». */
const MAKERS: Readonly<Record<string, () => string>> = {
  "aws-access-key": () => `aws_access_key_id = «AKIA${pick(`${UPPER}234567`, 16)}»`,
  "aws-secret-key": () => `aws_secret_access_key = «${pick(`${WORD}+/`, 40)}»`,
  "github-token": () => `token: «gh${pick("pousr", 1)}_${pick(WORD, 36)}»`,
  "github-token ": () => `GITHUB_TOKEN=«github_pat_${pick(WORD, 22)}_${pick(WORD, 59)}»`,
  "gitlab-token": () => `glab auth login --token «glpat-${pick(SAFE, 20)}»`,
  "slack-token": () => `"«xoxb-${pick("0123456789", 12)}-${pick("0123456789", 12)}-${pick(WORD, 24)}»"`,
  "slack-webhook": () => `curl «https://hooks.slack.com/services/T${pick(UPPER, 8)}/B${pick(UPPER, 8)}/${pick(WORD, 24)}»`,
  "anthropic-key": () => `ANTHROPIC_API_KEY=«sk-ant-api03-${pick(SAFE, 93)}AA»`,
  "openai-key": () => `OPENAI_API_KEY=«sk-proj-${pick(SAFE, 120)}»`,
  "openai-key ": () => `key = '«sk-${pick(WORD, 48)}»'`,
  "stripe-key": () => `stripe.api_key = "«sk_live_${pick(WORD, 24)}»"`,
  "google-api-key": () => `{"key":"«AIza${pick(SAFE, 35)}»"}`,
  "npm-token": () => `//registry.npmjs.org/:_authToken=«npm_${pick(WORD, 36)}»`,
  "pypi-token": () => `password = «pypi-AgEIcHlwaS5vcmc${pick(SAFE, 80)}»`,
  "huggingface-token": () => `hf auth login --token «hf_${pick(UPPER + LOWER, 34)}»`,
  "sendgrid-key": () => `SENDGRID=«SG.${pick(SAFE, 22)}.${pick(SAFE, 43)}»`,
  "digitalocean-token": () => `do: «dop_v1_${pick(HEX, 64)}»`,
  "shopify-token": () => `X-Shopify-Access-Token: «shpat_${pick(HEX, 32)}»`,
  "vault-token": () => `VAULT=«hvs.${pick(SAFE, 90)}»`,
  "linear-key": () => `linear: «lin_api_${pick(WORD, 40)}»`,
  "databricks-token": () => `DATABRICKS=«dapi${pick(HEX, 32)}»`,
  "docker-token": () => `docker login -p «dckr_pat_${pick(SAFE, 27)}»`,
  "telegram-token": () => `bot${pick("0123456789", 10)}«:AA${pick(SAFE, 33)}»/sendMessage`,
  "age-key": () => `«AGE-SECRET-KEY-1${pick(`${UPPER}0123456789`, 58)}»`,
  jwt: () => `Cookie: session=«eyJ${pick(SAFE, 33)}.eyJ${pick(SAFE, 80)}.${pick(SAFE, 43)}»; path=/`,
  authorization: () => `Authorization: Bearer «${pick(WORD, 30)}7${pick(WORD, 9)}»`,
  "private-key": () =>
    `x\n«-----BEGIN ${pick("RSE", 1)}SA PRIVATE KEY-----\n${pick(`${WORD}+/`, 64)}\n${pick(`${WORD}+/`, 64)}==\n-----END RSA PRIVATE KEY-----»\ny`,
  "url-password": () => `DATABASE_URL=postgres://app:«${pick(WORD, 16)}»@db.internal:5432/app`,
  "azure-key": () => `AccountName=x;AccountKey=«${pick(`${WORD}+/`, 86)}==»;EndpointSuffix=core.windows.net`,
};

test("200 planted secrets: none is shown, and what stands around them stays", () => {
  const redactor = new Redactor(basic, {});
  const names = Object.keys(MAKERS);
  const shown: string[] = [];
  for (let count = 0; count < 200; count++) {
    const name = names[count % names.length] as string;
    const [before = "", secret = "", after = ""] = (MAKERS[name] as () => string)().split(/[«»]/);
    const text = redactor.redact(Buffer.from(`é ${before}${secret}${after}\n`)).bytes.toString();
    if (text !== `é ${before}[REDACTED:${name.trim()}]${after}\n`) shown.push(`${name}: ${text}`);
  }
  expect(shown).toEqual([]);
});

/** The project's own sources, without the table of formats and this file. */
const code = readdirSync(join(top, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.includes("redaction"))
  .map((path) => readFileSync(join(top, "src", path)))
  .concat([readFileSync(join(top, "package-lock.json")), readFileSync(join(top, "docs/errors.md"))]);

test("ordinary code: at most one false hit in 1,000 lines at level basic, and none in ours", () => {
  const redactor = new Redactor(basic, {});
  for (const file of code) expect(redactor.redact(file).counts).toEqual(new Map());
});

test("level strict takes values of names that say so, and spares code", () => {
  const redactor = new Redactor({ ...basic, level: "strict" }, {});
  const redacted = (text: string): string => redactor.redact(Buffer.from(text)).bytes.toString();
  expect(redacted('password: "correct horse"\n')).toBe("password: [REDACTED:assigned-secret]\n");
  expect(redacted("API_KEY=abc123def456\n")).toBe("API_KEY=[REDACTED:assigned-secret]\n");
  for (const text of ["password: string;\n", "const token = readToken(input);\n", "token = tokens[0]\n", "secret: ${{ secrets.X }}\n"]) {
    expect(redacted(text)).toBe(text);
  }
  const lines = code.reduce((sum, file) => sum + file.toString("latin1").split("\n").length, 0);
  const hits = code.reduce((sum, file) => sum + [...redactor.redact(file).counts.values()].reduce((a, b) => a + b, 0), 0);
  expect(hits / lines).toBeLessThanOrEqual(1 / 1000);
});

test("values of the server's environment, by the names of their variables", () => {
  const environment = {
    APP_SECRET: "täglich-frisch",
    HOME: "/home/me",
    DB_PASSWORD: "abc",
    SMTP_HOST: "mail.internal",
    MY_API_KEY: "0000-1111",
  };
  const { bytes, counts } = new Redactor(basic, environment).redact(
    Buffer.from("täglich-frisch /home/me abc mail.internal 0000-1111 0000-1111"),
  );
  expect(bytes.toString()).toBe("[REDACTED:environment] /home/me abc [REDACTED:environment] [REDACTED:environment] [REDACTED:environment]");
  expect(counts).toEqual(new Map([["environment", 4]]));
});

test("patterns of the configuration, over text and beside bytes that are none", () => {
  const redactor = new Redactor({ level: "off", patterns: [{ name: "ticket", regex: "TÜV-\\d+" }] }, { A_SECRET: "12345" });
  const { bytes } = redactor.redact(Buffer.concat([Buffer.from([0xff]), Buffer.from(" TÜV-12345 x\nTÜV-6")]));
  expect(bytes.toString("latin1")).toBe(`\xff [REDACTED:ticket] x\n[REDACTED:ticket]`);
});

test("overlapping secrets are taken out as one, and level off leaves all", () => {
  const token = `ghp_${pick(WORD, 36)}`;
  const text = Buffer.from(`postgres://u:${token}@h/`);
  expect(new Redactor(basic, { TOKEN: token }).redact(text).bytes.toString()).toBe(
    "postgres://u:[REDACTED:environment]@h/".replace("environment", "github-token"),
  );
  expect(new Redactor({ level: "off", patterns: [] }, { TOKEN: token }).redact(text).bytes).toBe(text);
});

test("a token ends with its word, and what follows is read on from there", () => {
  const redacted = (text: string): string => new Redactor(basic, {}).redact(Buffer.from(text)).bytes.toString();
  const key = pick(`${UPPER}234567`, 16);
  expect(redacted(`AKIA${key} AKIA${key}x AKIA${key}.`)).toBe(`[REDACTED:aws-access-key] AKIA${key}x [REDACTED:aws-access-key].`);
  expect(redacted(`xAKIA${key} .AKIA${key}`)).toBe(`xAKIA${key} .[REDACTED:aws-access-key]`);
  const slack = `xoxb-${pick(WORD, 30)}`;
  expect(redacted(`${slack}._ ${slack}`)).toBe("[REDACTED:slack-token]._ [REDACTED:slack-token]");
  const jwt = `eyJ${pick(WORD, 30)}.eyJ${pick(WORD, 30)}.${pick(WORD, 30)}`;
  expect(redacted(`-eyJ-eyJ-${jwt}/x ${jwt.replace(".eyJ", ".ey")}`)).toBe(`-[REDACTED:jwt]/x ${jwt.replace(".eyJ", ".ey")}`);
});

test("8 MiB of what almost matches is read to its end", () => {
  const redactor = new Redactor({ ...basic, level: "strict" }, {});
  for (const piece of [
    "eyJ",
    "-eyJ",
    "-xoxb-",
    "://",
    "-----BEGIN ",
    "sk-",
    "password=",
    "Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "a".repeat(64),
  ]) {
    const bytes = Buffer.from(piece.repeat(Math.ceil((8 << 20) / piece.length)));
    expect(redactor.redact(bytes).bytes.length, piece).toBeGreaterThan(0);
  }
});
