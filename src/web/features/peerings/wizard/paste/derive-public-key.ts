import { parseKey } from "#domain/peering/wireguard-key.ts";

/** The PKCS #8 header before the 32 bytes of an X25519 key (RFC 8410, section 7). */
const pkcs8Head = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20];

/** Returns the public key that belongs to a private one; null if the browser's Web Crypto has no X25519. */
export async function derivePublicKey(privateKey: string): Promise<string | null> {
  const bytes = Uint8Array.from([...pkcs8Head, ...(parseKey(privateKey) ?? [])]);
  try {
    const key = await crypto.subtle.importKey("pkcs8", bytes, { name: "X25519" }, true, ["deriveBits"]);
    const { x } = await crypto.subtle.exportKey("jwk", key);
    return x === undefined ? null : `${x.replaceAll("-", "+").replaceAll("_", "/")}=`;
  } catch {
    // The error of an implementation may contain the key: nothing of it is logged.
    return null;
  } finally {
    bytes.fill(0);
  }
}
