/** A node with peerings that is taken out of the profile: nothing is lost until the operator forgets it. */
import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { shareOfDatabases } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { caller, deletePeering, deployPeering, type Participant, peerUpdate } from "../server/participant.ts";
import { createServerDatabase, type ServerDatabase } from "./database.ts";
import { password, signUpByMail } from "./mailed-link.ts";
import { type Provider, type Server, setUpProvider } from "./provider.ts";

const asns = ["4242420001", "4242420002", "4242420003"] as const;
const [ada, bram, celia] = asns;
const outOfService = "The provider has taken this node out of service.";
const advice = "You can delete the peering here and create one on another node.";
const issue = (peerings: string) =>
  `per01 is not in the provider profile any more, and the database still has ${peerings}. Put the node back into the ` +
  "profile, or run: peerdeck forget-node --node per01";

describe.each(shareOfDatabases("a removed node"))("with %s", (kind) => {
  const parts = new AsyncDisposableStack();
  const cookies = new Map<string, string>();
  let provider: Provider;
  let database: ServerDatabase;
  let server: Server;
  let complete = "";

  beforeAll(async () => {
    provider = parts.use(await setUpProvider(["syd01", "per01"]));
    for (const node of ["syd01", "per01"]) await provider.startAgent(node);
    database = await createServerDatabase(kind, provider.serverDir, parts);
    complete = await readFile(profilePath(), "utf8");
    server = await provider.startServer(database.settings);
    for (const asn of asns) {
      const participant = await signUpByMail(provider.mail, server.url, asn);
      cookies.set(asn, participant.cookie);
      const key = { public_key: Buffer.alloc(32, Number(asn) % 256).toString("base64") };
      await deployPeering(participant, "per01", key);
    }
  });
  afterAll(() => parts.disposeAsync());

  const profilePath = () => provider.environment["PEERDECK_CONFIG"] ?? "";
  const readText = async (path: string) => (await fetch(`${server.url}${path}`)).text();
  const run = (...args: readonly string[]) => provider.runCommand(args, database.settings);
  const forget = (...args: readonly string[]) => run("forget-node", "--node", "per01", ...args);
  const listRunning = async () =>
    (await provider.readPeerings("per01")).flatMap(({ asn, routed }) => (routed === null ? [] : [asn]));

  function participantOf(asn: string): Participant {
    const cookie = cookies.get(asn) ?? "";
    return { asn, cookie, call: caller(server.url, cookie) };
  }

  async function restart(profile: string): Promise<void> {
    await server.stop();
    await writeFile(profilePath(), profile);
    server = await provider.startServer(database.settings);
  }

  const withoutNode = () =>
    complete
      .split("[[nodes]]")
      .filter((table) => !table.includes('"per01"'))
      .join("[[nodes]]");

  test("is named to the operator, and its participants read that it is out of service", async () => {
    expect(await forget("--apply")).toMatchObject({
      code: 1,
      output: expect.stringContaining("has the node per01"),
    });
    await restart(withoutNode());
    await server.logged(issue("3 peerings on it"));
    expect(await readText("/healthz")).toBe(`issues\n${issue("3 peerings on it")}\n`);
    const metrics = await (await fetch(server.metricsUrl)).text();
    expect(metrics).toContain('\npeerdeck_removed_node_peerings{node="per01"} 3\n');

    const { call } = participantOf(ada);
    const of = { username: ada, node: "per01" };
    const finding = { code: "node-out-of-service", facts: {} };
    expect(await call(calls.getPeerStatus, { username: ada })).toMatchObject([
      {
        node: "per01",
        known: false,
        findings: [finding],
        wg_status: { issues: [`${outOfService} ${advice}`] },
      },
    ]);
    const { results } = await call(calls.getNodeStatus, of);
    expect(results).toMatchObject({ status: "Down", known: false, issues: [`${outOfService} ${advice}`] });
    const { per01: config } = await call(calls.getPeerConfig, of);
    expect(config).toMatchObject({ peer_asn: ada });
    expect(await call(calls.getNodeConfig, of)).toEqual({
      public_ip: "",
      local_ipv4: "",
      local_ipv6: "fe80::2227",
      public_key: expect.stringMatching(/^.{44}$/),
    });
    await expect(call(calls.getPeerDetails, of)).rejects.toMatchObject({
      status: 503,
      body: { message: `${outOfService} ${advice}` },
    });
    const refused = { field: "node", message: `${outOfService} ${advice}` };
    const update = peerUpdate({ node: "per01", remote_port: "4001" });
    await expect(call(calls.updatePeerConfig, [{ username: ada }, update])).rejects.toMatchObject({
      status: 422,
      body: refused,
    });
    await expect(participantOf("").call(calls.getNodeStatus, of)).rejects.toMatchObject({ status: 401 });
  });

  test("does not keep an account that its participant deletes, whatever the node ran", async () => {
    const conflict = `INSERT INTO peering_conflicts (node, asn, generation, reason) VALUES ('per01', '${celia}', 1, 'outdated')`;
    await database.query(conflict);
    expect(await readText("/healthz")).toBe(`issues\n${issue("3 peerings on it, with 1 conflict")}\n`);
    await participantOf(celia).call(calls.deleteAccount, { username: celia, password });
    await server.logged("an account was deleted on the participant's request");
    await deletePeering(participantOf(bram), "per01");
    expect(await readText("/healthz")).toBe(`issues\n${issue("1 peering on it")}\n`);
  });

  test("is as before when it returns to the profile, without what participants have deleted", async () => {
    await restart(complete);
    await waitFor(async () => expect(await listRunning()).toEqual([ada]));
    await waitFor(async () => expect(await readText("/healthz")).toBe("ok\n"));
    await deployPeering(participantOf(ada), "per01", { remote_port: "4001" });
  });

  test("is forgotten by the operator's command, and its peerings are conflicts if it returns", async () => {
    await restart(withoutNode());
    expect(await forget()).toMatchObject({
      code: 0,
      output: expect.stringContaining("Nothing was changed."),
    });
    expect(await readText("/healthz")).toBe(`issues\n${issue("1 peering on it")}\n`);
    const { code, output } = await forget("--reason", "Its host is gone", "--apply");
    expect(output).toMatch(
      /per01\.example\.net\n {2}forget {2}AS4242420001: .*\n {2}reason {2}Its host is gone\.\n/,
    );
    expect(output).toContain("Tunnels and sessions on per01.example.net keep running until");
    expect([code, await readText("/healthz")]).toEqual([0, "ok\n"]);
    expect(await forget("--apply")).toMatchObject({ code: 1, output: expect.stringContaining("no peering") });
    expect(await listRunning()).toEqual([ada]);

    expect(await participantOf(ada).call(calls.getPeeredNodes, { username: ada })).toEqual([]);
    expect((await run("audit", "--asn", ada)).output).toContain(
      "The operator removed the peering on per01 from the database, because the node is out of service. " +
        "Reason: Its host is gone.",
    );
    // A notice waits at most until the next poll.
    await restart(complete);
    await waitFor(() =>
      expect(provider.mail.text()).toContain("Peering on per01.example.net for AS4242420001"),
    );
    await server.logged(
      "1 peering on per01.example.net is not in the database. Until the operator recovers the database, the server " +
        "changes and removes nothing there by itself.",
    );
    expect(await listRunning()).toEqual([ada]);
    expect(await run("recover", "--apply")).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^ {2}add /m),
    });
    await waitFor(async () => expect(await readText("/healthz")).toBe("ok\n"));
    await deployPeering(participantOf(ada), "per01", { remote_port: "4002" });
  });
});
