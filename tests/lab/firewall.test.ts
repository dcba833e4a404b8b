/** What participants can send to a node and through it, with real packets. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dualStackOf } from "../../src/agent/fixtures/peerings.ts";
import type { Peering } from "../../src/contract/agent.ts";
import type { CodedFacts } from "../../src/contract/agent/findings.ts";
import { type LabHost, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { eventually } from "./eventually.ts";
import {
  agentPort,
  allowAllSources,
  anyPort,
  type FirewallNetwork,
  firewallOptions,
  labelsOf,
  openFirewallNetwork,
  per01,
  pingCount,
  queryPort,
  registered,
  resolverPort,
  type Row,
  spoofed,
  sshPort,
  toldNothing,
} from "./firewall-network.ts";
import { startAgent } from "./lab-agent.ts";
import { nodeAddress } from "./lab-participant.ts";
import { firewallTable, occupySessionName } from "./lab-node.ts";
import { connectionState, findDisruptions } from "./router-state.ts";
import { longTest } from "../support/long-test.ts";

let { internet, node, other, participants, peerings, agent, passed, operatorTables } = {} as FirewallNetwork;

beforeAll(async () => {
  ({ internet, node, other, participants, peerings, agent, passed, operatorTables } =
    await openFirewallNetwork());
});

afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

const sender = (n: number) => participants[n - 1] as LabHost;

const [own4, own6] = ["172.20.1.5", "fd42:4242:1::5"];

test("participants reach each other, the provider's network and the open service, and nothing else", async () => {
  await allowAllSources(node, sender(1));
  const dropped: readonly Row[] = [
    // The uplink.
    [own4, "udp", "198.51.100.20", anyPort],
    [own6, "udp", "2001:db8::20", anyPort],
    [own4, "tcp", "198.51.100.20", anyPort],
    [own6, "tcp", "2001:db8::20", anyPort],
    // The agents of another node and of this one.
    [own4, "tcp", "172.20.16.2", agentPort],
    [own6, "tcp", "fd42:d42::2", agentPort],
    [own4, "tcp", "172.20.16.1", agentPort],
    [own6, "tcp", "fd42:d42::1", agentPort],
    ["172.20.1.1", "tcp", "172.20.16.1", agentPort],
    // Services of another node that it does not open to participants.
    [own4, "tcp", "172.20.16.2", sshPort],
    [own6, "tcp", "fd42:d42::2", sshPort],
    [own4, "udp", "172.20.16.2", queryPort],
    [own6, "udp", "fd42:d42::2", queryPort],
    // Services of the node.
    [own4, "tcp", "172.20.16.1", sshPort],
    [own6, "tcp", "fd42:d42::1", sshPort],
    ["172.20.1.1", "tcp", "172.20.16.1", sshPort],
    [own4, "tcp", "172.20.16.1", 179],
    [own6, "tcp", "fd42:d42::1", 179],
    [own4, "udp", "172.20.16.1", anyPort],
    [own6, "udp", "fd42:d42::1", anyPort],
    [own4, "udp", "172.20.16.5", resolverPort],
    [own6, "udp", "fd42:d42::5", resolverPort],
    // Sources that no packet of the participant can have.
    ...spoofed.slice(2).flatMap(([ipv4, ipv6]): readonly Row[] => [
      [ipv4, "udp", "172.20.16.2", anyPort],
      [ipv6, "udp", "fd42:d42::2", anyPort],
      [ipv4, "udp", "172.20.16.1", resolverPort],
      [ipv6, "udp", "fd42:d42::1", resolverPort],
    ]),
  ];
  const allowed: readonly Row[] = [
    [own4, "tcp", "172.20.2.5", anyPort],
    [own6, "tcp", "fd42:4242:2::5", anyPort],
    [own4, "tcp", "172.20.16.2", anyPort],
    [own6, "tcp", "fd42:d42::2", anyPort],
    // Also from the addresses of its tunnels here and elsewhere, and from a network that it gives transit to.
    ...[[own4, own6], ["172.20.1.1", "fd42:4242:1::1"], ...spoofed.slice(0, 2)].flatMap(
      ([ipv4, ipv6]): readonly Row[] => [
        [ipv4, "udp", "172.20.2.5", anyPort],
        [ipv6, "udp", "fd42:4242:2::5", anyPort],
        [ipv4, "udp", "172.20.16.2", anyPort],
        [ipv6, "udp", "fd42:d42::2", anyPort],
        [ipv4, "udp", "172.20.16.1", resolverPort],
        [ipv6, "udp", "fd42:d42::1", resolverPort],
      ],
    ),
  ];
  expect(await passed(sender(1), dropped, allowed)).toEqual(labelsOf(allowed));
});

test("the internet reaches no participant, and only the server reaches the agent", async () => {
  const droppedInbound: readonly Row[] = [
    ["198.51.100.20", "udp", "172.20.1.6", anyPort],
    ["172.20.16.2", "udp", "172.20.1.6", anyPort],
    ["2001:db8::20", "udp", "fd42:4242:1::6", anyPort],
    ["fd42:d42::2", "udp", "fd42:4242:1::6", anyPort],
  ];
  const allowedInbound: readonly Row[] = [
    ["172.20.16.2", "udp", own4, anyPort],
    ["fd42:d42::2", "udp", own6, anyPort],
    ["198.51.100.20", "tcp", nodeAddress, agentPort],
    ["2001:db8::20", "tcp", "2001:db8::254", agentPort],
  ];
  expect(await passed(other, droppedInbound, allowedInbound)).toEqual(labelsOf(allowedInbound));
  const dropped: readonly Row[] = [
    ["198.51.100.1", "tcp", nodeAddress, agentPort],
    ["2001:db8::1", "tcp", "2001:db8::254", agentPort],
  ];
  // Everything else outside of the tunnels is left to the operator.
  const allowed: readonly Row[] = [
    ["198.51.100.1", "tcp", nodeAddress, sshPort],
    ["2001:db8::1", "tcp", "2001:db8::254", sshPort],
  ];
  expect(await passed(sender(1), dropped, allowed)).toEqual(labelsOf(allowed));
});

const sessions = ["dn42_4242420001_v4", "dn42_4242420001_v6"];
const established = () =>
  Promise.all(sessions.map((session) => connectionState(node, "dn42_4242420001", session)));

const waitUntilEstablished = () =>
  eventually(established, (states) => states.every(({ since }) => since !== null));

test.each(["the node", "the participant"])(
  "BGP sessions come up if only %s opens connections",
  async (opener) => {
    const isFirst = "tcp dport 179 tcp flags & (syn | ack) == syn";
    const hook = opener === "the node" ? "output" : "input";
    await runCommands(sender(1), [
      `nft 'table inet one_way { chain ${hook} { type filter hook ${hook} priority 0; ${isFirst} drop; }; }'`,
    ]);
    for (const session of sessions) {
      await node.run("birdc", "-s", path.join(node.folder, "bird.ctl"), "restart", session);
    }
    expect(await waitUntilEstablished()).toHaveLength(2);
    await sender(1).run("nft", "delete", "table", "inet", "one_way");
  },
);

test("another node reaches participants and receives their replies, also of UDP", async () => {
  const replies: readonly Row[] = [
    [own4, "udp", "172.20.16.2", queryPort, 5302],
    [own6, "udp", "fd42:d42::2", queryPort, 5302],
  ];
  expect(await passed(sender(1), replies, [])).toEqual([]);
  const queries: readonly Row[] = [
    ["172.20.16.2", "tcp", own4, anyPort],
    ["fd42:d42::2", "tcp", own6, anyPort],
    ["172.20.16.2", "udp", own4, 5302, queryPort],
    ["fd42:d42::2", "udp", own6, 5302, queryPort],
  ];
  expect(await passed(other, queries.slice(2), queries.slice(0, 2))).toEqual(labelsOf(queries.slice(0, 2)));
  expect(await passed(sender(1), [], replies)).toEqual(labelsOf(replies));
  expect(await pingCount(sender(1), "-c1 -W5 -s 3000", "172.20.16.2")).toBe(1);
});

longTest(
  "a change of another node changes the rules at once, and the agent keeps them without its server",
  async () => {
    const [ssh, closed]: readonly Row[][] = [
      [[own4, "tcp", "172.20.16.2", sshPort]],
      [[own6, "tcp", "fd42:d42::2", anyPort]],
    ];
    const sessionsBefore = await established();
    const services = [{ protocol: "tcp", port: sshPort, address: "172.20.16.2" }];
    const changed = [{ ...per01, version: "2", services }];
    await agent.post("/v1/other-nodes", {
      nodes: ["per01"],
      changed,
      strictSource: false,
      provider: toldNothing,
    });
    expect(await passed(sender(1), closed ?? [], ssh ?? [])).toEqual(labelsOf(ssh ?? []));
    const table = await firewallTable(node);
    await agent.kill();
    agent = await startAgent(node, firewallOptions);
    expect(await firewallTable(node)).toBe(table);
    expect(await agent.get("/v1/exposure")).toMatchObject({
      own: { addresses: expect.arrayContaining(["172.20.16.1", "fd42:d42::1"]) as unknown },
      known: [{ node: "per01", version: "2" }],
    });
    await agent.post("/v1/other-nodes", {
      nodes: ["per01"],
      changed: [per01],
      strictSource: false,
      provider: toldNothing,
    });
    await agent.post("/v1/other-nodes", {
      nodes: ["per01"],
      changed: [],
      strictSource: false,
      provider: toldNothing,
    });
    expect(await passed(sender(1), ssh ?? [], closed ?? [])).toEqual(labelsOf(closed ?? []));
    const sessionsAfter = await established();
    expect(
      sessionsBefore.flatMap((state, index) => findDisruptions(state, sessionsAfter[index] ?? state)),
    ).toEqual([]);
  },
);

longTest(
  "the servers that the server tells alone reach the agent's port, at once and without a disruption",
  async () => {
    const rows: readonly Row[] = [
      ["198.51.100.20", "tcp", nodeAddress, agentPort],
      ["2001:db8::20", "tcp", "2001:db8::254", agentPort],
    ];
    const tell = (version: string, servers: readonly string[]) =>
      agent.post("/v1/other-nodes", {
        nodes: ["per01"],
        changed: [],
        strictSource: false,
        provider: { ...toldNothing, version, servers },
      });
    await agent.kill();
    agent = await startAgent(node, { ...firewallOptions, servers: [] });
    const sessionsBefore = await established();
    expect(await passed(other, [], rows)).toEqual(labelsOf(rows));
    await tell("1", ["203.0.113.0/24", "2001:db8::20"]);
    expect(await passed(other, rows.slice(0, 1), rows.slice(1))).toEqual(labelsOf(rows.slice(1)));
    await tell("2", ["198.51.100.20", "2001:db8:1::/48", "2001:db8:2::/48"]);
    expect(await passed(other, rows.slice(1), rows.slice(0, 1))).toEqual(labelsOf(rows.slice(0, 1)));
    const found = (await agent.events()).flatMap(({ findings }) => findings.map(({ code }) => code));
    expect(found).not.toContain("packet-filter-changed");
    const sessionsAfter = await established();
    expect(
      sessionsBefore.flatMap((state, index) => findDisruptions(state, sessionsAfter[index] ?? state)),
    ).toEqual([]);
    await agent.kill();
    agent = await startAgent(node, firewallOptions);
  },
);

const rowsFrom = ([ipv4, ipv6]: readonly [string, string]): readonly Row[] => [
  [ipv4, "udp", "172.20.2.5", anyPort],
  [ipv6, "udp", "fd42:4242:2::5", anyPort],
  [ipv4, "udp", "172.20.16.1", resolverPort],
  [ipv6, "udp", "fd42:d42::1", resolverPort],
];

longTest(
  "with strict sources, a participant sends only from what it announces, also if it is rejected, and what is registered to it",
  async () => {
    const setStrict = (strictSource: boolean) =>
      agent.post("/v1/other-nodes", { nodes: ["per01"], changed: [], strictSource, provider: toldNothing });
    const allowed = [[own4, own6], ["172.20.1.1", "fd42:4242:1::1"], spoofed[1], registered(1)] as const;
    const behind = spoofed[0];
    await setStrict(true);
    const waitForSources = (prefix: string, isThere: boolean) =>
      eventually(
        () => firewallTable(node),
        (table) => table.includes(`"dn42_4242420001" . ${prefix}`) === isThere,
      );
    await waitForSources("172.20.1.0/26", true);
    const sessionsBefore = await established();
    expect(await passed(sender(1), rowsFrom(behind), allowed.flatMap(rowsFrom))).toEqual(
      labelsOf(allowed.flatMap(rowsFrom)),
    );

    const file = path.join(sender(1).folder, "bird.conf");
    const config = await readFile(file, "utf8");
    const announce = async (...routes: readonly string[]) => {
      const protocols = routes.map(
        (route) =>
          `protocol static { ${route.includes(":") ? "ipv6" : "ipv4"}; route ${route} blackhole; }\n`,
      );
      await writeFile(file, config + protocols.join(""));
      await sender(1).run("birdc", "-s", path.join(sender(1).folder, "bird.ctl"), "configure");
    };
    // Too short for the filters, and it replaces the prefixes that it contains. A default route says nothing.
    await announce("172.20.0.0/20", "fd42:4242::/32", "0.0.0.0/0", "::/0");
    await waitForSources("172.20.0.0/20", true);
    expect(await passed(sender(1), [], rowsFrom(behind))).toEqual(labelsOf(rowsFrom(behind)));
    // nft does not sort prefixes.
    const words = async () => (await firewallTable(node)).split(/[\s,{}]+/).toSorted();
    const before = await words();
    await agent.kill();
    agent = await startAgent(node, firewallOptions);
    expect(await words()).toEqual(before);
    const found = (await agent.events()).flatMap(({ findings }) => findings.map(({ code }) => code));
    expect(found).not.toContain("packet-filter-changed");
    await announce();
    await waitForSources("172.20.1.0/26", true);
    expect(await passed(sender(1), rowsFrom(behind), [])).toEqual([]);
    await setStrict(false);
    await waitForSources("172.20.1.0/26", false);
    expect(await passed(sender(1), [], rowsFrom(behind))).toEqual(labelsOf(rowsFrom(behind)));
    const sessionsAfter = await established();
    expect(
      sessionsBefore.flatMap((state, index) => findDisruptions(state, sessionsAfter[index] ?? state)),
    ).toEqual([]);
  },
);

test("both sides can ping each other, but no participant more than the node replies to", async () => {
  for (const address of ["172.20.1.1", "fd42:4242:1::1"])
    expect(await pingCount(node, "-c1 -W5", address)).toBe(1);
  for (const address of ["172.20.16.1", "fd42:d42::3", "172.20.2.5", "fd42:4242:2::5"])
    expect(await pingCount(sender(1), "-c1 -W5", address)).toBe(1);
  const count = 400;
  for (const address of ["172.20.16.1", "fd42:d42::3"]) {
    expect(await pingCount(sender(1), `-c${count} -l${count} -W1`, address)).toBeLessThan(count * 0.9);
    expect(await pingCount(sender(2), "-c1 -W5", address)).toBe(1);
  }
});

test.each([
  [1420, 1420],
  [1280, 1420],
  [1420, 1320],
])(
  "TCP connections between tunnels of MTU %i and %i get the largest segments that both carry",
  async (...mtus) => {
    for (const [index, mtu] of mtus.entries()) {
      const peering = { ...(peerings[index] as Peering), mtu };
      expect((await agent.apply(peering.asn, peering)).reason).toBe("");
    }
    await Promise.all(participants.map((host) => host.run("ip", "link", "set", "wg-node", "mtu", "9000")));
    const mtu = Math.min(...mtus);
    // IPv4 and TCP have headers of 40 bytes, IPv6 and TCP of 60.
    const rules = [
      `meta nfproto ipv4 tcp option maxseg size ${mtu - 40}`,
      `meta nfproto ipv6 tcp option maxseg size ${mtu - 60}`,
    ];
    const chain = rules
      .map((rule) => `tcp dport ${anyPort} tcp flags syn / syn,ack ${rule} counter;`)
      .join(" ");
    await runCommands(sender(2), [
      `nft 'table inet segments { chain input { type filter hook input priority 0; ${chain} }; }'`,
    ]);
    const rows: readonly Row[] = [
      [own4, "tcp", "172.20.2.5", anyPort],
      [own6, "tcp", "fd42:4242:2::5", anyPort],
    ];
    expect(await passed(sender(1), [], rows)).toEqual(labelsOf(rows));
    const counters = await sender(2).run("nft", "list", "table", "inet", "segments");
    expect(counters.match(/counter packets [1-9]/g)).toHaveLength(2);
    await sender(2).run("nft", "delete", "table", "inet", "segments");
  },
);

test("a change that BIRD refuses leaves the packet filter as it was", async () => {
  const before = await firewallTable(node);
  const release = await occupySessionName(node, dualStackOf(3));
  const refused = await agent.apply("4242420003", dualStackOf(3));
  await release();
  expect(refused).toMatchObject({ outcome: "refused" });
  expect(refused.steps).toContain("nft -f -");
  expect(await firewallTable(node)).toBe(before);
});

// The agent shares a reading of its health for a second.
const waitUntilHealthy = () =>
  eventually(
    () => agent.health(),
    ({ findings }) => findings.length === 0,
  );

async function reportedFindings(): Promise<readonly CodedFacts[]> {
  const { findings } = await eventually(
    () => agent.health(),
    (health) => health.findings.length > 0,
  );
  return findings;
}

test("health reports a packet filter without rules, and the agent repairs it without disturbing a session", async () => {
  const before = await firewallTable(node);
  const sessionsBefore = await established();
  // The agent may repair the table before its health is read.
  await eventually(
    async () => {
      await node.run("nft", "flush", "chain", "inet", "peerdeck", "input").catch(() => {});
      return (await agent.health()).findings;
    },
    (findings) => findings.some(({ code }) => code === "packet-filter-changed"),
  );
  await eventually(
    () => firewallTable(node).catch(String),
    (table) => table === before,
  );
  await waitUntilHealthy();
  const sessionsAfter = await established();
  expect(
    sessionsBefore.flatMap((state, index) => findDisruptions(state, sessionsAfter[index] ?? state)),
  ).toEqual([]);
});

test("health names the operator's chain when it drops participants' sessions", async () => {
  await runCommands(node, [
    "nft 'table inet strict { chain input { type filter hook input priority 5; policy drop; meta l4proto udp accept; }; }'",
    ...[1, 2].flatMap((n) =>
      ["v4", "v6"].map((kind) => `birdc -s ${node.folder}/bird.ctl restart dn42_424242000${n}_${kind}`),
    ),
  ]);
  expect(await reportedFindings()).toEqual([
    { code: "sessions-blocked", facts: { tunnels: 2, chains: ["inet:strict:input"] } },
  ]);
  await node.run("nft", "delete", "table", "inet", "strict");
  expect(await waitUntilEstablished()).toHaveLength(2);
  await waitUntilHealthy();
});

longTest(
  "health names the operator's chain that drops forwarded packets, until it names participants' interfaces",
  async () => {
    await node.run(
      "nft",
      "table inet strict { set inside { type ifname; flags interval; }; " +
        "chain forward { type filter hook forward priority 5; policy drop; iifname @inside oifname @inside accept; }; }",
    );
    expect(await reportedFindings()).toEqual([
      { code: "forwarding-blocked", facts: { chains: ["inet:strict:forward"] } },
    ]);
    await node.run("nft", "add element inet strict inside { dn42_*, wg-per01 }");
    await waitUntilHealthy();
    await node.run("nft", "delete", "table", "inet", "strict");
  },
);

test("health names a link between nodes that the packet filter does not know", async () => {
  const route = ["172.20.99.0/24", "via", "198.51.100.20", "proto", "bird"];
  await node.run("ip", "route", "add", ...route);
  expect(await reportedFindings()).toEqual([
    { code: "interfaces-unlisted", facts: { interfaces: ["eth0"] } },
  ]);
  await node.run("ip", "route", "delete", ...route);
  await waitUntilHealthy();
});

longTest(
  "after a reboot the node is protected again, and the operator's tables are as they were",
  async () => {
    const before = await firewallTable(node);
    await agent.kill();
    for (const n of [1, 2]) await node.run("ip", "link", "delete", "dev", `dn42_424242000${n}`);
    await node.run("nft", "delete", "table", "inet", "peerdeck");
    agent = await startAgent(node, firewallOptions);
    expect(await firewallTable(node)).toBe(before);
    expect(await node.run("nft", "list", "table", "ip", "operator")).toBe(operatorTables);
    expect(await waitUntilEstablished()).toHaveLength(2);
  },
);

test("the node's own connections through tunnels need accept_replies", async () => {
  const rows: readonly Row[] = [
    ["172.20.16.1", "tcp", "172.20.2.5", anyPort],
    ["fd42:d42::1", "tcp", "fd42:4242:2::5", anyPort],
  ];
  expect(await passed(node, rows, [])).toEqual([]);
  await agent.kill();
  agent = await startAgent(node, { ...firewallOptions, acceptReplies: true });
  expect(await passed(node, [], rows)).toEqual(labelsOf(rows));
});
