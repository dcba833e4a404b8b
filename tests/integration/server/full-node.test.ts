/** A node that accepts no more peerings than the profile says. */
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import {
  deployPeering,
  type Participant,
  peerUpdate,
  signUp,
  submitPeering,
  waitForTask,
} from "./participant.ts";
import { demoProfile, profileServer } from "./profile-server.ts";

const nodes = demoProfile.nodes.map((node) =>
  Object.assign({}, node, { maxPeerings: node.name === "syd01" ? 1 : null }),
);
const full = {
  field: "node",
  message: "syd01.demo.dn42 is full: it accepts 1 peering. Choose another node.",
};

function check({ asn, call }: Participant, changes: Partial<PeerUpdate> = {}) {
  return call(calls.checkPeerConfig, [{ username: asn }, peerUpdate({ peer_ipv6: "fe80::2", ...changes })]);
}

describeWithDatabase("a node with max_peerings", { postgres: "share" }, (openTestDatabase) => {
  test("refuses a new peering when it is full, and never an edit", async () => {
    const at = await openTestDatabase();
    await using server = await profileServer({}, { at, profile: { nodes } });
    const one = await signUp(server.url, "4242420001");
    const two = await signUp(server.url, "4242420002");
    expect(await check(one)).toEqual([]);
    await deployPeering(one, "syd01");
    expect(await check(two)).toEqual([full]);
    expect(await check(two, { remote_port: "x" })).toEqual([
      full,
      expect.objectContaining({ field: "remote_port" }),
    ]);
    await expect(submitPeering(two, "syd01")).rejects.toMatchObject({
      status: 422,
      body: { ...full, errors: [full] },
    });

    expect(await check(one, { remote_port: "51821" })).toEqual([]);
    await deployPeering(one, "syd01", { remote_port: "51821" });
    await deployPeering(two, "per01");

    const { taskID } = await one.call(calls.deletePeer, { username: one.asn, node: "syd01" });
    expect(await waitForTask(one, taskID)).toMatchObject({ status: "success" });
    await deployPeering(two, "syd01");
  });
});
