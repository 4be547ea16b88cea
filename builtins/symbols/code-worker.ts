/** The thread that makes lines of files on the second core: a bundle of its own (build.mjs). See code-lines.ts. */
import { forgetNetwork } from "../../src/io/no-network.ts";
import { serveCodeThread } from "../../src/wasm/code-thread.ts";
import { BatchAnswerer, type Batch } from "./batch.ts";

forgetNetwork();
const answerer = new BatchAnswerer();
serveCodeThread((batch) => answerer.reportsOf(batch as Batch));
