import type { Handlers } from "../../http/handlers.ts";
import { nodeIdentity } from "../nodes/facts.ts";
import { type DesiredPeering, desiredOfAs, findDesired } from "./desired.ts";
import { presentNodeConfig, presentPeerConfig } from "./present.ts";
import { deletePeering, noPeering, type SubmissionDeps, submitPeering } from "./submit.ts";

type PeeringCalls =
  | "getPeeredNodes"
  | "getNodesList"
  | "updatePeerConfig"
  | "deletePeer"
  | "getPeerConfig"
  | "getNodeConfig"
  | "checkPeerDeletionValidity";

export function peeringHandlers(deps: SubmissionDeps): Pick<Handlers, PeeringCalls> {
  const { db, profile } = deps;
  return {
    async getPeeredNodes(_body, { asn }) {
      const desired = await desiredOfAs(db, asn);
      return desired.map(({ node }) => node);
    },
    async getNodesList() {
      return profile.nodes.map(({ name }) => ({ name }));
    },
    async updatePeerConfig([, update], { asn }) {
      return submitPeering(deps, asn, update);
    },
    async deletePeer({ node }, { asn }) {
      return deletePeering(deps, asn, node);
    },
    async getPeerConfig({ node }, { asn }) {
      return { [node]: presentPeerConfig(await ownPeering(deps, asn, node), profile) };
    },
    async getNodeConfig({ node }, { asn }) {
      const desired = await ownPeering(deps, asn, node);
      const place = profile.nodes.find(({ name }) => name === node);
      if (!place) throw noPeering(asn, node);
      return presentNodeConfig(desired, place, await nodeIdentity(db, place));
    },
    async checkPeerDeletionValidity({ node }, { asn }) {
      await ownPeering(deps, asn, node);
      return {};
    },
  };
}

/** The peering of this AS on the node, one that is being deleted included. Throws `Refusal` 404 when there is none. */
async function ownPeering({ db }: SubmissionDeps, asn: string, node: string): Promise<DesiredPeering> {
  const desired = await findDesired(db, asn, node);
  if (!desired) throw noPeering(asn, node);
  return desired;
}
