/** The keys of a simulated node: hashes, because its participants are simulated, too. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import { createNodeFile } from "../../node-file.ts";
import { createNodeKeys, type NodeKeys } from "../node-keys.ts";

interface KeyStore {
  /** The names of the added keys. */
  readonly ids: readonly string[];
  readonly save: (ids: string[]) => Promise<void>;
}

const noStore: KeyStore = { ids: [], save: async () => {} };

export function createSimulatedKeys(node: string, { ids, save }: KeyStore = noStore): NodeKeys {
  const keyOfId = (id: string) => keyOf(`${node} ${id}`);
  let saved = ids;
  const set = async (next: readonly string[]) => {
    await save([...next]);
    saved = next;
  };
  return createNodeKeys({
    first: keyOf(node),
    added: new Map(ids.map((id) => [id, keyOfId(id)])),
    create: async (id) => {
      await set([...saved, id]);
      return keyOfId(id);
    },
    discard: (id) => set(saved.filter((one) => one !== id)),
  });
}

function keyOf(name: string): string {
  return createHash("sha256").update(`simulated node ${name}`).digest("base64");
}

/** Opens the keys of a node whose added keys are stored in this folder. */
export async function openSimulatedKeys(folder: string, node: string): Promise<NodeKeys> {
  const file = createNodeFile({
    path: join(folder, "simulated-keys.json"),
    node,
    schema: v.object({ ids: v.array(v.string()) }),
    advice: "Move it away; the node then has its first key only.",
  });
  return createSimulatedKeys(node, {
    ids: (await file.load())?.ids ?? [],
    save: (ids) => file.save({ ids }),
  });
}
