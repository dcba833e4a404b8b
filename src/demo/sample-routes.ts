import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RegisteredRoute } from "../agent/drivers/simulated/routes.ts";
import { fileSystem } from "../server/registry/file-access.ts";
import { createObjectReader, getValues } from "../server/registry/objects.ts";

/** Reads all routes of a registry, one entry for each origin, in the order of their file names. */
export async function readSampleRoutes(registryPath: string): Promise<readonly RegisteredRoute[]> {
  const read = createObjectReader({ path: registryPath, files: fileSystem });
  const kinds = await Promise.all(
    (["route", "route6"] as const).map(async (kind) => {
      const names = (await readdir(join(registryPath, "data", kind))).toSorted();
      const objects = await Promise.all(names.map((name) => read(kind, name)));
      return names.flatMap((name, index) =>
        getValues(objects[index] ?? new Map(), "origin").map((origin) => ({
          prefix: name.replace("_", "/"),
          origin: origin.replace(/^AS/i, ""),
        })),
      );
    }),
  );
  return kinds.flat();
}
