/** Which texts of 32 bytes are usable Ed25519 keys (RFC 8032, section 5.1.3). */

const prime = 2n ** 255n - 19n;
const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Whether a key is a point of the curve that is not of low order. Anyone can make signatures of a key of low order, without a
 * private key.
 */
export function isUsablePoint(key: Uint8Array): boolean {
  if (key.length !== 32) return false;
  const y = key.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n) & (2n ** 255n - 1n);
  if (y >= prime) return false;
  const ySquare = (y * y) % prime;
  // x² of -x² + y² = 1 + d x² y²
  const xSquare = (modulo(ySquare - 1n) * power(modulo(d * ySquare + 1n), prime - 2n)) % prime;
  // A square by Euler's criterion; zero is x of the points of order 1 and 2.
  if (power(xSquare, (prime - 1n) / 2n) !== 1n) return false;
  // y is zero in the points of order 4, which twice a point of order 8 is.
  return y !== 0n && modulo(xSquare + ySquare) !== 0n;
}

function modulo(value: bigint): bigint {
  const rest = value % prime;
  return rest < 0n ? rest + prime : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * factor) % prime;
    factor = (factor * factor) % prime;
  }
  return result;
}
