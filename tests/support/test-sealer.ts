import { createSealer } from "../../src/server/db/secrets/sealer.ts";

/** Seals with a key that all tests share, as servers with one database do. */
export const testSealer = createSealer([Buffer.alloc(32, 7)]);
