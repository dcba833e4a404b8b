/** The options of a peering, from the request to the node. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Peering } from "../../../src/contract/agent.ts";
import { calls } from "../../../src/contract/calls.ts";
import { CallError } from "../../../src/contract/client.ts";
import type { PeerConfig, PeerUpdate } from "../../../src/contract/entities.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { type Participant, peerUpdate, signUp, waitForTask } from "./participant.ts";
import { profileServer, type ProfileServer } from "./profile-server.ts";

describeEachDatabase("the options of a peering", (openDatabase) => {
  /** What each node was asked to run last. */
  const desired = new Map<string, Peering | null>();
  let server: ProfileServer;
  let one: Participant;

  beforeAll(async () => {
    const database = await openDatabase();
    server = await profileServer(
      {},
      {
        withOutbox: true,
        through: (agent, node) => async (request) => {
          if (request.path === "/v1/apply" && request.body !== null) {
            const body = JSON.parse(request.body) as { readonly desired: Peering | null };
            desired.set(node, body.desired);
          }
          return agent(request);
        },
        ...(database.kind === "postgres" && { databaseUrl: database.url }),
      },
    );
    one = await signUp(server.url, "4242420001");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function deploy(update: PeerUpdate, who = one): Promise<PeerConfig | undefined> {
    const { taskID } = await who.call(calls.updatePeerConfig, [{ username: who.asn }, update]);
    expect(await waitForTask(who, taskID)).toMatchObject({ status: "success" });
    const configs = await who.call(calls.getPeerConfig, { username: who.asn, node: update.node });
    return configs[update.node];
  }

  async function submitError(update: PeerUpdate): Promise<CallError> {
    const error: unknown = await one.call(calls.updatePeerConfig, [{ username: one.asn }, update]).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error instanceof CallError) return error;
    throw new Error("the submit was accepted");
  }

  test("the profile announces them", async () => {
    expect(await one.call(calls.provider, undefined)).toMatchObject({ options: ["mtu"] });
  });

  test("an MTU reaches the node, is kept by an edit without it, and is removed", async () => {
    const update = peerUpdate({ node: "syd01" });
    expect(await deploy({ ...update, mtu: "1412" })).toMatchObject({ mtu: "1412" });
    expect(desired.get("syd01")).toMatchObject({ mtu: 1412 });
    expect(await deploy({ ...update, remote_port: "51821" })).toMatchObject({ mtu: "1412" });
    expect(desired.get("syd01")).toMatchObject({ mtu: 1412, endpointPort: 51_821 });
    expect(await deploy({ ...update, mtu: "" })).toMatchObject({ mtu: "" });
    expect(desired.get("syd01")).not.toHaveProperty("mtu");
  });

  test.each(["1279", "1421", "1.4e3", "large"])("the MTU %s is rejected", async (mtu) => {
    const { status, body } = await submitError(peerUpdate({ node: "per01", mtu }));
    expect([status, body.field]).toEqual([422, "mtu"]);
  });
});
