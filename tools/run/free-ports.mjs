/** Ports of the loopback that are free now, for servers of a run: so many different ones. */
import { createServer } from "node:net";

export async function freePorts(count) {
  const listeners = Array.from({ length: count }, () => createServer());
  await Promise.all(listeners.map((listener) => new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve))));
  const ports = listeners.map((listener) => listener.address().port);
  await Promise.all(listeners.map((listener) => new Promise((resolve) => listener.close(resolve))));
  return ports;
}
