import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { peering } from "../../contract/agent.ts";
import { readReplaced, replaceFile } from "../durable-file.ts";
import type { HeldPeering } from "./held-peering.ts";

/** Where the last confirmed state survives. */
export interface StateStore {
  /** Empty on the first start. Rejects where something is kept that cannot be read. */
  readonly load: () => Promise<readonly HeldPeering[]>;
  /** Resolves when it would survive a power cut; after a rejection one of the two states is there, whole. */
  readonly save: (state: readonly HeldPeering[]) => Promise<void>;
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
    }),
  ),
});

export function createStateFile(folder: string, node: string): StateStore {
  const path = join(folder, fileName);
  return {
    load: async () => {
      const text = await readReplaced(path);
      return text === null ? [] : parseState(text, path, node);
    },
    save: async (state) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await replaceFile(path, JSON.stringify({ version, node, peerings: state }));
    },
  };
}

function parseState(text: string, path: string, node: string): readonly HeldPeering[] {
  const state = v.safeParse(stateSchema, jsonOf(text));
  if (!state.success) {
    throw new Error(
      `${path} cannot be read as the state of version ${version} (${state.issues[0].message}). Move it away ` +
        "to start empty; the server then sends every peering again.",
    );
  }
  if (state.output.node !== node) {
    throw new Error(`${path} is the state of the node ${state.output.node}, and this is ${node}.`);
  }
  return state.output.peerings;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
