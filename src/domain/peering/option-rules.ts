/** The rules for the options of a peering. */
import type { updateOptions } from "../../contract/peering-options.ts";
import { InvalidFieldError } from "./invalid-field.ts";
import { checkProbeAddress, type ProbeContext } from "./fields/probe-address.ts";
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

function checkMtu(mtu: number): number {
  if (isMtu(mtu)) return mtu;
  throw new InvalidFieldError("mtu", "The MTU must be from 1280 to 1420. Leave it empty for the default.");
}

/** What the form has instead of a secret, and the words for it. */
export const secretWords = { keep: "The current one stays", generate: "We generate one" } as const;

export function isSecretWord(text: string): text is keyof typeof secretWords {
  return Object.hasOwn(secretWords, text);
}

/** Whether a text is a pre-shared key: 32 bytes, not all zero, which WireGuard treats as none. */
export function isPresharedKey(text: string): boolean {
  return parseKey(text)?.some((byte) => byte !== 0) ?? false;
}

/** The message does not contain the key. */
function checkPresharedKey(text: string): string {
  if (isPresharedKey(text)) return text;
  throw new InvalidFieldError(
    "preshared_key",
    "Not a pre-shared key: 32 bytes in base64, not all zero, as printed by 'wg genpsk'.",
  );
}

/** The values of options that rules check; null where the peering has none. */
export interface CheckedOptions {
  readonly mtu: number | null;
  readonly probeAddress: string | null;
  readonly presharedKey: string | null;
}

/** Applies the rule of each option with `check`, which returns null for a value that is absent or invalid. */
export function checkOptions(
  { mtu, probeAddress, presharedKey }: CheckedOptions,
  context: ProbeContext,
  check: <T>(value: T | null, rule: (given: T) => T) => T | null,
): CheckedOptions {
  return {
    mtu: check(mtu, checkMtu),
    probeAddress: check(probeAddress, (text) => checkProbeAddress(text, context)),
    presharedKey: check(presharedKey, checkPresharedKey),
  };
}

/** The rules for the texts of options in the form. */
export const optionTextRules: Readonly<Record<keyof typeof updateOptions, (text: string) => unknown>> = {
  mtu: (text) => checkMtu(parseMtu(text)),
  probe_address: (text) => checkProbeAddress(text, { providerPrefixes: [], tunnel: [] }),
  preshared_key: (text) => isSecretWord(text) || checkPresharedKey(text),
  no_endpoint: () => {},
};
