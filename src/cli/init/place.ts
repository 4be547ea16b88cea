/** Directories in which clients keep their files. */
import { homedir } from "node:os";
import { join } from "node:path";
import { hostEntryExists, realHostPath } from "../../host/host-file.ts";

/** Host paths, absolute. */
export interface Place {
  readonly root: string;
  /** The root free of symbolic links. */
  readonly realRoot: string;
  readonly home: string;
  /** Undefined on a system without such numbers. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  readonly platform: NodeJS.Platform;
  /** Where programs of the user keep settings: `$XDG_CONFIG_HOME`, or ~/.config. */
  readonly configuration: string;
  /** Directory of a desktop application's data. */
  readonly applicationData: (application: string) => string;
  /** True where something, be it a dangling link, has the host path. */
  readonly exists: (path: string) => boolean;
}

/** The directories of the user whose environment it is, and the root `root`. */
export function placeOf(root: string, platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): Place {
  const { HOME: home = homedir(), APPDATA: roaming = join(home, "AppData", "Roaming"), XDG_CONFIG_HOME: given } = environment;
  const configuration = given ?? join(home, ".config");
  const data = platform === "darwin" ? join(home, "Library", "Application Support") : platform === "win32" ? roaming : configuration;
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
  const user = uid === undefined || gid === undefined ? undefined : { uid, gid };
  const realRoot = realHostPath(root) ?? root;
  return {
    root,
    user,
    realRoot,
    home,
    platform,
    configuration,
    applicationData: (application) => join(data, application),
    exists: hostEntryExists,
  };
}

/** True for the host path of a directory that is there and is not the place's root. Throws FileError. */
export function isAnotherRoot(root: string, place: Place): boolean {
  const real = realHostPath(root);
  return real !== undefined && real !== realHostPath(place.root);
}
