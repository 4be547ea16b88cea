/** Names for files that live for a moment. */
import { randomBytes } from "node:crypto";

/** `.shelpa-KIND-` and 16 random hexadecimal digits: hidden, and nobody else's. */
export const randomName = (kind: "new" | "old" | "spool"): string => `.shelpa-${kind}-${randomBytes(8).toString("hex")}`;
