/** The rules for the options of a peering. */
import { InvalidFieldError } from "./invalid-field.ts";
import { parseKey } from "./wireguard-key.ts";

/** The MTU of a tunnel without one of its own: WireGuard's own default, for a path of 1500 bytes. */
export const defaultMtu = 1420;
/** IPv6 needs 1280 (RFC 8200, section 5). A larger one than the default only fits a path that no endpoint is sure to have. */
const mtuRange = { min: 1280, max: defaultMtu } as const;

/** Whether a tunnel can have the MTU. */
export function isMtu(value: number): boolean {
  return Number.isInteger(value) && value >= mtuRange.min && value <= mtuRange.max;
}

/** Returns NaN for a text that is not a whole number in plain decimal. */
export function parseMtu(text: string): number {
  return /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : Number.NaN;
}

export function checkMtu(mtu: number): number {
  if (isMtu(mtu)) return mtu;
  throw new InvalidFieldError("mtu", "The MTU must be from 1280 to 1420. Leave it empty for the default.");
}

/** Whether a text is a pre-shared key: 32 bytes, not all zero, which WireGuard treats as none. */
export function isPresharedKey(text: string): boolean {
  return parseKey(text)?.some((byte) => byte !== 0) ?? false;
}

/** The message does not contain the key. */
export function checkPresharedKey(text: string): string {
  if (isPresharedKey(text)) return text;
  throw new InvalidFieldError(
    "preshared_key",
    "Not a pre-shared key: 32 bytes in base64, not all zero, as printed by 'wg genpsk'.",
  );
}
