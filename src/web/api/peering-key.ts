import type { QueryClient } from "@tanstack/react-query";

/** Keys of everything that a deployment may change start alike, so that one word makes all of it stale. */
export function peeringKey(username: string, ...facts: readonly string[]): readonly string[] {
  return ["peerings", username, ...facts];
}

/** A deployment of this AS has begun or ended: what is on the screen is asked for again. */
export async function refreshPeerings(queryClient: QueryClient, username: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: peeringKey(username) });
}
