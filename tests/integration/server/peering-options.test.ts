/** The options of a peering, from the request to the node. */
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Peering } from "#contract/agent.ts";
import { calls } from "#contract/calls.ts";
import type { PeerConfig, PeerUpdate } from "#contract/entities.ts";
import { checkProbeAddresses } from "#server/features/peerings/probe-addresses.ts";
import { createLog } from "#server/log.ts";
import { createRegistry } from "#server/registry/registry.ts";
import { createFolderSource } from "#server/registry/registry-source.ts";
import { describeWithDatabase, openAsServer, type TestDatabase } from "../../support/databases.ts";
import { repository } from "../../support/repository.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import {
  deployPeering,
  type Participant,
  peerUpdate,
  signUp,
  submitError,
  waitForTask,
} from "./participant.ts";
import { demoProfile, profileServer, type ProfileServer } from "./profile-server.ts";

describeWithDatabase("the options of a peering", { postgres: "share" }, (openTestDatabase) => {
  /** What each node was asked to run last. */
  const desired = new Map<string, Peering | null>();
  let server: ProfileServer;
  let one: Participant;
  let database: TestDatabase;
  let registryFolder: string;
  const endings: Array<() => Promise<void>> = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    registryFolder = await createScratchFolder((remove) => void endings.push(remove));
    await cp(join(repository, "src/demo/registry"), registryFolder, { recursive: true });
    server = await profileServer(
      {},
      {
        profile: { registry: { ...demoProfile.registry, from: { path: registryFolder } } },
        at: database,
        through: (agent, node) => async (request) => {
          if (request.path === "/v1/apply" && request.body !== null) {
            const body = JSON.parse(request.body) as { readonly desired: Peering | null };
            desired.set(node, body.desired);
          }
          return agent(request);
        },
      },
    );
    one = await signUp(server.url, "4242420001");
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    for (const end of endings) await end();
  });

  async function deploy(update: PeerUpdate): Promise<PeerConfig | undefined> {
    await deployPeering(one, update.node, update);
    return (await one.call(calls.getPeerConfig, { username: one.asn, node: update.node }))[update.node];
  }

  test("an MTU is announced, reaches the node, is kept by an edit without it, and is removed", async () => {
    const { options } = await one.call(calls.provider, undefined);
    expect(options).toEqual(["mtu", "probe_address", "preshared_key", "no_endpoint"]);
    const update = peerUpdate({ node: "syd01" });
    expect(await deploy({ ...update, mtu: "1412" })).toMatchObject({ mtu: "1412" });
    expect(desired.get("syd01")).toMatchObject({ mtu: 1412 });
    expect(await deploy({ ...update, remote_port: "51821" })).toMatchObject({ mtu: "1412" });
    expect(desired.get("syd01")).toMatchObject({ mtu: 1412, endpointPort: 51_821 });
    expect(await deploy({ ...update, mtu: "" })).toMatchObject({ mtu: "" });
    expect(desired.get("syd01")).not.toHaveProperty("mtu");
  });

  test("a router without a public address connects to the node, until an edit has an endpoint", async () => {
    const update = peerUpdate({ node: "za01", peer_ipv6: "fe80::1:4", remote_ip: "", remote_port: "" });
    expect((await submitError(one, update)).body.errors?.map(({ field }) => field)).toEqual([
      "remote_ip",
      "remote_port",
    ]);
    const none = { endpointHost: null, endpointPort: null };
    const config = await deploy({ ...update, no_endpoint: "Yes" });
    expect(config).toMatchObject({ remote: "", no_endpoint: "Yes" });
    expect(desired.get("za01")).toMatchObject(none);
    await deploy({ ...update, mtu: "1400" });
    expect(desired.get("za01")).toMatchObject({ ...none, mtu: 1400 });
    const both = { ...update, no_endpoint: "Yes", remote_ip: "198.51.100.7" } as const;
    expect((await submitError(one, both)).body.field).toBe("no_endpoint");
    const withEndpoint = { ...update, remote_ip: "198.51.100.7", remote_port: "51820" };
    expect(await deploy(withEndpoint)).toMatchObject({ remote: "198.51.100.7:51820", no_endpoint: "" });
    expect(desired.get("za01")).toMatchObject({ endpointHost: "198.51.100.7", endpointPort: 51_820 });
  });

  const keyOf = async (node: string) =>
    (await one.call(calls.getPresharedKey, { username: one.asn, node })).preshared_key;
  /** Every row of every table. */
  async function dumpDatabase(): Promise<unknown> {
    await using opened = await openAsServer(database);
    const { db } = opened;
    const tables = (await db.introspection.getTables()).map(({ name }) => name as "peerings");
    return await Promise.all(tables.map((name) => db.selectFrom(name).selectAll().execute()));
  }

  test("an entered pre-shared key reaches the node, and no other place", async () => {
    const key = Buffer.alloc(32, 7).toString("base64");
    const update = peerUpdate({ node: "sin01", peer_ipv6: "fe80::1:2", preshared_key: key });
    expect(await deploy(update)).toMatchObject({ preshared_key: "set" });
    expect(desired.get("sin01")).toMatchObject({ presharedKey: key });
    expect(await keyOf("sin01")).toBe(key);

    // An edit without it keeps it, and the same submit sent twice is one task.
    const { preshared_key: _key, ...others } = update;
    await deploy({ ...others, remote_port: "51822" });
    expect(desired.get("sin01")).toMatchObject({ presharedKey: key, endpointPort: 51_822 });
    const twice = [1, 2].map(() =>
      one.call(calls.updatePeerConfig, [{ username: one.asn }, { ...update, remote_port: "51823" }]),
    );
    const [first, second] = await Promise.all(twice);
    expect(second?.taskID).toBe(first?.taskID);
    expect(await waitForTask(one, first?.taskID ?? "")).toMatchObject({ status: "success" });

    const exported = await one.call(calls.exportAccount, { username: one.asn });
    const activity = await one.call(calls.getActivity, { username: one.asn });
    const config = await one.call(calls.getPeerConfig, { username: one.asn, node: "sin01" });
    const rows = await dumpDatabase();
    const configs = await one.call(calls.getPeeringConfigs, { username: one.asn });
    for (const each of [rows, server.log, exported, activity, config, configs])
      expect(JSON.stringify(each)).not.toContain(key);
    expect(JSON.stringify(rows)).toContain("sealed:");
    for (const each of [exported, configs]) expect(JSON.stringify(each)).not.toContain("sealed");
    expect(JSON.stringify(activity)).toContain("pre-shared key");
  });

  test("a generated key is kept, replaced and removed", async () => {
    const update = peerUpdate({ node: "de01", peer_ipv6: "fe80::1:3" });
    const generate = { ...update, preshared_key: "generate" };
    const config = await deploy(generate);
    const key = await keyOf("de01");
    expect(Buffer.from(key, "base64")).toHaveLength(32);
    expect(desired.get("de01")).toMatchObject({ presharedKey: key });

    await deploy(generate);
    expect(await keyOf("de01")).toBe(key);
    await deploy({ ...generate, ...(config && { generation: config.generation }) });
    const replaced = await keyOf("de01");
    expect(replaced).not.toBe(key);
    expect(desired.get("de01")).toMatchObject({ presharedKey: replaced });
    expect(JSON.stringify(await one.call(calls.getActivity, { username: one.asn }))).toContain(
      "The pre-shared key was replaced.",
    );

    expect(await deploy({ ...update, preshared_key: "" })).toMatchObject({ preshared_key: "" });
    expect(desired.get("de01")).not.toHaveProperty("presharedKey");
    await expect(keyOf("de01")).rejects.toMatchObject({ status: 404 });
  });

  test("an address to probe is the AS's own, reaches the node, and is removed when it is no longer registered", async () => {
    const node = "ny01";
    const update = peerUpdate({ node, peer_ipv6: "fe80::1:5" });
    const errorFor = async (probe_address: string) =>
      (await submitError(one, { ...update, probe_address })).body;
    for (const address of ["172.20.2.1", "172.22.0.1", "10.1.2.3", "fd42:4242:2::53"]) {
      expect(await errorFor(address)).toEqual({
        field: "probe_address",
        message: `${address} is not in a prefix that is registered to AS${one.asn}. Enter an address in your own network, or leave it empty.`,
        errors: expect.anything(),
      });
    }
    const probe_address = "172.20.1.53";
    const config = await deploy({ ...update, probe_address });
    expect(config).toMatchObject({ probe_address });
    expect(desired.get(node)).toMatchObject({ probeAddress: probe_address });
    expect(await deploy({ ...update, remote_port: "51821" })).toMatchObject({ probe_address });
    expect(await deploy({ ...update, probe_address: "" })).toMatchObject({ probe_address: "" });
    expect(desired.get(node)).not.toHaveProperty("probeAddress");
    await deploy({ ...update, probe_address: "FD42:4242:1:0::53" });
    expect(desired.get(node)).toMatchObject({ probeAddress: "fd42:4242:1::53" });

    // It is still registered.
    const before = await one.call(calls.getPeerConfig, { username: one.asn, node });
    await checkRegistry();
    expect(await one.call(calls.getPeerConfig, { username: one.asn, node })).toEqual(before);
    for (const object of ["inet6num", "route6"])
      await rm(join(registryFolder, "data", object, "fd42:4242:1::_48"), { force: true });
    await checkRegistry();
    await expect.poll(() => desired.get(node)).not.toHaveProperty("probeAddress");
    expect(await one.call(calls.getPeerConfig, { username: one.asn, node })).toMatchObject({
      [node]: { probe_address: "", remote: "198.51.100.7:51820" },
    });
    const activity = JSON.stringify(await one.call(calls.getActivity, { username: one.asn }));
    expect(activity).toContain("address to probe");
    expect(activity).toContain("no longer registered");
    expect(JSON.stringify(await one.call(calls.exportAccount, { username: one.asn }))).toContain(
      "fd42:4242:1::53",
    );
  });

  /** Runs the hourly comparison as another server. */
  async function checkRegistry(): Promise<void> {
    await using opened = await openAsServer(database);
    const clock = Date.now;
    const registry = createRegistry({ source: createFolderSource(registryFolder), maxAgeDays: 7, clock });
    const log = createLog("silent");
    await checkProbeAddresses(
      { ...opened, registry, clock, retentionClock: clock, log, waitMs: 10_000 },
      new AbortController().signal,
    );
  }

  test("an invalid pre-shared key is rejected without being repeated", async () => {
    const preshared_key = `${"A".repeat(43)}=`;
    const { status, body } = await submitError(one, peerUpdate({ node: "per01", preshared_key }));
    expect([status, body.field]).toEqual([422, "preshared_key"]);
    expect(body.message).not.toContain(preshared_key);
  });
});
