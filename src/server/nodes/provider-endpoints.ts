import { canonicalizeHost } from "../../domain/host-name.ts";
import { listPublicUrls, type PublicUrls } from "../../domain/public-urls.ts";
import type { ProviderNode } from "./provider-node.ts";

/**
 * Returns the addresses and hostnames of the provider's machines, which no participant can have as endpoint. A host that is no
 * endpoint anyway, such as `localhost`, is left out: the agents accept only canonical endpoints.
 */
export function listProviderEndpoints(
  nodes: ReadonlyArray<Pick<ProviderNode, "endpoints">>,
  urls: PublicUrls,
): readonly string[] {
  const hosts = listPublicUrls(urls).flatMap((url) => canonicalizeHost(new URL(url).hostname) ?? []);
  return [...new Set([...nodes.flatMap(({ endpoints }) => endpoints), ...hosts])];
}
