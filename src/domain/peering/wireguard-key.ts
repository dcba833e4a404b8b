const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Whether a text is non-empty, padded base64 (RFC 4648), whatever it encodes. */
export function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && base64.test(text);
}

/** The 32 bytes of a WireGuard key, or null: exactly 44 characters whose unused bits are zero. */
export function parseKey(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return null;
  const digits = Array.from(text.slice(0, 43), (character) => alphabet.indexOf(character));
  if (((digits.at(-1) ?? 0) & 0b11) !== 0) return null;
  const bits = digits.reduce((value, digit) => (value << 6n) | BigInt(digit), 0n) >> 2n;
  return Uint8Array.from({ length: 32 }, (_, index) => Number((bits >> BigInt(248 - 8 * index)) & 255n));
}

/**
 * Whether a key has the form of all private keys of `wg genkey`: the lowest three bits and bit 255 are 0, bit 254 is 1
 * (RFC 7748, section 5). One public key in 16 has it as well.
 */
export function hasPrivateKeyForm(text: string): boolean {
  const key = parseKey(text);
  if (!key) return false;
  const [first = 0, last = 0] = [key.at(0), key.at(-1)];
  return (first & 0b111) === 0 && last >> 6 === 1;
}

const fieldPrime = 2n ** 255n - 19n;
/** u-coordinates of Curve25519's points of low order, reduced (cr.yp.to/ecdh.html#validate). */
const lowOrder = new Set([
  0n,
  1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
  fieldPrime - 1n,
]);

/** Whether a key is a point of low order: every handshake with it has the same secret. */
export function isLowOrder(key: Uint8Array): boolean {
  const value = key.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n) & ((1n << 255n) - 1n);
  return lowOrder.has(value % fieldPrime);
}
