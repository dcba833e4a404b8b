/** Returns the name that people read for a node: with the provider's domain, or the bare name if it has none. */
export function nodeHost(node: string, domain: string): string {
  return domain === "" ? node : `${node}.${domain}`;
}
