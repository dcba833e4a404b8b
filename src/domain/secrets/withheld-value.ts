/** What a field of one line does not accept: its text is neither stored nor sent. */
import { isHostName } from "../host-name.ts";
import { findSecret, type SecretKind, secretLabels } from "./find-secret.ts";

export type WithheldKind = SecretKind | "lines";

export const withheldTexts: Readonly<Record<WithheldKind, string>> = {
  "private-key": "This contains a private key. It was not sent or saved.",
  "pre-shared-key": "This contains a pre-shared key. It was not sent or saved.",
  key: "This may be a private key. It was not sent or saved.",
  lines: "This has several lines. It was not sent or saved.",
};

/**
 * A label that a character follows which no hostname has: the key behind it may still be typed. A hostname such as
 * `private-key.example.org` is not a label.
 */
const labels = (["private-key", "pre-shared-key"] as const).map(
  (kind) => [kind, new RegExp(`(?:${secretLabels[kind]})[^a-z0-9.-]`, "i")] as const,
);

/** A key without anything else, also while it is typed. */
const bareKey = /^[A-Za-z0-9+/]+=?$/;

/**
 * Returns why a text is withheld from a field, or null. A hostname never is.
 *
 * @param isKeyField the field may contain one key without a label.
 */
export function findWithheld(text: string, isKeyField: boolean): WithheldKind | null {
  const trimmed = text.trim();
  if (isHostName(trimmed) || (isKeyField && bareKey.test(trimmed))) return null;
  const secret = findSecret(trimmed);
  if (secret !== null) return secret;
  if (/[\n\r\u2028\u2029]/.test(trimmed)) return "lines";
  return labels.find(([, pattern]) => pattern.test(trimmed))?.[0] ?? null;
}
