/** The databases that the benchmark compares, each in a place of its own. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseOptions } from "#server/db/open.ts";

export type DatabaseKind = "sqlite" | "postgres";

export interface ScaleDatabase {
  readonly kind: DatabaseKind;
  readonly create: (dataDir: string) => Promise<CreatedDatabase>;
}

export interface CreatedDatabase {
  readonly at: Pick<DatabaseOptions, "dataDir" | "url">;
  /** The variables of the server. */
  readonly settings: Readonly<Record<string, string>>;
  /** PostgreSQL's first process. */
  readonly databasePid: number | null;
  readonly sizes: () => Promise<DatabaseSizes>;
}

/** In bytes. */
export interface DatabaseSizes {
  readonly data: number;
  readonly log: number;
}

export const sqlite: ScaleDatabase = {
  kind: "sqlite",
  create: async (dataDir) => {
    const sizeOf = async (file: string) => (await stat(join(dataDir, file))).size;
    return {
      at: { dataDir, url: null },
      settings: {},
      databasePid: null,
      sizes: async () => ({
        data: await sizeOf("peerdeck.sqlite"),
        log: await sizeOf("peerdeck.sqlite-wal"),
      }),
    };
  },
};
