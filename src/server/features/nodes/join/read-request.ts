import * as v from "valibot";
import { ProtocolMismatchError } from "#contract/agent/agent-protocol.ts";
import { joinRequest, type JoinRequest, type SignedText } from "#contract/agent/node-join.ts";
import { HttpError } from "#contract/http-error.ts";
import { nodeHost } from "#contract/node-host.ts";
import { providerFix } from "#domain/findings/findings.ts";
import { isSameProof, proveRequest } from "#mtls/join-proof.ts";
import { shortFingerprint } from "#mtls/short-fingerprint.ts";
import { protocolFinding } from "#server/agents/node-connections.ts";
import type { Profile } from "#server/config/profile.ts";
import type { Joining } from "#server/context.ts";
import type { Db } from "#server/db/open.ts";
import { countWrongProof, type NodeJoin } from "#server/nodes/node-joins.ts";

export interface ReadRequestDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "domain">;
  readonly joining: Pick<Joining, "fingerprint" | "protocol">;
}

interface Signed {
  readonly join: NodeJoin;
  /** Of the join line. */
  readonly secret: string;
  readonly signed: SignedText;
}

/** Reads a request whose proof is right. Throws `HttpError` 403 for a wrong proof, which it counts, and 422 for a wrong text. */
export async function readRequest(
  { db, profile, joining }: ReadRequestDeps,
  { join, secret, signed: { text, proof } }: Signed,
): Promise<JoinRequest> {
  if (!isSameProof(proveRequest({ secret }, text), proof)) {
    await countWrongProof(db, join.token);
    const message = "The proof is wrong. Copy the whole join line from the server again.";
    throw new HttpError(403, { message });
  }
  const json = v.safeParse(v.pipe(v.string(), v.parseJson(), v.object({ protocol: v.number() })), text);
  // First, because an agent of another version may send other fields.
  if (json.success && json.output.protocol !== joining.protocol)
    throw protocolError(new ProtocolMismatchError(json.output.protocol, joining.protocol), join, profile);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), joinRequest), text);
  if (!parsed.success) {
    const field = v.getDotPath(parsed.issues[0]) ?? "text";
    const message = `${field} of the join request cannot be read (${parsed.issues[0].message}). Nothing was changed.`;
    throw new HttpError(422, { message, field });
  }
  const { serverFingerprint } = parsed.output;
  if (serverFingerprint !== joining.fingerprint) {
    const message =
      `The join line is for a server with the fingerprint ${shortFingerprint(serverFingerprint)}, and this one has ` +
      `${shortFingerprint(joining.fingerprint)}. On this server, run peerdeck nodes add for ${join.node} again.`;
    throw new HttpError(422, { message, field: "serverFingerprint" });
  }
  return parsed.output;
}

export function protocolError(
  mismatch: ProtocolMismatchError,
  { node }: Pick<NodeJoin, "node">,
  { domain }: Pick<Profile, "domain">,
): HttpError {
  const host = nodeHost(node, domain);
  const message = `${host} cannot join yet. ${providerFix(protocolFinding(mismatch, host))} Then run the same line again.`;
  return new HttpError(422, { message, field: "protocol" });
}
