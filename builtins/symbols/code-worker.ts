/** The thread that makes lines of files on the second core: a bundle of its own (tools/build/build.mjs). See code-lines.ts. */
import { serveCodeThread } from "../../src/wasm/code-thread.ts";
import { BatchAnswerer, type Batch } from "./batch.ts";

const answerer = new BatchAnswerer();
serveCodeThread((batch) => answerer.reportsOf(batch as Batch));
