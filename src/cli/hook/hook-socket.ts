/** Place and messages of the socket by which a hook asks a server that runs for the same root. */
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realHostPath } from "../../host/host-file.ts";

/** One line of JSON from the hook; the server answers with one, `HookAnswer`, and ends the connection. */
export interface HookQuestion {
  readonly line: string;
  /** Relative to the root. */
  readonly directory: string;
}

export interface HookAnswer {
  /** Every part of the line runs in the server. */
  readonly allowed: boolean;
}

export interface SocketPlace {
  /** Host path of the directory, which must be the user's alone. */
  readonly directory: string;
  readonly path: string;
}

/** The place for the root at the host path `root`; undefined where the host has no such sockets, or there is no such root. */
export function socketPlace(root: string, environment: NodeJS.ProcessEnv): SocketPlace | undefined {
  const real = realHostPath(root);
  const user = process.geteuid?.();
  if (real === undefined || user === undefined) return undefined;
  const directory = join(environment["XDG_RUNTIME_DIR"] || tmpdir(), `shelpa-${user}`);
  // A socket's path has little room: 104 bytes on some hosts.
  return { directory, path: join(directory, `${createHash("sha256").update(real).digest("hex").slice(0, 20)}.sock`) };
}
