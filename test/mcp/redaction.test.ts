/** Secrets that were planted, and ordinary code that must stay as it is. The secrets are made here: none is a file's text. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { redactedResult, Redactor } from "../../src/mcp/redaction.ts";
import { ownMs, watchHolds } from "../own-time.ts";

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

test("200 planted secrets: none is shown, and what stands around them stays", async () => {
  const redactor = new Redactor(basic, {});
  const names = Object.keys(MAKERS);
  const shown: string[] = [];
  for (let count = 0; count < 200; count++) {
    const name = names[count % names.length] as string;
    const [before = "", secret = "", after = ""] = (MAKERS[name] as () => string)().split(/[«»]/);
    const text = (await redactor.redact(Buffer.from(`é ${before}${secret}${after}\n`))).bytes.toString();
    if (text !== `é ${before}[REDACTED:${name.trim()}]${after}\n`) shown.push(`${name}: ${text}`);
  }
  expect(shown).toEqual([]);
});

/** The project's own sources, without the table of formats and this file. */
const code = readdirSync(join(top, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.includes("redaction"))
  .map((path) => readFileSync(join(top, "src", path)))
  .concat([readFileSync(join(top, "package-lock.json")), readFileSync(join(top, "docs/errors.md"))]);

test("ordinary code: at most one false hit in 1,000 lines at level basic, and none in ours", async () => {
  const redactor = new Redactor(basic, {});
  for (const file of code) expect((await redactor.redact(file)).counts).toEqual(new Map());
});

test("level strict takes values of names that say so, and spares code", async () => {
  const redactor = new Redactor({ ...basic, level: "strict" }, {});
  const redacted = async (text: string): Promise<string> => (await redactor.redact(Buffer.from(text))).bytes.toString();
  expect(await redacted('password: "correct horse"\n')).toBe("password: [REDACTED:assigned-secret]\n");
  expect(await redacted("API_KEY=abc123def456\n")).toBe("API_KEY=[REDACTED:assigned-secret]\n");
  for (const text of ["password: string;\n", "const token = readToken(input);\n", "token = tokens[0]\n", "secret: ${{ secrets.X }}\n"]) {
    expect(await redacted(text)).toBe(text);
  }
  const lines = code.reduce((sum, file) => sum + file.toString("latin1").split("\n").length, 0);
  let hits = 0;
  for (const file of code) for (const count of (await redactor.redact(file)).counts.values()) hits += count;
  expect(hits / lines).toBeLessThanOrEqual(1 / 1000);
});

test("values of the server's environment, by the names of their variables", async () => {
  const environment = {
    APP_SECRET: "täglich-frisch",
    HOME: "/home/me",
    DB_PASSWORD: "abc",
    SMTP_HOST: "mail.internal",
    MY_API_KEY: "0000-1111",
  };
  const { bytes, counts } = await new Redactor(basic, environment).redact(
    Buffer.from("täglich-frisch /home/me abc mail.internal 0000-1111 0000-1111"),
  );
  expect(bytes.toString()).toBe("[REDACTED:environment] /home/me abc mail.internal [REDACTED:environment] [REDACTED:environment]");
  expect(counts).toEqual(new Map([["environment", 3]]));
});

test("patterns of the configuration, over text and beside bytes that are none", async () => {
  const redactor = new Redactor({ level: "off", patterns: [{ name: "ticket", regex: "TÜV-\\d+" }] }, { A_SECRET: "12345" });
  const { bytes } = await redactor.redact(Buffer.concat([Buffer.from([0xff]), Buffer.from(" TÜV-12345 x\nTÜV-6")]));
  expect(bytes.toString("latin1")).toBe(`\xff [REDACTED:ticket] x\n[REDACTED:ticket]`);
});

test("overlapping secrets are taken out as one, and level off leaves all", async () => {
  const token = `ghp_${pick(WORD, 36)}`;
  const text = Buffer.from(`postgres://u:${token}@h/`);
  expect((await new Redactor(basic, { TOKEN: token }).redact(text)).bytes.toString()).toBe(
    "postgres://u:[REDACTED:environment]@h/".replace("environment", "github-token"),
  );
  expect((await new Redactor({ level: "off", patterns: [] }, { TOKEN: token }).redact(text)).bytes).toBe(text);
});

test("a token ends with its word, and what follows is read on from there", async () => {
  const redacted = async (text: string): Promise<string> => (await new Redactor(basic, {}).redact(Buffer.from(text))).bytes.toString();
  const key = pick(`${UPPER}234567`, 16);
  expect(await redacted(`AKIA${key} AKIA${key}x AKIA${key}.`)).toBe(`[REDACTED:aws-access-key] AKIA${key}x [REDACTED:aws-access-key].`);
  expect(await redacted(`xAKIA${key} .AKIA${key}`)).toBe(`xAKIA${key} .[REDACTED:aws-access-key]`);
  const slack = `xoxb-${pick(WORD, 30)}`;
  expect(await redacted(`${slack}._ ${slack}`)).toBe("[REDACTED:slack-token]._ [REDACTED:slack-token]");
  const jwt = `eyJ${pick(WORD, 30)}.eyJ${pick(WORD, 30)}.${pick(WORD, 30)}`;
  expect(await redacted(`-eyJ-eyJ-${jwt}/x ${jwt.replace(".eyJ", ".ey")}`)).toBe(`-[REDACTED:jwt]/x ${jwt.replace(".eyJ", ".ey")}`);
});

test("8 MiB of what almost matches is read to its end", async () => {
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
    expect((await redactor.redact(bytes)).bytes.length, piece).toBeGreaterThan(0);
  }
});

/** Variables of the server's environment that common programs set. */
const SETTINGS: readonly (readonly [name: string, value: string, text: string])[] = [
  ["TOKENIZERS_PARALLELISM", "false", "const ok = false;"],
  ["GIT_AUTHOR_NAME", "test", "latest.test()"],
  ["CLAUDE_CODE_MAX_OUTPUT_TOKENS", "32000", "port 32000"],
  ["MAX_TOKENS", "4096", "4096 bytes"],
  ["XAUTHORITY", "/home/me/.Xauthority", "cat /home/me/.Xauthority"],
  ["SSH_AUTH_SOCK", "/tmp/ssh-XXXX/agent.1", "ls /tmp/ssh-XXXX/agent.1"],
  ["DISABLE_AUTH", "true", "true"],
  ["AUTH_MODE", "disabled", "<button disabled>"],
  ["NPM_CONFIG_AUTH_TYPE", "legacy", "legacy code"],
  ["TOKEN_URL", "https://login.example.com/oauth", "fetch('https://login.example.com/oauth')"],
  ["TOKEN_TTL", "12345678", "id 12345678"],
  ["AUTHORS", "alice-and-bob", "by alice-and-bob"],
  ["API_TOKEN", "abc1234", "abc1234"],
  ["POSTGRES_PASSWORD", "postgres", "import postgres from 'postgres'"],
  ["DB_PASSWORD", "changeme", "changeme"],
  ["X_SECRET", "development", "NODE_ENV=development"],
  ["X_SECRET_FILE", "conf/secret.txt", "cat conf/secret.txt"],
  ["PASSWORD_HASHER", "argon2id", "hash: argon2id"],
  ["X_TOKEN_TTL", "3600seconds", "3600seconds"],
  ["TOKEN_LIMIT", "1_000_000", "1_000_000"],
  ["CREDENTIALS_MODE", "same-origin", "credentials: 'same-origin'"],
  ["API_KEY_HEADER", "X-Api-Key", "X-Api-Key: 1"],
  ["X_AUTH", "basic-auth", "basic-auth"],
  ["SMTP_HOST", "smtp.gmail.com", "smtp.gmail.com"],
  ["AUTH_GRANT", "client_credentials", "grant_type=client_credentials"],
];
test.each(SETTINGS)("%s=%s is a setting, and text that holds it stays: %s", async (name, value, text) => {
  expect((await new Redactor(basic, { [name]: value }).redact(Buffer.from(text))).bytes.toString()).toBe(text);
});

test.each([
  ["PGPASSWORD", "correcthorse9"],
  ["GITHUB_TOKEN", "0123456789abcdef"],
  ["AUTH_TOKEN", "abcDEF123"],
  ["MY_SECRET", "letmein-now"],
  ["DATABASE_URL", "postgres://u:p@db/x"],
  ["AWS_SECRET_ACCESS_KEY", "abcd/efgh+ijkl"],
  ["OPENAI_APIKEY", "k-12345678"],
  ["GOOGLE_CREDENTIALS", '{"type":"x"}'],
])("%s=%s is a secret, as a word of its own", async (name, value) => {
  const redacted = async (text: string): Promise<string> =>
    (await new Redactor(basic, { [name]: value }).redact(Buffer.from(text))).bytes.toString();
  expect(await redacted(`a ${value} b "${value}"\n${value}`)).toBe(
    'a [REDACTED:environment] b "[REDACTED:environment]"\n[REDACTED:environment]',
  );
  if (/^\w.*\w$/.test(value)) expect(await redacted(`x${value} ${value}9 _${value}`)).toBe(`x${value} ${value}9 _${value}`);
});

describe("private keys", () => {
  const line = (): string => pick(`${WORD}+/`, 64);
  const body = (lines: number, end = "\n"): string =>
    Array.from({ length: lines }, () => line() + end).join("") + pick(WORD, 22) + "==" + end;
  const begin = (kind: string): string => `-----BEGIN ${kind}-----`;
  const end = (kind: string): string => `-----END ${kind}-----`;
  const rsa = "RSA PRIVATE KEY";
  const shown = async (text: string): Promise<string> => (await new Redactor(basic, {}).redact(Buffer.from(text))).bytes.toString();

  test.each([
    ["with a passphrase", () => `${begin(rsa)}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0011223344556677\n\n${body(12)}${end(rsa)}`],
    [
      "of PGP, with a comment",
      () => `${begin("PGP PRIVATE KEY BLOCK")}\nVersion: GnuPG v2\nComment: a-b-c\n\n${body(9)}=ab+d\n${end("PGP PRIVATE KEY BLOCK")}`,
    ],
    ["of OpenSSH", () => `${begin("OPENSSH PRIVATE KEY")}\n${body(5)}${end("OPENSSH PRIVATE KEY")}`],
    ["with CR LF", () => `${begin(rsa)}\r\n${body(3, "\r\n")}${end(rsa)}`],
    ["in a string of JSON", () => `${begin("PRIVATE KEY")}\\n${body(20, "\\n")}${end("PRIVATE KEY")}`],
    ["on one line, with blanks", () => `${begin("PRIVATE KEY")} ${body(2, " ")}${end("PRIVATE KEY")}`],
    ["on one line, with nothing", () => `${begin("PRIVATE KEY")}${body(2, "")}${end("PRIVATE KEY")}`],
    ["indented, in YAML", () => `${begin(rsa)}\n    ${body(3, "\n    ")}${end(rsa)}`],
    ["with numbers, as grep -n prints it", () => `${begin(rsa)}\n2-${line()}\n3-${line()}\n4:${end(rsa)}`],
    ["as a diff adds it", () => `${begin(rsa)}\n+${line()}\n+${line()}\n+${end(rsa)}`],
    ["cut at its end", () => `${begin(rsa)}\nProc-Type: 4,ENCRYPTED\n\n${line()}\n${line()}`],
  ])("%s are taken out whole", async (_, make) => {
    expect(await shown(`x = "${make()}"\nrest - of it\n`)).toMatch(/^x = "\[REDACTED:private-key\]"?\nrest - of it\n$/);
  });

  test("without their beginning, as tail -n +2 shows them", async () => {
    expect(await shown(`${body(8)}${end(rsa)}\nnext\n`)).toBe("[REDACTED:private-key]\nnext\n");
    expect(await shown(`ordinary words\n${line()}\n${end(rsa)}\n`)).toBe("ordinary words\n[REDACTED:private-key]\n");
  });

  test.each([
    `if (pem.startsWith("${begin("PRIVATE KEY")}") && pem.endsWith("${end("PRIVATE KEY")}")) {\n  return parse(pem);\n}\n`,
    `A file begins with ${begin(rsa)} and ends with ${end(rsa)}.\n`,
    `${begin("PUBLIC KEY")}\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n${end("PUBLIC KEY")}\n`,
    `${begin("CERTIFICATE")}\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n${end("CERTIFICATE")}\n`,
  ])("what only names them stays: %s", async (text) => expect(await shown(text)).toBe(text));

  const LAYOUTS: readonly (readonly [name: string, line: (text: string, number: number) => string])[] = [
    ["grep -H", (text) => `keys/id-2.pem:${text}\n`],
    ["grep -nH", (text, number) => `f.pem:${number}:${text}\n`],
    ["grep -nHA", (text, number) => (number === 9 ? `f.pem:9:${text}\n` : `f.pem-${number}-${text}\n`)],
    ["rg --column", (text, number) => `f:${number}:1:${text}\n`],
    ["cat -n", (text, number) => `${String(number).padStart(6)}\t${text}\n`],
    ["cat -A", (text) => `${text}$\n`],
    ["cat -A of CR LF", (text) => `${text}^M$\n`],
    ["diff", (text) => `< ${text}\n`],
    ["diff -u, taken away", (text) => `-${text}\n`],
    ["# comments", (text) => `# ${text}\n`],
    ["// comments", (text) => `// ${text}\n`],
    ["* comments", (text) => ` * ${text}\n`],
    ["; comments", (text) => `; ${text}\n`],
    ["PHP", (text) => `$k .= '${text}';\n`],
    ["PHP, its first line another", (text, number) => `$k ${number === 9 ? "=" : ".="} '${text}' . "\\n";\n`],
    ["C", (text) => `  L"${text}\\n" \\\n`],
    ["colours", (text, number) => `\u001b[35mf\u001b[m:\u001b[32m${number}\u001b[m:\u001b[01;31m\u001b[K${text}\u001b[m\u001b[K\n`],
    ["CR", (text) => `${text}\r`],
    ["CR LF spelled out", (text) => `${text}\\r\\n`],
    ["JSON in JSON", (text) => `${text}\\\\n`],
    ["JSON in JSON in JSON", (text) => `${text}\\\\\\\\r\\\\\\\\n`],
    ["JSON of PHP", (text) => `${text.replaceAll("/", "\\/")}\\n`],
    ["an address", (text) => `${text}%0D%0A`],
    ["HTML", (text) => `${text}<br>`],
    ["HTML, by number", (text) => `${text}&#10;`],
    ["tabs", (text) => `${text}\t`],
  ];
  const laidOut = (layout: (text: string, number: number) => string, texts: readonly string[], from: number): string =>
    texts.map((text, index) => layout(text, from + index)).join("");

  test.each(LAYOUTS)("in the layout of %s, no line is shown, with both ends or with either", async (name, layout) => {
    const lines = Array.from({ length: 12 }, line);
    const texts = [begin(rsa), ...lines, `${pick(WORD, 22)}==`, end(rsa)];
    // What its first line has before it is not what the others have, and END is not shown: a limit.
    const begun = name.startsWith("PHP, its first line") ? [] : [texts.slice(0, -1)];
    for (const some of [texts, ...begun, texts.slice(1)]) {
      const answer = await shown(laidOut(layout, some, some === texts || some[0] === texts[0] ? 9 : 10));
      expect(answer).toContain("[REDACTED:private-key]");
      for (const secret of lines) expect(answer).not.toContain(secret.slice(0, 30));
      for (const secret of lines) expect(answer).not.toContain(secret.replaceAll("/", "\\/").slice(0, 30));
    }
  });

  test("of PuTTY and of SSH2", async () => {
    const putty = (text: string): string =>
      `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: me\nPublic-Lines: 1\nAAAAB3NzaC1yc2EAAAADAQABAAAB\nPrivate-Lines: 3\n${text}\nPrivate-MAC: 00\n`;
    expect(await shown(putty(`${line()}\n${line()}\n${pick(WORD, 20)}`))).toBe(putty("[REDACTED:private-key]"));
    const name = "SSH2 ENCRYPTED PRIVATE KEY";
    expect(await shown(`a\n---- BEGIN ${name} ----\nComment: "x"\n${body(4)}---- END ${name} ----\nb\n`)).toBe(
      "a\n[REDACTED:private-key]\nb\n",
    );
  });

  test.each([
    `# ${begin(rsa)}\n# ordinary words of a comment\n# ${end(rsa)}\n`,
    `  anIdentifierOfAProgram\n  pem.endsWith("${end(rsa)}")\n`,
    `  startsWith("${begin(rsa)}")\n  anIdentifierOfAProgram\n`,
    "Private-Lines: 3\nand no key\n",
  ])("what has the layout of none stays: %s", async (text) => expect(await shown(text)).toBe(text));

  const run = pick(`${WORD}+/`, 64);
  test.each([
    ["BEGIN, lines", `${begin(rsa)}\n`],
    ["END, lines", `${end(rsa)}\n`],
    ["BEGIN on one line", begin("PRIVATE KEY")],
    ["END on one line", end("PRIVATE KEY")],
    ["BEGIN and END on one line", begin("PRIVATE KEY") + end("PRIVATE KEY")],
    ["SSH2 on one line", "---- BEGIN SSH2 PRIVATE KEY ----"],
    ["PuTTY", "Private-Lines: 9\n"],
    ["PuTTY on one line", "Private-Lines: 9 "],
    ["BEGIN and short lines", `${begin(rsa)}\n${"ab\n".repeat(20_000)}`],
    ["short lines and END", `${"ab\n".repeat(20_000)}${end(rsa)}\n`],
    ["BEGIN and runs", `${begin(rsa)}\n${`${run}\n`.repeat(1000)}`],
    ["runs and END", `${`${run}\n`.repeat(1000)}${end(rsa)}\n`],
    ["BEGIN and base64 without breaks", begin(rsa) + run.repeat(1000)],
    ["base64 without breaks and END", run.repeat(1000) + end(rsa)],
    ["BEGIN and a run", begin(rsa) + run],
    ["a run and END", run + end(rsa)],
    ["BEGIN and spelled-out breaks", `${begin(rsa)}\\n`],
    ["END and spelled-out breaks", `\\n${end(rsa)}`],
    ["BEGIN and many of them", begin(rsa) + "\\n".repeat(30_000)],
    ["backslashes", begin(rsa) + "\\".repeat(60_000) + end(rsa)],
    ["blanks", `${begin(rsa)}${" ".repeat(60_000)}`],
    ["blanks before END", " ".repeat(60_000) + end(rsa)],
    ["blanks that end in a word", `${begin(rsa)}A${" ".repeat(60_000)}_${end(rsa)}`],
    ["dashes", `${begin(rsa)}${"-".repeat(60_000)}${end(rsa)}`],
    ["three dashes", `${begin(rsa)}${"--- ".repeat(15_000)}${end(rsa)}`],
    ["signs", "+".repeat(60_000) + end(rsa)],
    ["long prefixes", `${"1 ".repeat(99)}${begin(rsa)}\n${`${"1 ".repeat(99)}ab\n`.repeat(300)}`],
    ["blanks of varying prefixes", `1 ${begin(rsa)}\n${`1${" ".repeat(100)}ab\n`.repeat(600)}`],
    ["brackets", `${begin(rsa)}\n${"\u001b[".repeat(30_000)}`],
  ])("text made of their marks is read in time that grows with it: %s", async (_, piece) => {
    /** The better of two, because other processes take their part of one. */
    const read = async (mebibytes: number): Promise<number> => {
      const bytes = Buffer.from(piece.repeat(Math.ceil((mebibytes << 20) / piece.length)));
      let bestMs = Infinity;
      for (let turn = 0; turn < 2; turn++) {
        const startedMs = ownMs();
        await new Redactor(basic, {}).redact(bytes);
        bestMs = Math.min(bestMs, ownMs() - startedMs);
      }
      return bestMs;
    };
    const oneMs = await read(1);
    const fourMs = await read(4);
    expect(fourMs).toBeLessThan(2000);
    // Below this a pause of the machine says more than the text.
    if (fourMs > 400) expect(fourMs / oneMs).toBeLessThan(6);
  });
});

test.each(["\\n", "\\t", "\\r", "\\u{1b}[K", "\u001b[01;31m", "\u001b[01;31m\u001b[K", "\\x1b", "\\x1b[1m", "%20", "\\u000a", "\\\\n"])(
  "a secret after %j begins a word",
  async (before) => {
    const token = `ghp_${pick(WORD, 36)}`;
    const redactor = new Redactor(basic, { MY_SECRET: "abcdefgh-ij" });
    expect((await redactor.redact(Buffer.from(`a${before}${token} a${before}abcdefgh-ij${before}b`))).bytes.toString()).toBe(
      `a${before}[REDACTED:github-token] a${before}[REDACTED:environment]${before}b`,
    );
  },
);

test("other calls have their turn while 8 MiB are read, and nothing is lost where slices meet", async () => {
  const token = `ghp_${pick(WORD, 36)}`;
  for (let shift = 0; shift <= token.length + 1; shift++) {
    const bytes = Buffer.alloc((1 << 20) + 100, " ");
    bytes.write(token, (1 << 20) - shift);
    expect((await new Redactor(basic, {}).redact(bytes)).counts).toEqual(new Map([["github-token", 1]]));
  }
  let turns = 0;
  const beat = setInterval(() => turns++, 0);
  await new Redactor(basic, {}).redact(Buffer.alloc(8 << 20, begin8));
  clearInterval(beat);
  expect(turns).toBeGreaterThan(2);
});

/** Turns of the event loop that `work` leaves to others. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const beat = (): void => {
    turns++;
    if (!isOver) setImmediate(beat);
  };
  setImmediate(beat);
  await work();
  isOver = true;
  return turns;
}

test("others have their turn while a hundred thousand secrets are taken out", async () => {
  const bytes = Buffer.from(`ghp_${pick(WORD, 36)}\n`.repeat(100_000));
  const searching = Math.floor(bytes.length / (256 << 10));
  const puttingTogether = Math.floor(100_000 / 8192);
  expect(await turnsDuring(() => new Redactor(basic, {}).redact(bytes))).toBeGreaterThan(searching + puttingTogether);
});

test("a long output without secrets is searched once, however often it is read", async () => {
  const redactor = new Redactor(basic, {});
  const output = new Uint8Array(2 << 20).fill(32);
  expect(await turnsDuring(() => redactor.redact(output))).toBeGreaterThan(1);
  expect(await turnsDuring(() => redactor.redact(output))).toBe(0);
  expect(await turnsDuring(() => redactor.redact(new Uint8Array(output)))).toBeGreaterThan(1);
});

const begin8 = "-----BEGIN PRIVATE KEY-----";

test("the configuration's patterns hold nobody up, whatever they read", { timeout: 60_000 }, async () => {
  const patterns = [
    { name: "nested", regex: "(a+)+$" },
    { name: "early", regex: "a(.*z)?" },
    { name: "words", regex: "\\w+-\\w+" },
  ];
  const redactor = new Redactor({ level: "off", patterns }, {});
  expect((await redactor.redact(Buffer.from("xaaa!\nb aaa\nx-y"))).bytes.toString()).toBe(
    "x[REDACTED:early]!\nb [REDACTED:nested]\n[REDACTED:words]",
  );
  const longestHold = watchHolds();
  for (const text of [`${"a".repeat(40)}!`, "a".repeat(4 << 20), `${"a".repeat(1000)}\n`.repeat(1000), "a-".repeat(1 << 20)]) {
    const bytes = Buffer.from(text);
    const startedMs = ownMs();
    expect((await redactor.redact(bytes)).bytes.toString()).not.toContain("aa");
    expect(ownMs() - startedMs).toBeLessThan(10_000);
  }
  const longestMs = longestHold();
  console.log(`the event loop was held for ${Math.round(longestMs)} ms`);
  // In slices it is some 25 ms, and 130 to 200 ms without.
  expect(longestMs).toBeLessThan(100);
});

describe("the finished answer", () => {
  const answer = (text: string, more: object = {}): CallToolResult => ({ content: [{ type: "text", text }], ...more });
  const redactor = new Redactor(basic, { SOME_PASSWORD: "pass-word-1", PGPASSWORD: "postgres9" });

  test("what was taken out already stays as it is", async () => {
    const text = "https://u:[REDACTED:url-password]@h/ postgresql://[REDACTED:environment]@localhost/ [REDACTED:pass-word-1]";
    expect((await redactedResult(answer(text), redactor)).content).toEqual([{ type: "text", text }]);
  });

  test("a suggestion with a secret in it is none", async () => {
    const refusal = answer("REDIRECT: no\n  echo x > postgres9.txt\ntry: echo x | tee postgres9.txt\n", {
      isError: true,
      structuredContent: { error: { suggestion: "echo x | tee postgres9.txt", detail: "postgres9" } },
    });
    const { content, structuredContent } = await redactedResult(refusal, redactor);
    expect(content[0]).toEqual({ type: "text", text: "REDIRECT: no\n  echo x > [REDACTED:environment].txt\n" });
    expect(structuredContent).toEqual({ error: { suggestion: null, detail: "[REDACTED:environment]" } });
  });

  test("names, notes and half characters", async () => {
    const { content, structuredContent } = await redactedResult(
      answer("[shelpa] created postgres9.new: 3 bytes", { structuredContent: { cwd: "d\udcff", meta: { tee: { path: "a/postgres9" } } } }),
      redactor,
    );
    expect(content).toEqual([
      { type: "text", text: "[shelpa] created [REDACTED:environment].new: 3 bytes" },
      { type: "text", text: "[shelpa] secrets are shown as [REDACTED:kind]: 1 environment" },
    ]);
    expect(structuredContent).toEqual({ cwd: "d\\xff", meta: { tee: { path: "a/[REDACTED:environment]" } } });
  });
});

describe("patterns that are tried at each place of a line", () => {
  const patterns = [
    { name: "aws", regex: "AKIA[0-9A-Z]{16}" },
    { name: "acme", regex: "ACME[A-Z0-9]{20}" },
    { name: "key", regex: "(?i)(api|access)[_-]?key.{0,20}[0-9a-z]{32}" },
    { name: "accents", regex: "é[é-ü]{250}x" },
    { name: "far", regex: "a.{250}z" },
    { name: "word", regex: "a[ab]{13}b\\b" },
  ];
  const redactor = new Redactor({ level: "off", patterns }, {});
  const redacted = async (text: string): Promise<string> => (await redactor.redact(Buffer.from(text))).bytes.toString();

  test.each([
    ["AKIAIOSFODNN7EXAMPLE", "[REDACTED:aws]"],
    ["xéAKIAIOSFODNN7EXAMPLEé AKIAIOSFODNN7EXAMPL", "xé[REDACTED:aws]é AKIAIOSFODNN7EXAMPL"],
    ["AKIAKIAIOSFODNN7EXAMPLE", "[REDACTED:aws]PLE"],
    ["ACMEACME01234567890123456789", "[REDACTED:acme]6789"],
    [`Access-Key = "${"0aZ".repeat(10)}99"`, '[REDACTED:key]"'],
    ["AKIAIOSFODNN7EXAMPLEAKIAIOSFODNN7EXAMPLE\nAKIA", "[REDACTED:aws]\nAKIA"],
    [`é${"ü".repeat(250)}x`, "[REDACTED:accents]"],
    [`${"ab".repeat(8)} ${"a".repeat(14)}b`, `${"ab".repeat(8)} [REDACTED:word]`],
  ])("%s", async (text, shown) => expect(await redacted(text)).toBe(shown));

  test("hold nobody up", { timeout: 60_000 }, async () => {
    const longestHold = watchHolds();
    for (const text of [
      "AKIA".repeat(1 << 20),
      `AKI${"A".repeat(1 << 20)}`,
      "é".repeat(1 << 19),
      "ab".repeat(1 << 19),
      "a\n".repeat(1 << 17),
    ]) {
      const startedMs = ownMs();
      expect((await redactor.redact(Buffer.from(text))).bytes.length).toBeGreaterThan(0);
      expect(ownMs() - startedMs, text.slice(0, 8)).toBeLessThan(5000);
    }
    const longestMs = longestHold();
    console.log(`the event loop was held for ${Math.round(longestMs)} ms`);
    // In slices it is some 80 ms, and 480 ms without.
    expect(longestMs).toBeLessThan(300);
  });
});
