/** The configurations of all peerings, which one call reads and the device caches one by one. */
import type { CallInput } from "../contract/call.ts";
import { type Calls, calls } from "../contract/calls.ts";
import { cacheResponsesOf } from "../browser-storage/cached-responses.ts";

/** The items of the response, whose parts are stored as the server sent them. */
type Configs = ReadonlyArray<{ readonly node: string; readonly peer: unknown; readonly provider: unknown }>;

/**
 * Caches both sides of each peering as the responses of `getPeerConfig` and `getNodeConfig`: screens read those, and a later
 * response to one of them replaces its part.
 *
 * @param requestBody the body of the request, as JSON
 */
export async function cachePeeringConfigs(requestBody: string, configs: Configs): Promise<void> {
  const { username } = JSON.parse(requestBody) as CallInput<Calls["getPeeringConfigs"]>;
  const fetchedAt = Date.now();
  await cacheResponsesOf(
    username,
    configs.flatMap(({ node, peer, provider }) => {
      // As the app writes it: the cache compares texts.
      const partBody = JSON.stringify({ username, node } satisfies CallInput<Calls["getPeerConfig"]>);
      return [
        [
          { path: calls.getPeerConfig.path, requestBody: partBody },
          { body: JSON.stringify({ [node]: peer }), fetchedAt },
        ],
        [
          { path: calls.getNodeConfig.path, requestBody: partBody },
          { body: JSON.stringify(provider), fetchedAt },
        ],
      ] as const;
    }),
  );
}
