/** Why a return from Kioubit's authentication service was refused: the codes in the address, and their sentences. */
export const kioubitFailures = {
  unverified:
    "The response of Kioubit's authentication service could not be verified. Nothing was changed; try again.",
  "other-host":
    "Kioubit's authentication service responded for another site. Nothing was changed; start again on this page.",
  late: "The response of Kioubit's authentication service was not from the last minute. Nothing was changed; try again.",
  "unknown-request":
    "This request was used, has expired, or was started in another browser. Nothing was changed; start again here.",
  "other-as":
    "Kioubit's authentication service confirmed another AS number than you entered. Nothing was changed; choose that AS there.",
  "own-as": "This AS number is our own. Nothing was changed; choose the AS of your network.",
  "unknown-as": "AS number cannot be found.",
  "account-exists": "User already exists.",
  "no-account": "This AS number has no account yet. Register for one first.",
  blocked: "This AS number is blocked, so nothing was changed. Its peerings keep running. Write to support.",
  "holder-changed":
    "The registry's entry of this AS number has changed since the account was verified, so nothing was changed. Write to support.",
  "no-registry": "We cannot check who holds this AS number right now. Nothing was changed; try again later.",
  "too-many": "Too many requests, please wait and try again later.",
  failed: "Something went wrong on our side. Try again in a minute.",
} as const;

export type KioubitFailure = keyof typeof kioubitFailures;

/** Returns the sentence of a code; null for any other text. */
export function describeKioubitFailure(code: unknown): string | null {
  return typeof code === "string" && Object.hasOwn(kioubitFailures, code)
    ? kioubitFailures[code as KioubitFailure]
    : null;
}
