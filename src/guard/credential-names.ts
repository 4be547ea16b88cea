/** Files that hold credentials, by their names alone. */

/** Tells whether the file at `path` (relative to the root) holds credentials, as far as its name says. */
export function namesCredentials(path: string): boolean {
  const names = path.toLowerCase().split("/");
  const name = names.at(-1) ?? "";
  if (/\.(example|sample|template|dist|pub)$/.test(name)) return false;
  if (NAMES.has(name) || NAME_PATTERN.test(name)) return true;
  return PATHS.some((known) => names.join("/") === known || names.join("/").endsWith(`/${known}`));
}

const NAMES: ReadonlySet<string> = new Set([
  ".git-credentials",
  ".htpasswd",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pgpass",
  ".pypirc",
  ".vault-token",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
  "id_rsa",
  "master.key",
]);

/** `.env`, `.env.local`; keys and key stores. */
const NAME_PATTERN = /^\.env(\.|$)|\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk)$|^secrets?\.(ya?ml|json|toml|env)$/;

const PATHS: readonly string[] = [".aws/credentials", ".docker/config.json", ".kube/config", ".config/gh/hosts.yml"];
