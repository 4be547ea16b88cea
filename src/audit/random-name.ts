/** Names of the temporary files that a write makes beside its targets. */
import { randomBytes } from "node:crypto";

/** `.shelpa-KIND-` and 16 random hexadecimal digits: hidden, and nobody else's. */
export const randomName = (kind: "new" | "old" | "spool"): string => `.shelpa-${kind}-${randomBytes(8).toString("hex")}`;

/** Matches what `randomName` makes. */
export const OUR_NAME = /^\.shelpa-(?:new|old|spool)-[0-9a-f]{16}$/;
