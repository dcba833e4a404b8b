import { toPeerConfig } from "../../../domain/peer-config.ts";
import type { Handlers } from "../../http/handlers.ts";
import { nodeIdentity } from "../nodes/facts.ts";
import { type DesiredPeering, desiredOfAs, findDesired } from "./desired.ts";
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
      const { peering, request, revision } = await ownPeering(deps, asn, node);
      const { customLocalIpv6 } = request;
      return { [node]: toPeerConfig({ peering, customLocalIpv6, generation: revision }, profile.asn) };
    },
    async getNodeConfig({ node }, { asn }) {
      const { peering } = await ownPeering(deps, asn, node);
      const place = profile.nodes.find(({ name }) => name === node);
      if (!place) throw noPeering(asn, node);
      const { publicKey } = await nodeIdentity(db, place);
      return {
        public_ip: place.publicIp,
        local_ipv4: peering.localIpv4 ?? "",
        local_ipv6: peering.localIpv6 ?? "",
        public_key: publicKey ?? "",
      };
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
