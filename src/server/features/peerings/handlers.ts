import type { NodeConfig, PeerConfig } from "#contract/entities.ts";
import { HttpError } from "#contract/http-error.ts";
import { nodeHost } from "#contract/node-host.ts";
import { nodeReadTimeoutMs } from "#contract/timeouts.ts";
import { toPeerConfig } from "#domain/peering/peer-config.ts";
import { readFirstNodeKeys } from "../../agents/node-facts.ts";
import {
  type Observed,
  type PeeringSubject,
  presentPeerStatus,
  readObservedPeering,
} from "../../agents/peer-status.ts";
import type { Handlers } from "../../api/handlers.ts";
import type { AppContext } from "../../context.ts";
import { findNewNodeKeys } from "./node-keys/confirm-node-keys.ts";
import { type AnnouncedKey, findAnnouncedKeys } from "./node-keys/rekey-rows.ts";
import { switchNodeKey } from "./node-keys/switch-node-key.ts";
import { findUpdateErrors } from "./check-update.ts";
import { findCurrentTasks, isAwaited } from "./deployment/settling.ts";
import { findTask, findUnfinishedOfAs, presentDeployment, presentTask } from "./deployment/task-store.ts";
import { type DesiredPeering, findDesired, findDesiredOfAs } from "./desired-peerings.ts";
import { openPresharedKey } from "./preshared-keys.ts";
import { findSessionStates } from "./observed/sessions.ts";
import { deletePeering, peeringNotFoundError, type SubmissionDeps, submitPeering } from "./submit.ts";

type PeeringCalls =
  | "getPeeredNodes"
  | "getPeerStatus"
  | "updatePeerConfig"
  | "checkPeerConfig"
  | "switchNodeKey"
  | "deletePeer"
  | "getPeerConfig"
  | "getNodeConfig"
  | "getPeeringConfigs"
  | "getPresharedKey"
  | "checkPeerDeletionValidity"
  | "getTaskStatus"
  | "getTasks";

export type PeeringContext = SubmissionDeps &
  Pick<AppContext, "nodeReader" | "rateLimits"> & {
    /** Receives each status that a response will contain. */
    readonly onStatusRead: (subject: PeeringSubject, observed: Observed) => void;
  };

export function peeringHandlers(context: PeeringContext): Pick<Handlers, PeeringCalls> {
  const { db, nodeReader, nodes, profile, rateLimits, clock } = context;
  const { domain } = profile;

  function presentConfig({ peering, request, revision }: DesiredPeering): PeerConfig {
    const { customLocalIpv6 } = request;
    return toPeerConfig({ peering, options: request, customLocalIpv6, generation: revision }, profile.asn);
  }

  /** Reads the provider's sides of peerings of an AS. */
  async function createNodeConfigs(
    asn: string,
    nodeNames: readonly string[],
  ): Promise<(desired: DesiredPeering) => NodeConfig> {
    const [firstKeys, announced] = await Promise.all([
      readFirstNodeKeys(db, nodeNames),
      findAnnouncedKeys(db, [asn]),
    ]);
    return (desired) =>
      presentNodeConfig(desired, firstKeys.get(desired.node), announced.get(asn)?.get(desired.node));
  }

  /** @param firstKey the node's first public key */
  function presentNodeConfig(
    { node, peering }: DesiredPeering,
    firstKey: string | undefined,
    announced: AnnouncedKey | undefined,
  ): NodeConfig {
    return {
      // Of a node that was removed, it is not known any more.
      public_ip: nodes.find(node)?.publicIp ?? "",
      local_ipv4: peering.localIpv4 ?? "",
      local_ipv6: peering.localIpv6 ?? "",
      public_key: peering.nodeKey ?? firstKey ?? "",
      ...(announced && { next_public_key: announced.publicKey, switch_at: announced.switchAt }),
    };
  }

  return {
    async getPeeredNodes(_requestBody, { asn }) {
      const desired = await findDesiredOfAs(db, asn);
      return desired.map(({ node }) => node);
    },
    async getPeerStatus(_requestBody, { asn }) {
      const [peerings, tasks, newKeys, announced, states] = await Promise.all([
        findDesiredOfAs(db, asn),
        findCurrentTasks(db, asn, clock()),
        findNewNodeKeys(db, [asn]),
        findAnnouncedKeys(db, [asn]),
        findSessionStates(db, asn),
      ]);
      const unfinished = tasks.filter(({ status }) => status === "waiting");
      const taskOf = new Map(unfinished.map((task) => [task.node, task]));
      const awaited = new Set(tasks.filter(isAwaited).map(({ node }) => node));
      return Promise.all(
        peerings.map(async ({ node }) => {
          const observed = await readObservedPeering(
            nodeReader,
            { asn, node },
            { timeoutMs: nodeReadTimeoutMs },
          );
          const newNodeKey = newKeys.get(asn)?.get(node) ?? null;
          const announcedKey = announced.get(asn)?.get(node) ?? null;
          const isDraining = nodes.find(node)?.state === "draining";
          const known = { isAwaited: awaited.has(node), isDraining };
          const subject = { asn, node, domain, newNodeKey, announcedKey, ...known };
          context.onStatusRead(subject, observed);
          const stored = { states: states.get(node) ?? [], now: clock() };
          return presentPeerStatus(subject, observed, presentDeployment(taskOf.get(node)), stored);
        }),
      );
    },
    async updatePeerConfig([, update], { asn, origin }) {
      return submitPeering(context, asn, update, origin);
    },
    async checkPeerConfig([, update], { asn }) {
      await rateLimits.checkPerAs.take(asn);
      return [...(await findUpdateErrors(context, asn, update))];
    },
    async switchNodeKey({ node }, { asn, origin }) {
      return switchNodeKey(context, asn, node, origin);
    },
    async deletePeer({ node }, { asn, origin }) {
      return deletePeering(context, asn, node, origin);
    },
    async getPeerConfig({ node }, { asn }) {
      return { [node]: presentConfig(await requirePeering(context, asn, node)) };
    },
    async getPresharedKey({ node }, { asn }) {
      const key = openPresharedKey(context.sealer, await requirePeering(context, asn, node));
      if (key !== null) return { preshared_key: key };
      const host = nodeHost(node, domain);
      throw new HttpError(404, {
        message: `Your peering on ${host} has no pre-shared key here.`,
        field: "node",
      });
    },
    async getNodeConfig({ node }, { asn }) {
      const desired = await requirePeering(context, asn, node);
      return (await createNodeConfigs(asn, [node]))(desired);
    },
    async getPeeringConfigs(_requestBody, { asn }) {
      await rateLimits.configsPerAs.take(asn);
      const peerings = await findDesiredOfAs(db, asn);
      const toNodeConfig = await createNodeConfigs(
        asn,
        peerings.map(({ node }) => node),
      );
      return peerings.map((desired) => ({
        node: desired.node,
        peer: presentConfig(desired),
        provider: toNodeConfig(desired),
      }));
    },
    async checkPeerDeletionValidity({ node }, { asn }) {
      await requirePeering(context, asn, node);
      return {};
    },
    async getTaskStatus({ taskID }, { asn }) {
      const task = await findTask(db, asn, taskID);
      if (!task) throw new HttpError(404, { message: `AS${asn} has no such deployment.`, field: "taskID" });
      return presentTask(task);
    },
    async getTasks(_requestBody, { asn }) {
      const tasks = await findUnfinishedOfAs(db, asn);
      return tasks.map(presentTask);
    },
  };
}

/** The AS's peering on the node, even while it is being deleted. Throws `HttpError` 404 when there is none. */
async function requirePeering(
  { db, profile }: Pick<SubmissionDeps, "db" | "profile">,
  asn: string,
  node: string,
): Promise<DesiredPeering> {
  const desired = await findDesired(db, asn, node);
  if (!desired) throw peeringNotFoundError(asn, nodeHost(node, profile.domain));
  return desired;
}
