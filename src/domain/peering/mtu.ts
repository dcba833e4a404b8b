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
