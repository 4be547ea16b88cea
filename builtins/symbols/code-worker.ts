/** Program of the second thread, which makes lines of files for code-lines.ts: a bundle of its own (tools/build/build.mjs). */
import { serveCodeThread } from "../../src/wasm/code-thread.ts";
import { BatchAnswerer, type Batch } from "./batch.ts";

const answerer = new BatchAnswerer();
serveCodeThread((batch) => answerer.reportsOf(batch as Batch));
