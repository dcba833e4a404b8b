/** The sessions of all participants, which BIRD prints at once. */
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { assertNoBirdError, type BirdControl, type BirdReply } from "./control-socket.ts";

const pattern = interfaceName("*");
/** BIRD's "No protocols match": a node without peerings has no session. */
const noMatchCode = 8003;

/** Asks BIRD for the sessions, without or with their details. Rejects if BIRD does not print them. */
export async function showAllSessions(
  bird: BirdControl,
  command: "show protocols" | "show protocols all",
): Promise<BirdReply> {
  const reply = await bird(`${command} "${pattern}"`);
  return reply.code === noMatchCode ? reply : assertNoBirdError(reply);
}
