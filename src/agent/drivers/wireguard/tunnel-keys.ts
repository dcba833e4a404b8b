/**
 * The node's WireGuard keys in files of its state folder: `wireguard.key`, and `wireguard-ID.key` for each that the server adds.
 *
 * Invariants: a private key is written only to its file and to what `wg` reads. A file is complete and synced before its
 * public key is returned, and is never written again.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readDurableFile, replaceFile, syncPath } from "#system/durable-file.ts";
import { createNodeKeys, type NodeKeys } from "../node-keys.ts";
import type { RoutedPeering } from "../router.ts";

export interface TunnelKeys {
  readonly ofNode: NodeKeys;
  /** Whether the node has the key of the tunnel. */
  readonly has: (tunnel: RoutedPeering) => boolean;
  /**
   * The private key of a tunnel, base64. Also one that was removed since the agent's start: a tunnel may still run with it, if
   * a change has failed.
   */
  readonly privateKeyOf: (tunnel: RoutedPeering) => string;
}

interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

const fileName = "wireguard.key";
const addedFile = /^wireguard-([A-Za-z0-9_-]+)\.key(?:\.new)?$/;
/** The PKCS #8 header before the 32 bytes of an X25519 key (RFC 8410, section 7). */
const pkcs8Head = Buffer.from("302e020100300506032b656e04220420", "hex");
const keyBytes = 32;

/** Reads the keys, or creates the first one on the first start; only their owner can read the files. */
export async function openTunnelKeys(folder: string): Promise<TunnelKeys> {
  const pathOf = (id: string) => join(folder, `wireguard-${id}.key`);
  const first = await openKey(join(folder, fileName));
  const privateKeys = new Map([[first.publicKey, first.privateKey]]);
  const added = new Map<string, string>();

  function note({ publicKey, privateKey }: KeyPair): string {
    privateKeys.set(publicKey, privateKey);
    return publicKey;
  }

  const ids = (await readdir(folder)).flatMap((name) => addedFile.exec(name)?.[1] ?? []);
  for (const id of ids.toSorted()) {
    const key = await readKey(pathOf(id));
    if (key) added.set(id, note(key));
  }
  // The process that wrote a file may have been killed before it synced the folder.
  await syncPath(folder);

  const ofNode = createNodeKeys({
    first: first.publicKey,
    added,
    create: async (id) => {
      // The file exists if an earlier call could not sync the folder.
      const key = await openKey(pathOf(id));
      await syncPath(folder);
      return note(key);
    },
    discard: async (id) => {
      await rm(pathOf(id), { force: true });
      await syncPath(folder);
    },
  });
  const publicKeyOf = ({ peering }: RoutedPeering) => peering.nodeKey ?? first.publicKey;
  return {
    ofNode,
    has: (tunnel) => ofNode.nodeKeys().includes(publicKeyOf(tunnel)),
    privateKeyOf: (tunnel) => {
      const privateKey = privateKeys.get(publicKeyOf(tunnel));
      if (privateKey === undefined) throw new Error(`the node has no WireGuard key ${publicKeyOf(tunnel)}`);
      return privateKey;
    },
  };
}

async function openKey(path: string): Promise<KeyPair> {
  return (await readKey(path)) ?? createKey(path);
}

/** Null if there is no such file. */
async function readKey(path: string): Promise<KeyPair | null> {
  const stored = await readDurableFile(path);
  return stored === null ? null : keyOf(stored.trim(), path);
}

async function createKey(path: string): Promise<KeyPair> {
  const generated = generateKeyPairSync("x25519").privateKey.export({ type: "pkcs8", format: "der" });
  const privateKey = generated.subarray(-keyBytes).toString("base64");
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replaceFile(path, `${privateKey}\n`, 0o600);
  return keyOf(privateKey, path);
}

function keyOf(privateKey: string, path: string): KeyPair {
  const bytes = Buffer.from(privateKey, "base64");
  if (bytes.length !== keyBytes || bytes.toString("base64") !== privateKey) {
    throw new Error(`${path} does not contain a WireGuard key. Move it away to generate a new one.`);
  }
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, bytes]), format: "der", type: "pkcs8" });
  const spki = createPublicKey(key).export({ type: "spki", format: "der" });
  return { privateKey, publicKey: spki.subarray(-keyBytes).toString("base64") };
}
