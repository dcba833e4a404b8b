/** Identifies a peering in maps, sets and rate limits. */
export function peeringKey({ asn, node }: { readonly asn: string; readonly node: string }): string {
  return `${asn} ${node}`;
}
