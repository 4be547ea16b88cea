/** The thread that reads ahead of a walk: see src/workspace/look-ahead.ts. */
import { workerData } from "node:worker_threads";
import { forgetNetwork } from "../io/no-network.ts";
import { serveLookAhead } from "../workspace/look-ahead-server.ts";

forgetNetwork();
serveLookAhead(workerData as SharedArrayBuffer);
