import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readDurableFile, replaceFile } from "#system/durable-file.ts";

/** The node's WireGuard keys, base64 as `wg` prints them. */
export interface NodeKey {
  /** Written only to the node's own files. */
  readonly privateKey: string;
  readonly publicKey: string;
}

const fileName = "wireguard.key";
/** The PKCS #8 header before the 32 bytes of an X25519 key (RFC 8410, section 7). */
const pkcs8Head = Buffer.from("302e020100300506032b656e04220420", "hex");
const keyBytes = 32;

/** Reads the node's WireGuard key, or creates it on the first start; only its owner can read the file. */
export async function openNodeKey(folder: string): Promise<NodeKey> {
  const path = join(folder, fileName);
  const stored = await readDurableFile(path);
  if (stored !== null) return keyOf(stored.trim(), path);
  const generated = generateKeyPairSync("x25519").privateKey.export({ type: "pkcs8", format: "der" });
  const privateKey = generated.subarray(-keyBytes).toString("base64");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceFile(path, `${privateKey}\n`, 0o600);
  return keyOf(privateKey, path);
}

function keyOf(privateKey: string, path: string): NodeKey {
  const bytes = Buffer.from(privateKey, "base64");
  if (bytes.length !== keyBytes || bytes.toString("base64") !== privateKey) {
    throw new Error(`${path} does not contain a WireGuard key. Move it away to generate a new one.`);
  }
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, bytes]), format: "der", type: "pkcs8" });
  const spki = createPublicKey(key).export({ type: "spki", format: "der" });
  return { privateKey, publicKey: spki.subarray(-keyBytes).toString("base64") };
}
