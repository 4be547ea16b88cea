/** The listening socket that a service manager hands over (sd_listen_fds(3)): systemd starts the server with the first connection. */
import { CommandLineError } from "./command-line-error.ts";

/** The first descriptor after the standard streams. */
const FIRST = 3;

/** Its descriptor; undefined where the process was given none. Throws CommandLineError for more than one. */
export function inheritedSocket(environment: Readonly<Record<string, string | undefined>>, processId: number): number | undefined {
  const { LISTEN_PID: owner, LISTEN_FDS: count } = environment;
  if (owner !== String(processId) || count === undefined || count === "0") return undefined;
  if (count !== "1") throw new CommandLineError(`one socket is listened on, and LISTEN_FDS hands over ${count}`);
  return FIRST;
}
