/** The thread that reads ahead of a walk: see src/workspace/look-ahead.ts. */
import { workerData } from "node:worker_threads";
import { serveLookAhead } from "../workspace/look-ahead-server.ts";

serveLookAhead(workerData as SharedArrayBuffer);
