/**
 * Signed heads of a journal's chain. Whoever can write the journal can write another whole chain: an anchor that lies elsewhere shows
 * it. The form is one line of text of which all but the last field is signed (Ed25519, RFC 8032); it does not change.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { WorkspaceWriter } from "../../workspace/write/write-access.ts";
import type { CheckedLine } from "../journal.ts";
import type { JournalLine, PrunedLine } from "../journal-lines.ts";
import { checkedLines } from "../stored-journal.ts";
import { CHAIN_START } from "./place.ts";

/** The last line of a journal, and what stands before it. */
export interface Head {
  /** Changes from the journal's beginning to that line; those that were pruned by then are not among them. */
  readonly records: number;
  /** Id of the line; "0" where there is none. */
  readonly id: string;
  /** SHA-256 of the line. */
  readonly sha256: string;
}

export interface Anchor extends Head {
  /** Name of the workspace, as whoever signed knows it. */
  readonly workspace: string;
  /** SHA-256 of the root's path. */
  readonly root: string;
  /** Instant of the signature. */
  readonly time: string;
  /** First 16 digits of the SHA-256 of the public key (its SubjectPublicKeyInfo in DER). */
  readonly key: string;
  /** Base64. */
  readonly signature: string;
}

/** Thrown where nothing is signed, or a key or an anchor cannot be read; the message says why. */
export class AnchorError extends Error {
  override readonly name = "AnchorError";
}

/** Words of the error where a chain is broken in front of its head. */
export const CHAIN_BROKEN = "the chain of the journal is broken";
/** Words of the error where a journal no longer has a head that was signed. */
export const HEAD_LOST = "the journal no longer has the head that was signed";

/**
 * The head of the workspace's chain. Throws AnchorError where the chain is broken, or lacks the head of `after`, which is taken as it is:
 * a signature would vouch for it; FileError.
 */
export function headOf(writer: WorkspaceWriter, after?: Anchor): Head {
  let head: Head = { records: 0, id: "0", sha256: CHAIN_START };
  // One pass for both: a journal that is changed between two would have another head than the one that was looked for.
  function* passed(): Generator<CheckedLine, void> {
    for (const checked of checkedLines(writer)) {
      head = headAt(head, checked);
      yield checked;
    }
  }
  const lines = passed();
  if (after !== undefined && after.id !== "0") {
    const { verdict, detail } = checkHead(lines, writer, after);
    if (verdict === "fails") throw new AnchorError(`${HEAD_LOST} at ${after.time}: ${detail} Nothing is signed`);
  }
  while (lines.next().done !== true);
  return head;
}

function headAt(head: Head, { line, chained, sha256 }: CheckedLine): Head {
  if (line === undefined) return head;
  if (!chained) throw new AnchorError(`${CHAIN_BROKEN} at line ${line.id}, see 'audit verify': its head is not signed`);
  return { records: head.records + changesOf(line), id: line.id, sha256 };
}

/** Changes that a line adds to those of the lines before. */
const changesOf = (line: JournalLine): number => (line.kind === "intent" ? 1 : 0);

/** Signs `head` with a private key (PEM, PKCS #8). Throws AnchorError where that is no Ed25519 key. */
export function signedAnchor(head: Head, pem: string, about: Pick<Anchor, "workspace" | "root" | "time">): Anchor {
  const key = signingKey(pem);
  const unsigned = { ...head, ...about, key: nameOf(createPublicKey(key)) };
  return { ...unsigned, signature: sign(null, Buffer.from(signedText(unsigned)), key).toString("base64") };
}

/** Throws AnchorError where `pem` holds no key that `signedAnchor` could sign with. */
export function checkSigningKey(pem: string): void {
  signingKey(pem);
}

const signingKey = (pem: string): KeyObject => ed25519Key(() => createPrivateKey(pem), "private key (PEM, PKCS #8)");

/** A public key from its PEM. Throws AnchorError where that is no Ed25519 key. */
export const anchorKey = (pem: string): KeyObject => ed25519Key(() => createPublicKey(pem), "public key (PEM)");

function ed25519Key(read: () => KeyObject, words: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    // OpenSSL's words for it would tell a reader nothing.
  }
  if (key?.asymmetricKeyType === "ed25519") return key;
  throw new AnchorError(`the key file holds no Ed25519 ${words}: openssl genpkey -algorithm ed25519 -out FILE makes one`);
}

const nameOf = (key: KeyObject): string =>
  createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex")
    .slice(0, 16);

const FORM = "shelpa-anchor/1";
const FIELDS = ["workspace", "root", "records", "id", "sha256", "time", "key"] as const;

const signedText = (anchor: Omit<Anchor, "signature">): string =>
  [FORM, ...FIELDS.map((name) => `${name}=${encodeURIComponent(anchor[name])}`)].join(" ");

/** The anchor as one line, without a newline. */
export const anchorText = (anchor: Anchor): string => `${signedText(anchor)} signature=${anchor.signature}`;

/** The anchor in a line that `anchorText` or JSON.stringify made. Throws AnchorError. */
export function parseAnchor(text: string): Anchor {
  const fields = text.startsWith("{") ? fieldsOfJson(text) : fieldsOfText(text);
  const { workspace, root, records, id, sha256, time, key, signature } = fields;
  const isWhole =
    [workspace, root, time, key, signature].every((value) => value !== undefined) &&
    /^\d{1,22}$/.test(id ?? "") &&
    /^\d{1,15}$/.test(records ?? "") &&
    /^[0-9a-f]{64}$/.test(sha256 ?? "");
  if (!isWhole) throw new AnchorError("this is no anchor: 'shelpa-mcp audit anchor' prints one");
  const of = (value: string | undefined): string => value ?? "";
  return {
    ...{ workspace: of(workspace), root: of(root), records: Number(records), id: of(id), sha256: of(sha256) },
    ...{ time: of(time), key: of(key), signature: of(signature) },
  };
}

type Fields = Readonly<Record<string, string | undefined>>;

function fieldsOfText(text: string): Fields {
  const [form, ...fields] = text.split(" ");
  if (form !== FORM) return {};
  try {
    return Object.fromEntries(
      fields.map((field) => {
        const place = field.indexOf("=");
        return [field.slice(0, place), decodeURIComponent(field.slice(place + 1))];
      }),
    );
  } catch {
    return {};
  }
}

function fieldsOfJson(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, field]) =>
        typeof field === "string" || typeof field === "number" ? [[name, String(field)]] : [],
      ),
    );
  } catch {
    return {};
  }
}

/** The answer to an anchor. "unknown": nothing here tells. */
export interface AnchorFinding {
  readonly verdict: "holds" | "fails" | "unknown";
  /** A sentence. */
  readonly detail: string;
}

const fails = (detail: string): AnchorFinding => ({ verdict: "fails", detail });

/** Checks the signature, and that the chain has that head at its place, whatever follows. Throws FileError where the journal cannot be read. */
export function checkAnchor(writer: WorkspaceWriter, anchor: Anchor, key: KeyObject): AnchorFinding {
  const { signature, ...unsigned } = anchor;
  if (anchor.key !== nameOf(key)) return fails(`It was signed with another key: ${anchor.key}, not ${nameOf(key)}.`);
  if (!verify(null, Buffer.from(signedText(unsigned)), key, Buffer.from(signature, "base64"))) {
    return fails("Its signature is not of this text: the anchor was changed.");
  }
  if (anchor.id === "0") return { verdict: "holds", detail: "Nothing had been recorded then." };
  return checkHead(checkedLines(writer), writer, anchor);
}

/** Of an anchor that is not of an empty journal, and the lines of the chain. Throws FileError. */
function checkHead(lines: Iterable<CheckedLine>, writer: WorkspaceWriter, anchor: Anchor): AnchorFinding {
  const holds = (after: number): AnchorFinding => ({ verdict: "holds", detail: `The chain has this head, and ${after} changes after it.` });
  let records = 0;
  let atHead: number | undefined;
  let broken: string | undefined;
  const prunes: PrunedLine[] = [];
  for (const { line, chained, sha256 } of lines) {
    if (line === undefined) continue;
    if (!chained) broken ??= line.id;
    records += changesOf(line);
    if (line.kind === "pruned") prunes.push(line);
    if (line.id !== anchor.id || line.kind === "kept" || line.kind === "resume") continue;
    if (sha256 !== anchor.sha256)
      return fails(`The journal's line ${anchor.id} is not the one that was signed: the journal was rewritten.`);
    atHead = records;
  }
  if (broken !== undefined) return fails(`The chain is broken at line ${broken}: lines were changed, removed or put in.`);
  if (atHead !== undefined) {
    // Of what was pruned before the anchor was made, neither number has anything.
    const went = prunes.filter(({ id }) => BigInt(id) > BigInt(anchor.id)).reduce((sum, prune) => sum + prune.records, 0);
    if (atHead + went === anchor.records) return holds(records - atHead);
    return fails(`Before this head there are ${atHead + went} changes, and ${anchor.records} were signed.`);
  }
  const prune = prunes.find(({ until }) => BigInt(until) >= BigInt(anchor.id));
  if (prune === undefined) return fails("The chain does not have this head: the journal was rewritten, cut off, or is another one.");
  if (prune.until === anchor.id) return inFront(writer, anchor, records);
  const { name, sha256 } = prune.archive;
  return {
    verdict: "unknown",
    detail: `The line ${anchor.id} was pruned at ${prune.ts}: unpack the archive ${name} (sha256 ${sha256}), and verify the anchor there.`,
  };
}

/** The answer where the signed line is the last that was pruned, whose hash the journal still has. */
function inFront(writer: WorkspaceWriter, anchor: Anchor, after: number): AnchorFinding {
  for (const { line } of checkedLines(writer)) {
    if (line?.kind !== "resume") continue;
    if (line.last === anchor.sha256)
      return { verdict: "holds", detail: `The chain goes on from this head, which was pruned, with ${after} changes after it.` };
  }
  return { verdict: "fails", detail: "The chain goes on from another line than the one that was signed: the journal was rewritten." };
}
