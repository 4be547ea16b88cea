/** The thread that reads ahead of a walk: see src/workspace/ahead/look-ahead.ts. */
import { workerData } from "node:worker_threads";
import { forgetNetwork } from "../host/no-network.ts";
import { serveLookAhead } from "../workspace/ahead/look-ahead-server.ts";

forgetNetwork();
serveLookAhead(workerData as SharedArrayBuffer);
