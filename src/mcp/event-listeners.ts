/** One receiver of a server's events that hands each on to several. */
import type { ServerEvents } from "./server-events.ts";

/** Tells `listeners` of each event, in their order. */
export function toEach(listeners: readonly ServerEvents[]): Required<ServerEvents> {
  return {
    requestStarted: (event) => {
      for (const listener of listeners) listener.requestStarted?.(event);
    },
    requestEnded: (event) => {
      for (const listener of listeners) listener.requestEnded?.(event);
    },
    callEnded: (event) => {
      for (const listener of listeners) listener.callEnded?.(event);
    },
    noted: (event) => {
      for (const listener of listeners) listener.noted?.(event);
    },
  };
}
