import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { peering } from "../../contract/agent.ts";
import { readDurableFile, replaceFile } from "../durable-file.ts";
import type { AppliedPeering } from "./applied-peering.ts";

/** Storage of the applied state across restarts. */
export interface StateStore {
  /** Empty on the first start. Rejects if the stored state cannot be read. */
  readonly load: () => Promise<readonly AppliedPeering[]>;
  /**
   * Resolves when the state would survive a power cut. After a rejection the store contains either the old or
   * the new state, complete.
   */
  readonly save: (state: readonly AppliedPeering[]) => Promise<void>;
}

const version = 1;
const fileName = "state.json";

const stateSchema = v.object({
  version: v.literal(version),
  node: v.string(),
  peerings: v.array(
    v.object({
      asn: v.string(),
      generation: v.number(),
      routed: v.nullable(v.object({ peering, endpointAddress: v.string() })),
      database: v.exactOptional(v.string()),
    }),
  ),
});

export function createStateFile(folder: string, node: string): StateStore {
  const path = join(folder, fileName);
  return {
    load: async () => {
      const text = await readDurableFile(path);
      return text === null ? [] : parseState(text, path, node);
    },
    save: async (state) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await replaceFile(path, JSON.stringify({ version, node, peerings: state }));
    },
  };
}

function parseState(text: string, path: string, node: string): readonly AppliedPeering[] {
  const state = v.safeParse(stateSchema, parseJson(text));
  if (!state.success) {
    throw new Error(
      `${path} is not a valid state file of version ${version} (${state.issues[0].message}). Move it away ` +
        "to start with an empty state; the server then sends every peering again.",
    );
  }
  if (state.output.node !== node) {
    throw new Error(`${path} belongs to node ${state.output.node}, but this node is ${node}.`);
  }
  return state.output.peerings;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
