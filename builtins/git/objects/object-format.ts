/**
 * The object format of a repository (gitrepository-layout(5), `extensions.objectFormat`): the hash that names its objects and ends
 * its files, and the lengths that follow from it. A repository owns one and hands it to whatever reads ids.
 */
import { createHash } from "node:crypto";

export class ObjectFormat {
  readonly name: "sha1" | "sha256";
  /** Length of an id in git's binary files, and of the checksums that end them. */
  readonly idBytes: number;
  /** Length of an id in hexadecimal digits. */
  readonly idDigits: number;
  /** Number by which a commit-graph names the hash. */
  readonly hashVersion: number;
  /** Zeros, which git prints for an object that is not there. */
  readonly noId: string;
  readonly emptyTree: string;
  readonly emptyBlob: string;
  /** Name of the commit header with a signature over this format's ids. */
  readonly signatureHeader: string;
  readonly #id: RegExp;

  constructor(name: "sha1" | "sha256", idBytes: number, hashVersion: number, signatureHeader: string) {
    this.name = name;
    this.idBytes = idBytes;
    this.idDigits = idBytes * 2;
    this.hashVersion = hashVersion;
    this.signatureHeader = signatureHeader;
    this.#id = new RegExp(`^[0-9a-f]{${this.idDigits}}$`);
    this.noId = "0".repeat(this.idDigits);
    this.emptyTree = this.idOf("tree", new Uint8Array(0));
    this.emptyBlob = this.idOf("blob", new Uint8Array(0));
  }

  /** True if `text` is a whole id, in lower case. */
  isId(text: string): boolean {
    return this.#id.test(text);
  }

  /** The id that git gives `data` as an object of type `type`. */
  idOf(type: string, data: Uint8Array): string {
    return createHash(this.name).update(`${type} ${data.length}\0`).update(data).digest("hex");
  }

  /** The checksum of `data`, with which git's own files end. */
  checksumOf(data: Uint8Array): Buffer {
    return createHash(this.name).update(data).digest();
  }
}

const SHA1 = new ObjectFormat("sha1", 20, 1, "gpgsig");
const SHA256 = new ObjectFormat("sha256", 32, 2, "gpgsig-sha256");

/** The format of a repository whose configuration names none, and of files in no repository. */
export const USUAL_FORMAT = SHA1;

/** Undefined for a format that git does not know. */
export const formatNamed = (name: string): ObjectFormat | undefined => [SHA1, SHA256].find((format) => format.name === name);
