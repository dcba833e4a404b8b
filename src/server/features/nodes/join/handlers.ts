/**
 * Lets agents join with a line of `peerdeck nodes add`.
 *
 * Invariants:
 * - The caller proves the secret of the line before anything else is looked at. Without it, a caller learns only that the proof is
 *   wrong; the fifth wrong one makes the line void.
 * - A line adds one node, however many requests there are at once (`add-node.ts`). A request that was answered is answered again
 *   if the node has exactly this agent.
 */
import { HttpError } from "#contract/http-error.ts";
import { proveResponse } from "#mtls/join-proof.ts";
import { formatPrefix } from "#domain/prefix.ts";
import type { JoinRequest, JoinResponse, SignedText } from "#contract/agent/node-join.ts";
import type { Handlers } from "#server/api/handlers.ts";
import { takeAll } from "#server/api/rate-limits.ts";
import type { AuditOrigin } from "#server/audit/audit-event.ts";
import type { AppContext, Joining } from "#server/context.ts";
import { secretPlaces } from "#server/db/secrets/stored-secrets.ts";
import type { Profile } from "#server/config/profile.ts";
import { findJoin, type NodeJoin } from "#server/nodes/node-joins.ts";
import { addNode, assertMayJoin } from "./add-node.ts";
import { readAgentValues } from "./agent-values.ts";
import { assertReachable } from "./reach-agent.ts";
import { readRequest } from "./read-request.ts";

export type JoinContext = Pick<
  AppContext,
  "db" | "profile" | "nodes" | "joining" | "joinAttempts" | "rateLimits" | "sealer" | "clock" | "log"
>;

export function joinHandlers(context: JoinContext): Pick<Handlers, "joinNode"> {
  const { db, joining, joinAttempts, rateLimits, log } = context;
  return {
    async joinNode({ token, request }, { clientAddress, origin }) {
      let join: NodeJoin | null = null;
      try {
        const counts = rateLimits.joinPerClient.countsOf(clientAddress);
        await takeAll([...counts, { limit: rateLimits.joinOfServer, key: "all" }]);
        join = joining && (await findJoin(db, token));
        if (!joining || !join) {
          const message =
            "The server does not have this join line. To get one, run on the server: peerdeck nodes add";
          throw new HttpError(404, { message });
        }
        const response = await answer({ ...context, joining }, join, request, origin);
        joinAttempts.count(200);
        return response;
      } catch (error) {
        const status = error instanceof HttpError ? error.status : 500;
        joinAttempts.count(status);
        // A flood of them would fill the log.
        if (error instanceof HttpError && status !== 429)
          log.warn(
            { id: origin.requestId, node: join?.node, status, reason: error.message },
            "an agent could not join",
          );
        throw error;
      }
    },
  };
}

async function answer(
  context: JoinContext & { readonly joining: Joining },
  join: NodeJoin,
  signed: SignedText,
  origin: AuditOrigin,
): Promise<SignedText> {
  const { db, profile, nodes, joining, sealer, clock, log } = context;
  const secret = sealer.open(join.secret, secretPlaces.joinSecret(join.token));
  const request = await readRequest({ db, profile, joining }, { join, secret, signed });
  const hasJoined = await assertMayJoin(db, { join, request, now: clock() });
  if (request.agent && !hasJoined) {
    const values = { join, profile, fingerprint: request.agentFingerprint };
    const node = readAgentValues(request.agent, values);
    await assertReachable({ joining, profile }, node);
    const isNew = await addNode(db, { node, asn: profile.asn, join, request, origin, now: clock() });
    await nodes.refresh();
    if (isNew) log.info({ node: node.name, agent: node.agent }, "the node has joined");
  }
  const text = JSON.stringify(describeProvider(profile, join, request));
  return { text, proof: proveResponse({ secret }, signed.text, text) };
}

function describeProvider(
  { asn, prefixes, allowDocumentation }: Profile,
  { node }: NodeJoin,
  { nonce, serverFingerprint, agentFingerprint }: JoinRequest,
): JoinResponse {
  return {
    nonce,
    serverFingerprint,
    agentFingerprint,
    node,
    asn,
    prefixes: prefixes.map(formatPrefix),
    allowDocumentation,
  };
}
