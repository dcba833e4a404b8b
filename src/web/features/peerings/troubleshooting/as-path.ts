/** Returns an AS path with each repeated AS number once: "4242420001 ×52 4242420002". AS sets ("{1 2}") stay as they are. */
export function shortenAsPath(path: string): string {
  return path.replaceAll(/\{[^{}]*\}|\b(\d+)(?: \1\b)+/g, (match, asn: string | undefined) =>
    asn === undefined ? match : `${asn} ×${match.split(" ").length}`,
  );
}
