import type { QueryClient } from "@tanstack/react-query";

/** Keys of everything that a deployment may change start alike, so that one word makes all of it stale. */
export function peeringKey(username: string, ...facts: readonly string[]): readonly string[] {
  return ["peerings", username, ...facts];
}

/**
 * A deployment of this AS has begun or ended: what is on the screen is asked for again.
 *
 * @param gone the node whose peering is being deleted, or was: of that there is nothing to ask any more.
 */
export async function refreshPeerings(
  queryClient: QueryClient,
  username: string,
  gone?: string,
): Promise<void> {
  await queryClient.invalidateQueries({
    queryKey: peeringKey(username),
    predicate: ({ queryKey: [, , , of] }) => gone === undefined || of !== gone,
  });
}

/** The state of the peering on one node has changed: what is on the screen of it is asked for again. */
export async function refreshPeering(
  queryClient: QueryClient,
  username: string,
  node: string,
): Promise<void> {
  await queryClient.invalidateQueries({
    queryKey: peeringKey(username),
    // What has no node's name in its key is about all of them. Its configuration is no part of the state.
    predicate: ({ queryKey: [, , fact, of] }) => of === undefined || (of === node && fact === "details"),
  });
}
