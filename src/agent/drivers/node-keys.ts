/** The node's WireGuard keys: the first one, and those that the server adds so that its peerings move to them one by one. */
import { maxNodeKeys } from "#contract/agent/agent-facts.ts";
import { HttpError } from "#contract/http-error.ts";
import { createExclusive } from "../exclusive.ts";

export interface NodeKeys {
  /** All public keys, the first one first. */
  readonly nodeKeys: () => readonly [string, ...string[]];
  /**
   * Returns the public key of this name, and creates it if there is none. Resolves when it would survive a power cut. Throws an
   * `HttpError` if the node has as many keys as it can have.
   */
  readonly addNodeKey: (id: string) => Promise<string>;
  /** Deletes an added key that no peering uses; resolves if there is none. */
  readonly removeNodeKey: (publicKey: string) => Promise<void>;
}

export interface NodeKeysOptions {
  /** The first public key. */
  readonly first: string;
  /** The added public keys by name. */
  readonly added: ReadonlyMap<string, string>;
  /** Returns the public key. */
  readonly create: (id: string) => Promise<string>;
  readonly discard: (id: string) => Promise<void>;
}

export function createNodeKeys({ first, added, create, discard }: NodeKeysOptions): NodeKeys {
  const keys = new Map(added);
  const exclusive = createExclusive();
  return {
    nodeKeys: () => [first, ...keys.values()],
    addNodeKey: (id) =>
      exclusive(async () => {
        const known = keys.get(id);
        if (known !== undefined) return known;
        if (keys.size + 1 >= maxNodeKeys) {
          const message = `The node has ${maxNodeKeys} WireGuard keys, and can have no more. Remove one that no peering uses.`;
          throw new HttpError(409, { message });
        }
        const publicKey = await create(id);
        keys.set(id, publicKey);
        return publicKey;
      }),
    removeNodeKey: (publicKey) =>
      exclusive(async () => {
        for (const [id, key] of keys) {
          if (key !== publicKey) continue;
          await discard(id);
          keys.delete(id);
        }
      }),
  };
}
