/** The limits of requested links: of an AS, of a client, and of all unknown clients together. */
import { HttpError } from "#contract/http-error.ts";
import { type Count, giveBackAll, type RateLimits, takeAll } from "../../api/rate-limits.ts";
import { toAddressPrefix } from "#domain/client-key.ts";

export interface LinkRequest {
  readonly asn: string;
  /** `toClientKey` of the client's address. */
  readonly client: string;
  /** The client's ID if it has logged in as the AS before. Requests of strangers do not count against it. */
  readonly knownId: string | null;
}

type LinkLimits = Pick<
  RateLimits,
  "mailPerAsAndClient" | "mailPerAs" | "mailOfServer" | "mailOfNewNetworks" | "mailPerNetwork"
>;

/** Counts a link that is about to be mailed. Throws `HttpError` 429 and counts nothing if a limit is exceeded. */
export async function takeLink(limits: LinkLimits, { asn, client, knownId }: LinkRequest): Promise<void> {
  if (knownId !== null) {
    await limits.mailPerAsAndClient.take(`${asn} ${knownId}`);
    return;
  }
  const counts = [
    { limit: limits.mailPerAsAndClient, key: `${asn} ${client}` },
    { limit: limits.mailPerAs, key: asn },
  ];
  await takeAll(counts);
  try {
    await takeOfServer(limits, toAddressPrefix(client) ?? client);
  } catch (error) {
    await giveBackAll(counts);
    throw error;
  }
}

/** Takes a link that every network may use. Without one, a network that has requested none takes a reserved one. */
async function takeOfServer(limits: LinkLimits, network: string): Promise<void> {
  const [all, key] = [
    { limit: limits.mailOfServer, key: "all" },
    { limit: limits.mailPerNetwork, key: network },
  ];
  const excess = await findRefusal(all);
  const repeated = await findRefusal(key);
  if (excess === null) return;
  if (repeated !== null) throw excess;
  try {
    await limits.mailOfNewNetworks.take("all");
  } catch (error) {
    await key.limit.giveBack(network);
    throw error;
  }
}

/** Takes one. Returns the error if the limit is exceeded. */
async function findRefusal({ limit, key }: Count): Promise<HttpError | null> {
  try {
    await limit.take(key);
    return null;
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}
