import type { NodeConfig, PeerConfig } from "#contract/entities.ts";
import { HttpError } from "#contract/http-error.ts";
import { nodeHost } from "#contract/node-host.ts";
import { nodeReadTimeoutMs } from "#contract/timeouts.ts";
import { toPeerConfig } from "#domain/peering/peer-config.ts";
import { readNodeKeys } from "../../agents/node-facts.ts";
import {
  type Observed,
  type PeeringSubject,
  presentPeerStatus,
  readObservedPeering,
} from "../../agents/peer-status.ts";
import type { Handlers } from "../../api/handlers.ts";
import type { AppContext } from "../../context.ts";
import { findNewNodeKeys } from "./node-keys/confirm-node-keys.ts";
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
  const { db, nodeReader, profile, rateLimits, clock } = context;
  const { domain } = profile;

  function presentConfig({ peering, request, revision }: DesiredPeering): PeerConfig {
    const { customLocalIpv6 } = request;
    return toPeerConfig({ peering, options: request, customLocalIpv6, generation: revision }, profile.asn);
  }

  /** @param keys the nodes' public keys, by name */
  function presentNodeConfig(
    { node, peering }: DesiredPeering,
    keys: ReadonlyMap<string, string>,
  ): NodeConfig {
    return {
      // Of a node that was removed from the profile, it is not known any more.
      public_ip: profile.nodes.find(({ name }) => name === node)?.publicIp ?? "",
      local_ipv4: peering.localIpv4 ?? "",
      local_ipv6: peering.localIpv6 ?? "",
      public_key: keys.get(node) ?? "",
    };
  }

  return {
    async getPeeredNodes(_requestBody, { asn }) {
      const desired = await findDesiredOfAs(db, asn);
      return desired.map(({ node }) => node);
    },
    async getPeerStatus(_requestBody, { asn }) {
      const [peerings, tasks, newKeys, states] = await Promise.all([
        findDesiredOfAs(db, asn),
        findCurrentTasks(db, asn, clock()),
        findNewNodeKeys(db, [asn]),
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
          const subject = { asn, node, domain, newNodeKey, isAwaited: awaited.has(node) };
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
      return presentNodeConfig(desired, await readNodeKeys(db, [node]));
    },
    async getPeeringConfigs(_requestBody, { asn }) {
      await rateLimits.configsPerAs.take(asn);
      const peerings = await findDesiredOfAs(db, asn);
      const keys = await readNodeKeys(
        db,
        peerings.map(({ node }) => node),
      );
      return peerings.map((desired) => ({
        node: desired.node,
        peer: presentConfig(desired),
        provider: presentNodeConfig(desired, keys),
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
