/**
 * `nodes.json` in the data folder: names, addresses and pins of the nodes, for a database that was lost. Backups contain it.
 * It has no secrets.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import * as v from "valibot";
import { parseFingerprint } from "../../mtls/tls-identity.ts";
import { ConfigError } from "../../system/config/config-error.ts";
import { replaceFile } from "../../system/durable-file.ts";
import { createJobLoop } from "../jobs/job-loop.ts";
import type { Nodes } from "./nodes.ts";
import { nodeStates, type ProviderNode } from "./provider-node.ts";

export const nodesFileName = "nodes.json";

const version = 1;

const text = v.pipe(v.string(), v.maxLength(300));

const nodesFile = v.object({
  version: v.literal(version),
  nodes: v.array(
    v.object({
      name: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,20}$/)),
      place: text,
      lat: v.nullable(v.number()),
      lon: v.nullable(v.number()),
      publicIp: text,
      endpoints: v.array(text),
      tunnelIpv4: v.nullable(text),
      linkLocal: text,
      maxPeerings: v.nullable(v.number()),
      agent: v.object({
        url: v.pipe(text, v.url()),
        fingerprint: v.pipe(
          v.string(),
          v.check((given) => parseFingerprint(given) === given),
        ),
      }),
      state: v.picklist(nodeStates),
    }),
  ),
});

/**
 * Writes the file. A node without an agent of its own cannot be found again, and is left out. The demo, which has only such nodes,
 * has no file: an empty one would hide those of its profile from its next database.
 */
async function writeNodesFile(dataDir: string, nodes: readonly ProviderNode[]): Promise<void> {
  const content = { version, nodes: nodes.filter(({ agent }) => agent !== null) };
  if (nodes.length > 0 && content.nodes.length === 0) return;
  await replaceFile(join(dataDir, nodesFileName), `${JSON.stringify(content, null, 2)}\n`);
}

export interface NodesFileDeps {
  readonly nodes: Nodes;
  readonly dataDir: string;
  readonly log: Pick<Logger, "error">;
}

/** Writes the file, and after each change again. Resolves after the first time, also if it failed, and never rejects. */
export async function followNodesFile({ nodes, dataDir, log }: NodesFileDeps): Promise<AsyncDisposable> {
  const write = () => writeNodesFile(dataDir, nodes.list());
  const onError = (error: unknown) => log.error({ err: error }, `${nodesFileName} could not be written`);
  await write().catch(onError);
  const loop = createJobLoop({ run: write, onError });
  nodes.onChange(() => loop.signal());
  return loop;
}

/**
 * Reads such a file; null if there is none.
 *
 * @throws {ConfigError} if it cannot be read or is none
 */
export async function readNodesFile(path: string): Promise<readonly ProviderNode[] | null> {
  const content = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new ConfigError(`${path} cannot be read (${error.code}).`, { cause: error });
  });
  if (content === null) return null;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), nodesFile), content);
  if (parsed.success) return parsed.output.nodes;
  const [{ message }] = parsed.issues;
  const where = v.getDotPath(parsed.issues[0]);
  throw new ConfigError(
    `${path} is not a list of nodes that Peerdeck has written (${where === null ? "" : `${where}: `}${message}). Move it away, or restore it from a backup.`,
  );
}
