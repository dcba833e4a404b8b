import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import type { PeerConfig } from "#contract/entities.ts";
import { peeringHealth } from "#domain/findings/peering-health.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";
import { noConfigOptions } from "../../support/fixtures/no-options.ts";
import { type DemoServer, demoServer } from "./demo-server.ts";
import {
  deletePeering,
  deployPeering,
  type Participant,
  peerUpdate,
  randomKey,
  setNodeMode,
  signUp,
  submitPeering,
  waitForTask,
} from "./participant.ts";

/** Longer than the attempts of a node that comes back within a test. */
const waitMs = 2_000;

const submit = (who: Participant, update: ReturnType<typeof peerUpdate>) =>
  who.call(calls.updatePeerConfig, [{ username: who.asn }, update]);
const remove = (who: Participant, node: string) => who.call(calls.deletePeer, { username: who.asn, node });
const configOn = async (who: Participant, node: string): Promise<PeerConfig | undefined> =>
  (await who.call(calls.getPeerConfig, { username: who.asn, node }))[node];

describeWithDatabase("deployments", { postgres: "campaigns" }, (openDatabase) => {
  let server: DemoServer;
  let one: Participant;
  let two: Participant;

  beforeAll(async () => {
    server = await demoServer({ waitMs, at: await openDatabase() });
    one = await signUp(server.url, "4242420001");
    two = await signUp(server.url, "4242420002");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("the same submit a hundred times in parallel is one task and one peering", async () => {
    // On PostgreSQL, two servers receive the same submit (postgres-faults.test.ts).
    const update = peerUpdate({ node: "syd01" });
    const tasks = await Promise.all(Array.from({ length: 100 }, () => submit(one, update)));
    expect(new Set(tasks.map(({ taskID }) => taskID)).size).toBe(1);
    const task = await waitForTask(one, tasks[0]?.taskID ?? "");
    expect(task).toMatchObject({ status: "success", kind: "deploy", node: "syd01" });
    expect(await one.call(calls.getPeeredNodes, { username: one.asn })).toEqual(["syd01"]);
  });

  test("a deployed peering is read back as submitted, with the provider's values", async () => {
    const update = peerUpdate({
      node: "per01",
      address_family: "Both",
      bgp_extnh: "No",
      peer_ipv4: "172.20.1.5",
      peer_ipv6: "",
    });
    await waitForTask(one, (await submit(one, update)).taskID);
    expect(await configOn(one, "per01")).toEqual({
      local_port: "20001",
      local_asn: "4242422227",
      remote: "198.51.100.7:51820",
      peer_ipv4: "172.20.1.5",
      peer_ipv6: "fe80::1",
      peer_publickey: update.public_key,
      peer_asn: "4242420001",
      bgp_ipv4: "Yes",
      bgp_ipv6: "Yes",
      bgp_mpbgp: "No",
      bgp_extnh: "No",
      address_family: "Both",
      local_ipv6: "",
      generation: expect.any(Number),
      ...noConfigOptions,
    });
    const statuses = await one.call(calls.getPeerStatus, { username: one.asn });
    expect(statuses.find(({ node }) => node === "per01")).toMatchObject({
      wg_status: { endpoint: "198.51.100.7:51820" },
    });
    expect(await one.call(calls.getNodeConfig, { username: one.asn, node: "per01" })).toEqual({
      public_ip: "192.0.2.12",
      local_ipv4: "172.20.222.12",
      local_ipv6: "fe80::2227",
      public_key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
    });
  });

  test("for two minutes after a deployment the node waits for the router, then says what is missing", async () => {
    const look = async (node: string) => {
      const statuses = await two.call(calls.getPeerStatus, { username: two.asn });
      const status = statuses.find((each) => each.node === node);
      if (!status) throw new Error("no peering");
      const { bgp_status, wg_status, findings, sessions } = status;
      const codes = findings.map(({ code }) => code);
      return { words: [bgp_status, wg_status.state, peeringHealth(status)], codes, sessions };
    };
    // These ports simulate a router without a tunnel, and one without BGP.
    const [silent, refusing] = ["ny01", "sin01"] as const;
    await deployPeering(two, silent, { remote_port: "9" });
    await deployPeering(two, refusing, { remote_port: "13", public_key: randomKey() });
    await expect.poll(async () => (await look(refusing)).codes).toEqual(["session-awaited"]);
    expect(await look(silent)).toMatchObject({
      words: ["Down", "Down", "Unknown"],
      codes: ["router-awaited", "session-awaited"],
    });
    await using database = await openAsServer(server.at);
    await database.db
      .updateTable("tasks")
      .set({ ended_at: Date.now() - 2 * 60_000 })
      .where("asn", "=", two.asn)
      .execute();
    expect(await look(silent)).toMatchObject({
      words: ["Down", "Down", "Down"],
      codes: ["no-handshake", "session-waiting"],
    });
    const { words, codes, sessions } = await look(refusing);
    expect([words, codes]).toEqual([["Down", "Up", "Down"], ["session-refused"]]);
    expect(sessions).toMatchObject([{ state: "Active", since: expect.any(Number), ends: 0 }]);
    for (const node of [silent, refusing]) await deletePeering(two, node);
  });

  test("the configurations of all peerings are those of each, with both sides and no more", async () => {
    const username = one.asn;
    const all = await one.call(calls.getPeeringConfigs, { username });
    const nodes = await one.call(calls.getPeeredNodes, { username });
    expect(all).toEqual(
      await Promise.all(
        nodes.map(async (node) => ({
          node,
          peer: await configOn(one, node),
          provider: await one.call(calls.getNodeConfig, { username, node }),
        })),
      ),
    );
    expect(all.length).toBeGreaterThan(0);
  });

  test("a node that refuses keeps the previous configuration, also after a deletion, and nothing of a new peering", async () => {
    const before = await configOn(one, "per01");
    for (const node of ["per01", "sin01"]) await setNodeMode(server.url, node, "refuse");
    const edit = await waitForTask(one, await submitPeering(one, "per01", { remote_port: "1234" }));
    expect(edit).toMatchObject({ status: "failed", reason: expect.stringMatching(/\.$/) });
    expect(edit.steps.slice(0, 2)).toEqual([
      "Checked and saved the change.",
      "Called per01.demo.dn42 to deploy the peering.",
    ]);
    expect(await configOn(one, "per01")).toEqual(before);
    expect(await deletePeering(one, "per01")).toMatchObject({ status: "failed", kind: "delete" });
    expect(await configOn(one, "per01")).toEqual(before);
    expect(await waitForTask(one, await submitPeering(one, "sin01"))).toMatchObject({
      status: "failed",
      reason: "BIRD refused the new configuration. Nothing was deployed.",
    });
    await expect(configOn(one, "sin01")).rejects.toMatchObject({ status: 404 });
    for (const node of ["per01", "sin01"]) await setNodeMode(server.url, node, "normal");
  });

  test("an unreachable node is an error at the deadline, and until then the task says what it waits for", async () => {
    const kept = await configOn(one, "per01");
    for (const node of ["za01", "per01"]) await setNodeMode(server.url, node, "offline");
    const before = Date.now();
    const { taskID, deadline } = await submit(one, peerUpdate({ node: "za01" }));
    expect(deadline).toBeGreaterThanOrEqual(before + waitMs);
    expect(deadline).toBeLessThanOrEqual(Date.now() + waitMs);
    const deletion = await remove(one, "per01");
    const listed = await one.call(calls.getTasks, { username: one.asn });
    expect(listed).toContainEqual(expect.objectContaining({ taskID, deadline }));
    const read = () => one.call(calls.getTaskStatus, { username: one.asn, taskID });
    await expect
      .poll(async () => (await read()).reason)
      .toBe("za01.demo.dn42 cannot be reached. Trying again…");
    expect((await read()).deadline).toBe(deadline);
    const ended = await waitForTask(one, taskID);
    const attempts = /, attempt (\d+)\.$/.exec(ended.steps[1] ?? "")?.[1];
    // The screen of the deployment and Activity count the same attempts.
    const reason =
      `za01.demo.dn42 could not be reached in time. The server called it ${attempts} times. ` +
      "Nothing was deployed. Try again when the node is back.";
    expect(ended).toMatchObject({
      status: "error",
      deadline: null,
      steps: [
        "Checked and saved the change.",
        `Called za01.demo.dn42 to deploy the peering, attempt ${attempts}.`,
      ],
      reason,
    });
    const { entries } = await one.call(calls.getActivity, { username: one.asn });
    expect(entries.find(({ node }) => node === "za01")?.outcome).toMatchObject({
      text: `Not deployed. ${reason}`,
    });
    await expect(configOn(one, "za01")).rejects.toMatchObject({ status: 404 });
    // A deletion that does not reach its node has failed, and keeps the peering.
    expect(await waitForTask(one, deletion.taskID)).toMatchObject({
      status: "failed",
      kind: "delete",
      reason: expect.stringMatching(
        /^per01\.demo\.dn42 could not be reached in time\. The server called it \d+ times\. The peering was kept\./,
      ),
    });
    const generation: unknown = expect.any(Number);
    expect(await configOn(one, "per01")).toMatchObject({ ...kept, generation });
    for (const node of ["za01", "per01"]) await setNodeMode(server.url, node, "normal");
  });

  test("an edit that started from an older state is 409 and changes nothing", async () => {
    const before = await configOn(one, "per01");
    const stale = peerUpdate({
      node: "per01",
      remote_port: "4000",
      generation: (before?.generation ?? 0) - 1,
    });
    await expect(submit(one, stale)).rejects.toMatchObject({ status: 409, body: { field: "generation" } });
    expect(await configOn(one, "per01")).toEqual(before);
  });

  test("a different submit during a deployment is 409", async () => {
    await setNodeMode(server.url, "ny01", "offline");
    const taskID = await submitPeering(one, "ny01");
    await expect(submitPeering(one, "ny01")).rejects.toMatchObject({ status: 409 });
    await expect(remove(one, "ny01")).rejects.toMatchObject({ status: 409 });
    await setNodeMode(server.url, "ny01", "normal");
    expect(await waitForTask(one, taskID)).toMatchObject({ status: "success" });
  });

  test("a key that another AS uses is refused, and its link-local address is not", async () => {
    const ipv6 = { address_family: "IPv6", bgp_extnh: "No" } as const;
    const used = { ...ipv6, peer_ipv6: "fe80:1::aa", public_key: randomKey() };
    await deployPeering(one, "de01", used);
    const { public_key } = used;
    for (const on of ["de01", "sin01"])
      await expect(submitPeering(two, on, { ...ipv6, public_key })).rejects.toMatchObject({
        status: 409,
        body: { field: "public_key" },
      });
    await deployPeering(two, "de01", { ...used, peer_ipv6: "FE80:1:0::AA", public_key: randomKey() });
    for (const participant of [one, two])
      expect(await configOn(participant, "de01")).toMatchObject({ peer_ipv6: used.peer_ipv6 });
  });

  test("a deleted peering is gone, and deleting it again is 404", async () => {
    expect(await deletePeering(one, "syd01")).toMatchObject({ status: "success", kind: "delete" });
    await expect(configOn(one, "syd01")).rejects.toMatchObject({ status: 404 });
    await expect(remove(one, "syd01")).rejects.toMatchObject({ status: 404 });
    await expect(
      one.call(calls.checkPeerDeletionValidity, { username: one.asn, node: "syd01" }),
    ).rejects.toMatchObject({ status: 404 });
  });
});
