/** The participant's newest peering, whose values a new one takes over. */
import type { QueryClient } from "@tanstack/react-query";
import { settleWithin } from "#browser-storage/timeout.ts";
import { fromPeerConfig, withoutOptions } from "#domain/peering/fields/peer-form.ts";
import { type ReusedPeering, reusePeering } from "#domain/peering/fields/reuse-peering.ts";
import { suggestPort } from "#domain/peering/participant-ports.ts";
import { peeredNodesQuery } from "#web/api/peering-queries.ts";
import { peerConfigQuery } from "../../queries.ts";

/** A configuration changes only with a deployment, which invalidates it. */
const freshMs = 60 * 60_000;

/** How long a step waits for the configurations of the other peerings. */
const timeoutMs = 1_000;

export interface Reuse extends ReusedPeering {
  /** The node of the peering whose values were taken over. */
  readonly source: string;
}

/** Loads the configurations of all peerings, of which one is taken over, and whose ports are in use. Never rejects. */
export async function loadReusablePeerings(queryClient: QueryClient, username: string): Promise<void> {
  const load = async () => {
    const peered = await queryClient.fetchQuery(peeredNodesQuery(username));
    const options = { staleTime: freshMs, retry: false } as const;
    await Promise.allSettled(
      peered.map((node) => queryClient.fetchQuery({ ...peerConfigQuery(username, node), ...options })),
    );
  };
  await settleWithin(timeoutMs, load());
}

/**
 * Returns the values that a peering with the node takes over from the newest one that is loaded; null without any.
 *
 * @param announced the options that the server accepts
 */
export function findReusablePeering(
  queryClient: QueryClient,
  { username, node }: { readonly username: string; readonly node: string },
  announced: readonly string[],
): Reuse | null {
  const peered = queryClient.getQueryData(peeredNodesQuery(username).queryKey) ?? [];
  if (peered.includes(node)) return null;
  const loaded = peered.flatMap((name) => {
    const config = queryClient.getQueryData(peerConfigQuery(username, name).queryKey);
    return config === undefined
      ? []
      : [{ name, generation: config.generation ?? 0, form: fromPeerConfig(name, config) }];
  });
  // Generations count the deployments of all peerings. Without them, the last of the list is taken.
  const newest = loaded.toSorted((left, right) => left.generation - right.generation).at(-1);
  if (!newest) return null;
  const others = loaded.map(({ name, form: { remote_ip, remote_port } }) => ({
    node: name,
    host: remote_ip,
    port: remote_port,
  }));
  const form = withoutOptions(newest.form, announced);
  return { source: newest.name, ...reusePeering(node, form, String(suggestPort(others))) };
}
