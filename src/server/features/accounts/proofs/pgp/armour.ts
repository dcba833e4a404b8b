/** Reads ASCII armour of OpenPGP (RFC 9580, section 6) as `readPastedSignature` and `readPastedPublicKey` return it. */
import { isBase64 } from "#domain/peering/wireguard-key.ts";

/**
 * Decodes the blocks of a kind; null for one that is not base64. The checksum is not compared: no signature in a block that it would
 * reject is valid.
 */
export function decodeArmour(
  armour: string,
  kind: "SIGNATURE" | "PUBLIC KEY BLOCK",
): ReadonlyArray<Buffer | null> {
  const parts = armour.split(`-----BEGIN PGP ${kind}-----\n`).slice(1);
  return parts.map((part) => {
    const lines = part.slice(0, part.indexOf("-----END")).split("\n");
    const base64 = lines.filter((line) => !line.includes(":") && !line.startsWith("=")).join("");
    return isBase64(base64) ? Buffer.from(base64, "base64") : null;
  });
}

/** Returns the text of a clear-signed message. A line that begins with a dash stays escaped. */
export function readSignedText(message: string): string {
  const start = message.indexOf("\n\n") + 2;
  return message.slice(start, message.lastIndexOf("\n-----BEGIN PGP SIGNATURE-----"));
}
