/** The thread of `verify-pgp.ts`. It verifies one proof and ends. */
import { parentPort, workerData } from "node:worker_threads";
import * as pgp from "openpgp";
import { type PgpProof, verifyWithLibrary } from "./verify-with-library.ts";

parentPort?.postMessage(await verifyWithLibrary(pgp, workerData as PgpProof));
