import { createAgent } from "#agent/agent.ts";
import { type Clock, systemClock } from "#agent/clock.ts";
import type { Router } from "#agent/drivers/router.ts";
import { simulatedResolver } from "#agent/drivers/simulated/simulated-resolver.ts";
import { createSimulatedRouter } from "#agent/drivers/simulated/simulated-router.ts";
import { createEventFile } from "#agent/events/event-file.ts";
import { listenForServers } from "#agent/http/listen-for-servers.ts";
import type { Log } from "#agent/log.ts";
import { createOtherNodesFile } from "#agent/reconcile/other-nodes.ts";
import { createStateFile } from "#agent/reconcile/state-file.ts";
import type { Resolver } from "#agent/resolve/resolve-endpoint.ts";
import { createNodeTransport } from "#server/agents/node-transport.ts";
import { createLog } from "#server/log.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { testIdentity } from "../../support/test-identity.ts";
import { demoProfile, profileServer, type ProfileServerOptions } from "./profile-server.ts";

/** Pings that last until they are aborted, and the numbers of those that have started and ended. */
export function createEndlessPings() {
  const pings = { started: 0, ended: 0 };
  const ping: Router["ping"] = (_asn, _address, signal) =>
    new Promise((resolve) => {
      pings.started += 1;
      signal.addEventListener("abort", () => {
        pings.ended += 1;
        resolve({ result: "failed", output: "" });
      });
    });
  return { pings, ping };
}

export interface AgentWithRouter extends AsyncDisposable {
  /** The server's. */
  readonly url: string;
  readonly node: string;
}

export interface AgentWithRouterOptions extends Pick<
  ProfileServerOptions,
  "at" | "waitMs" | "reconcileEveryMs"
> {
  /** The agent's. */
  readonly clock?: Clock;
  /** The agent's. */
  readonly resolver?: Resolver;
  /** The agent's. */
  readonly log?: Log;
}

/**
 * Starts a server and the agent of one node, which talk over pinned TLS as on two machines. The agent's router is a
 * simulated one without delays, with these calls replaced.
 *
 * @param replaced receives the simulated router
 */
export async function startAgentWithRouter(
  replaced: Partial<Router> | ((simulated: Router) => Partial<Router>),
  {
    clock = systemClock,
    resolver = simulatedResolver,
    log = createLog("silent"),
    ...serverOptions
  }: AgentWithRouterOptions = {},
): Promise<AgentWithRouter> {
  const node = "syd01";
  await using parts = new AsyncDisposableStack();
  const stateDir = await createScratchFolder((remove) => parts.defer(remove));
  const simulated = { node, nodes: [node], providerAsn: demoProfile.asn, clock: systemClock, timeScale: 0 };
  const simulatedRouter = createSimulatedRouter(simulated);
  const calls = typeof replaced === "function" ? replaced(simulatedRouter) : replaced;
  const router: Router = { ...simulatedRouter, ...calls };
  const rules = {
    providerAsn: demoProfile.asn,
    allowDocumentation: true,
    providerEndpoints: [],
    providerPrefixes: [],
  };
  const agent = parts.use(
    await createAgent({
      node,
      router,
      resolver,
      store: createStateFile(stateDir, node),
      eventStore: createEventFile(stateDir, node),
      otherNodesStore: createOtherNodesFile(stateDir, node),
      rules,
      clock,
      log,
    }),
  );
  const serverIdentity = await testIdentity("server");
  const agentIdentity = await testIdentity("agent");
  const listening = parts.use(
    await listenForServers({
      host: "127.0.0.1",
      port: 0,
      identity: agentIdentity,
      fingerprints: [serverIdentity.fingerprint],
      serverAddresses: () => [],
      handle: agent.handle,
      clock: systemClock,
      log,
    }),
  );
  const transport = parts.use(
    createNodeTransport({
      url: `https://127.0.0.1:${listening.address.port}`,
      identity: serverIdentity,
      fingerprint: agentIdentity.fingerprint,
      timeoutMs: 60_000,
    }),
  );
  const transports = new Map([[node, transport]]);
  const { url } = parts.use(await profileServer({}, { transports, ...serverOptions }));
  const running = parts.move();
  return { url, node, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
