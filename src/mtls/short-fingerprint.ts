const shownLength = "5E:01:7C:9A".length;

/** The start of a fingerprint, "5E:01:7C:9A…", which is enough to compare it with another one in a log. */
export function shortFingerprint(fingerprint: string): string {
  return fingerprint.length <= shownLength ? fingerprint : `${fingerprint.slice(0, shownLength)}…`;
}
