/** Agents that join with a line of `peerdeck nodes add`, and all that is refused. */
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { agentProtocol } from "#contract/agent/agent-protocol.ts";
import type { JoinLine } from "#mtls/join-proof.ts";
import { createTestDatabase } from "../../support/databases.ts";
import { longTest } from "../../support/long-test.ts";
import { freePort } from "../../support/free-port.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { testIdentity } from "../../support/test-identity.ts";
import { deployPeering } from "../server/participant.ts";
import { createServerDatabase, type ServerDatabase } from "./database.ts";
import {
  addLine,
  askToJoin,
  describeAgent,
  factsOf,
  type FakeAgent,
  type JoinAttempt,
  startFakeAgent,
} from "./joining-agent.ts";
import { signUpByMail } from "./mailed-link.ts";
import { type AgentAt, type Provider, type Server, serverSource, setUpProvider } from "./provider.ts";

const joining = ["de01", "de02", "de03", "de04"] as const;
const setUp = () => setUpProvider(["syd01"], { joining, trustedProxies: ["127.0.0.1"] });

function findAgent({ agents }: Provider, node: string): AgentAt {
  const found = agents.find((agent) => agent.node === node);
  if (!found) throw new Error(`${node} has no agent`);
  return found;
}

async function listNodes(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/provider.json`);
  const { nodes } = (await response.json()) as { readonly nodes: ReadonlyArray<{ readonly name: string }> };
  return nodes.map(({ name }) => name);
}

interface Refusal {
  readonly what: string;
  readonly change?: (attempt: JoinAttempt) => Partial<JoinAttempt>;
  /** Happens before the request. */
  readonly before?: (line: JoinLine) => Promise<unknown>;
  readonly status: number;
  readonly message: string | RegExp;
  readonly wrongProofs?: number;
}

function changeAgent(changes: object): NonNullable<Refusal["change"]> {
  return ({ agent }) => ({ agent: agent && { ...agent, ...changes } });
}

describe.each(["sqlite", "postgres"] as const)("with %s", (kind) => {
  let provider: Provider;
  let database: ServerDatabase;
  let server: Server;
  const parts = new AsyncDisposableStack();

  beforeAll(async () => {
    provider = parts.use(await setUp());
    database = await createServerDatabase(kind, provider.serverDir, parts);
    server = await provider.startServer(database.settings);
  });
  afterAll(() => parts.disposeAsync());

  const add = (node: string, ...args: readonly string[]) =>
    addLine(provider, node, database.settings, ...args);
  const readNode = (name: string) => database.query(`SELECT * FROM nodes WHERE name = '${name}'`);
  const readLine = async ({ id }: JoinLine) =>
    (await database.query(`SELECT used_at, wrong_proofs FROM node_joins WHERE token = '${id}'`))[0];
  const readAudit = async () =>
    (await provider.runCommand(["audit", "--since", "1h"], database.settings)).output;

  test("an agent asks what the server knows, and joins as a closed node, once", async () => {
    await provider.startAgent("de01");
    const agent = findAgent(provider, "de01");
    const line = await add("de01", "--at", "50.11,8.68");
    const attempt = { url: server.url, line, fingerprint: agent.fingerprint };
    expect(await askToJoin({ ...attempt, agent: null })).toMatchObject({
      status: 200,
      joined: {
        serverFingerprint: line.serverFingerprint,
        agentFingerprint: agent.fingerprint,
        node: "de01",
        asn: "4242422227",
        prefixes: [],
        allowDocumentation: true,
      },
    });
    expect(await listNodes(server.url)).toEqual(["syd01"]);

    const whole = { ...attempt, agent: describeAgent(agent, 21) };
    const [first, second] = await Promise.all([askToJoin(whole), askToJoin(whole)]);
    expect([first.joined?.node, second.joined?.node]).toEqual(["de01", "de01"]);
    expect(await listNodes(server.url)).toEqual(["syd01", "de01"]);
    expect(await readNode("de01")).toMatchObject([
      {
        place: "Frankfurt, Germany",
        lat: 50.11,
        lon: 8.68,
        public_ip: "203.0.113.21",
        endpoints: JSON.stringify(["203.0.113.21", "node21.example.net"]),
        tunnel_ipv4: "172.20.222.21",
        link_local: expect.not.stringMatching(/^fe80::2227$/),
        state: "closed",
        max_peerings: null,
        agent_url: `https://127.0.0.1:${agent.port}`,
        agent_fingerprint: agent.fingerprint,
      },
    ]);
    await server.logged("the node has joined");
    await expect
      .poll(() => readFile(join(provider.serverDir, "nodes.json"), "utf8"))
      .toContain(agent.fingerprint);

    // It works without a restart.
    await database.query("UPDATE nodes SET state = 'open' WHERE name = 'de01'");
    await deployPeering(await signUpByMail(provider.mail, server.url, "4242420001"), "de01");
    expect(await provider.readPeerings("de01")).toMatchObject([{ asn: "4242420001" }]);

    // The response was lost, and the operator runs the line again.
    await database.query(`UPDATE node_joins SET expires_at = 0 WHERE token = '${line.id}'`);
    expect(await askToJoin({ ...attempt, agent: null })).toMatchObject({ joined: { node: "de01" } });
    expect(await askToJoin(whole)).toMatchObject({ joined: { node: "de01" } });
    const other = await askToJoin({ ...whole, fingerprint: findAgent(provider, "de02").fingerprint });
    expect(other).toMatchObject({
      status: 409,
      message: "The join line was used already. On the server, run peerdeck nodes add for de01 again.",
    });

    const audit = await readAudit();
    expect(audit.match(/with which de01 can join/g)).toHaveLength(1);
    expect(audit.match(/de01 joined\./g)).toHaveLength(1);
    const again = await provider.runCommand(["nodes", "add", "de01", "--place", "Here"], database.settings);
    expect(again).toEqual({
      code: 1,
      output: "de01 is a node already. Nothing was changed. Choose another name.\n",
    });
  });

  test("of two agents that join at once with one line, one becomes the node", async () => {
    const line = await add("de02");
    const start = async (name: string) => {
      const agent = await startFakeAgent(await testIdentity(name), line.serverFingerprint, (_, outgoing) =>
        outgoing.end(factsOf("de02")),
      );
      onTestFinished(() => agent[Symbol.asyncDispose]());
      return agent;
    };
    const agents = [await start("agent"), await start("stranger")];
    const answers = await Promise.all(
      agents.map(({ port, fingerprint }) =>
        askToJoin({ url: server.url, line, fingerprint, agent: describeAgent({ port }, 22) }),
      ),
    );
    const isFirst = answers[0]?.status === 200;
    expect(answers.map(({ status }) => status)).toEqual(isFirst ? [200, 409] : [409, 200]);
    const winner = agents[isFirst ? 0 : 1];
    expect(await readNode("de02")).toMatchObject([{ agent_fingerprint: winner?.fingerprint }]);
  });

  const refusals: readonly Refusal[] = [
    {
      what: "an unknown line",
      change: ({ line }) => ({ line: { ...line, id: "AAAAAAAAAAAA" } }),
      status: 404,
      message: "The server does not have this join line. To get one, run on the server: peerdeck nodes add",
    },
    {
      what: "a wrong proof",
      change: ({ line }) => ({ line: { ...line, secret: "A".repeat(43) } }),
      status: 403,
      message: "The proof is wrong. Copy the whole join line from the server again.",
      wrongProofs: 1,
    },
    {
      what: "a text that a proxy has changed",
      change: () => ({ tamper: (text) => text.replace("203.0.113.", "203.0.114.") }),
      status: 403,
      message: "The proof is wrong. Copy the whole join line from the server again.",
      wrongProofs: 1,
    },
    {
      what: "a line that has expired",
      before: ({ id }) => database.query(`UPDATE node_joins SET expires_at = 0 WHERE token = '${id}'`),
      status: 409,
      message:
        /^The join line has expired, or a newer one replaced it\. On the server, run peerdeck nodes add for /,
    },
    {
      what: "a line that another one replaced",
      before: () => add("de03", "--again"),
      status: 409,
      message:
        /^The join line has expired, or a newer one replaced it\. On the server, run peerdeck nodes add for /,
    },
    {
      what: "a line of another server",
      change: () => ({ changes: { serverFingerprint: Array(32).fill("AB").join(":") } }),
      status: 422,
      message: /^The join line is for a server with the fingerprint AB:AB:AB:AB…, and this one has /,
    },
    {
      what: "an older agent, whose request has another shape",
      change: () => ({ changes: { protocol: agentProtocol - 1, nonce: undefined } }),
      status: 422,
      message: `de03.example.net cannot join yet. Its agent speaks protocol ${agentProtocol - 1}, this server speaks ${agentProtocol}. Upgrade the agent. Then run the same line again.`,
    },
    {
      what: "a newer agent",
      change: () => ({ changes: { protocol: agentProtocol + 1 } }),
      status: 422,
      message: /Upgrade the server\. Then run the same line again\.$/,
    },
    {
      what: "a request without a nonce",
      change: () => ({ changes: { nonce: undefined } }),
      status: 422,
      message: /^nonce of the join request cannot be read /,
    },
    ...[
      "http://127.0.0.1:4243",
      "https://user@127.0.0.1:4243",
      "https://127.0.0.1:4243/path",
      "https://127.0.0.1:0",
      "https://127.0.0.1:70000",
      "file:///etc/passwd",
    ].map((url) => ({
      what: `the URL ${url}`,
      change: changeAgent({ url }),
      status: 422,
      message: `url must be an https URL such as https://192.0.2.11:4243, found "${url}". Nothing was changed.`,
    })),
    {
      what: "an endpoint that is none",
      change: changeAgent({ endpoints: ["node.example.net", "not a host"] }),
      status: 422,
      message:
        'endpoints[2] must be a public IPv4 or IPv6 address, or a hostname, found "not a host". Nothing was changed.',
    },
    {
      what: "a tunnel address that is none",
      change: changeAgent({ tunnelIpv4: "172.20" }),
      status: 422,
      message: 'tunnelIpv4 must be an IPv4 address, found "172.20". Nothing was changed.',
    },
    {
      what: "the tunnel address of another node",
      change: changeAgent({ tunnelIpv4: "172.20.222.1" }),
      status: 422,
      message: "syd01 has the tunnel address 172.20.222.1. Nothing was changed. Choose another one.",
    },
    {
      what: "the address of another node",
      change: changeAgent({ endpoints: ["192.0.2.1"] }),
      status: 422,
      message: "syd01 has the address 192.0.2.1. Nothing was changed. Choose another one.",
    },
    {
      what: "an agent that does not run",
      change: changeAgent({ url: `https://127.0.0.1:9` }),
      status: 502,
      message:
        "de03.example.net cannot be reached: the connection was refused, the agent may be off. The server tried https://127.0.0.1:9. Let the firewall accept the server on that port. Behind a NAT, forward the port and give the outer address with --agent-url.",
    },
  ];

  test("what is refused changes nothing, and a right request joins afterwards", async () => {
    await provider.startAgent("de03");
    const agent = findAgent(provider, "de03");
    for (const { what, change, before, status, message, wrongProofs = 0 } of refusals) {
      const line = await add("de03", "--again");
      await before?.(line);
      const right = {
        url: server.url,
        line,
        fingerprint: agent.fingerprint,
        agent: describeAgent(agent, 23),
      };
      const answer = await askToJoin({ ...right, ...change?.(right) });
      expect({ what, ...answer, line: await readLine(line) }).toMatchObject({
        what,
        status,
        message: typeof message === "string" ? message : expect.stringMatching(message),
        line: { used_at: null, wrong_proofs: wrongProofs },
      });
    }
    expect(await readNode("de03")).toEqual([]);
    const logged = server.log.filter(({ msg }) => msg === "an agent could not join");
    expect(logged).toContainEqual(expect.objectContaining({ level: 40, node: "de03", status: 403 }));
    expect(JSON.stringify(logged)).not.toContain((await add("de03", "--again")).secret);

    const line = await add("de03", "--again");
    const right = { url: server.url, line, fingerprint: agent.fingerprint, agent: describeAgent(agent, 23) };
    expect(await askToJoin(right)).toMatchObject({ joined: { node: "de03" } });
  });

  test("a line is void after five wrong proofs, also for the one who has it", async () => {
    const line = await add("de04");
    const { fingerprint } = findAgent(provider, "de04");
    const right = { url: server.url, line, fingerprint, agent: null };
    const guess = () => askToJoin({ ...right, line: { ...line, secret: "A".repeat(43) } });
    for (let attempt = 0; attempt < 4; attempt += 1) expect((await guess()).status).toBe(403);
    expect((await askToJoin(right)).status).toBe(200);
    expect((await guess()).status).toBe(403);
    expect(await askToJoin(right)).toMatchObject({
      status: 409,
      message:
        "The join line is void after too many wrong proofs. On the server, run peerdeck nodes add for de04 again.",
    });
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await guess()).status).toBe(403);
    expect(await readLine(line)).toEqual({ used_at: null, wrong_proofs: 5 });
    const metrics = await (await fetch(server.metricsUrl)).text();
    expect(metrics).toMatch(/^peerdeck_join_attempts_total\{result="wrong-proof"\} 10$/m);
    expect(metrics).toMatch(/^peerdeck_join_attempts_total\{result="unreachable"\} 1$/m);
  });

  test("one client address has 60 attempts", async () => {
    const line = { url: server.url, id: "AAAAAAAAAAAA", secret: "A".repeat(43), serverFingerprint: "" };
    const ask = (client: string) =>
      askToJoin({ url: server.url, line, fingerprint: "", agent: null, client });
    const answers = [];
    for (let attempt = 0; attempt <= 60; attempt += 1) answers.push((await ask("203.0.113.77")).status);
    expect(answers).toEqual([...Array<number>(60).fill(404), 429]);
    expect((await ask("203.0.113.78")).status).toBe(404);
  });

  test("a key that changes keeps the lines; a key that is lost makes them void", async () => {
    const line = await add("de04", "--again");
    const { fingerprint } = findAgent(provider, "de04");
    await server.stop();
    const key = await readFile(join(provider.serverDir, "secret.key"), "utf8");
    const next = Buffer.alloc(32, 5).toString("base64");
    for (const secret of [`${next},${key.trim()}`, next]) {
      server = await provider.startServer({ ...database.settings, PEERDECK_SECRET: secret });
      expect((await askToJoin({ url: server.url, line, fingerprint, agent: null })).status).toBe(200);
      await server.stop();
    }
    const reset = await provider.runCommand(["reset-secrets", "--apply"], database.settings);
    expect(reset.output).toMatch(/^ {2}\d+ join lines: run peerdeck nodes add again$/m);
    server = await provider.startServer(database.settings);
    expect((await askToJoin({ url: server.url, line, fingerprint, agent: null })).status).toBe(404);
  });
});

describe("what the server meets at the address of an agent", () => {
  let provider: Provider;
  let server: Server;
  const parts = new AsyncDisposableStack();

  beforeAll(async () => {
    provider = parts.use(await setUp());
    server = await provider.startServer();
  });
  afterAll(() => parts.disposeAsync());

  const fake = async (line: JoinLine, respond: Parameters<typeof startFakeAgent>[2], name = "agent") =>
    parts.use(await startFakeAgent(await testIdentity(name), line.serverFingerprint, respond));
  const joinAs = (
    line: JoinLine,
    { port, fingerprint }: Pick<FakeAgent, "port" | "fingerprint">,
    last = 31,
  ) => askToJoin({ url: server.url, line, fingerprint, agent: describeAgent({ port }, last) });

  test("a relay that terminates TLS receives nothing, and the reason is said", async () => {
    await provider.startAgent("de01");
    const { fingerprint } = findAgent(provider, "de01");
    const line = await addLine(provider, "de01");
    const relay = await fake(line, (_, outgoing) => outgoing.end(factsOf("de01")), "relay");
    const { status, message } = await joinAs(line, { port: relay.port, fingerprint });
    expect(status).toBe(502);
    expect(message).toMatch(
      /^A proxy or another machine answers at https:\/\/127\.0\.0\.1:\d+: its certificate is (?:..:){3}..…, and that of the agent (?:..:){3}..…\. Nothing was sent to it\. /,
    );
    expect(relay.requests).toEqual([]);
    expect(await listNodes(server.url)).toEqual(["syd01"]);
  });

  test("a hostile agent does not join", async () => {
    const line = await addLine(provider, "de02");
    const answers = await Promise.all(
      [
        await fake(line, (_, outgoing) => outgoing.end(factsOf("de03"))),
        await fake(line, (_, outgoing) => outgoing.end(" ".repeat(1024 * 1024))),
        await fake(line, (_, outgoing) => outgoing.end("{}")),
        await fake(line, (_, outgoing) => outgoing.writeHead(500).end("{}")),
      ].map((agent) => joinAs(line, agent)),
    );
    expect(answers.map(({ status, message }) => `${status} ${message}`)).toEqual([
      expect.stringMatching(/^422 The agent at .* is that of the node de03, and the join line is for de02\./),
      expect.stringMatching(/^502 de02\.example\.net cannot be reached: the connection failed\./),
      expect.stringMatching(/^502 de02\.example\.net responded with an error\./),
      expect.stringMatching(/^502 de02\.example\.net responded with an error\./),
    ]);
    expect(await listNodes(server.url)).toEqual(["syd01"]);
  });

  test("nodes that join at once get different link-local addresses, and no agent becomes two nodes", async () => {
    const arrived = Promise.withResolvers<void>();
    let waiting = 2;
    const together = (node: string): Parameters<typeof fake>[1] => {
      return (_, outgoing) => {
        waiting -= 1;
        if (waiting === 0) arrived.resolve();
        void arrived.promise.then(() => outgoing.end(factsOf(node)));
      };
    };
    const lines = [await addLine(provider, "fra01"), await addLine(provider, "fra02")] as const;
    const one = await fake(lines[0], together("fra01"));
    const two = await fake(lines[1], together("fra02"), "stranger");
    const answers = await Promise.all([joinAs(lines[0], one, 61), joinAs(lines[1], two, 62)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const text = () => readFile(join(provider.serverDir, "nodes.json"), "utf8");
    await expect.poll(text).toContain("fra02");
    const { nodes } = JSON.parse(await text()) as { readonly nodes: ReadonlyArray<{ linkLocal: string }> };
    expect(new Set(nodes.map(({ linkLocal }) => linkLocal)).size).toBe(nodes.length);

    const third = await addLine(provider, "fra03");
    const renamed = await fake(third, (_, outgoing) => outgoing.end(factsOf("fra03")));
    expect(renamed.fingerprint).toBe(one.fingerprint);
    expect(await joinAs(third, renamed, 63)).toMatchObject({
      status: 422,
      field: "agentFingerprint",
      message: "fra01 has the agent with this fingerprint. Nothing was changed. Choose another one.",
    });
  });

  longTest("an agent that hangs does not hold the server for more than ten seconds", async () => {
    const line = await addLine(provider, "de04");
    const answer = await joinAs(line, await fake(line, () => undefined));
    expect(answer).toMatchObject({
      status: 502,
      message: expect.stringMatching(/^de04\.example\.net cannot be reached: it did not respond in time\./),
    });
  });
});

test("a server that is killed while an agent joins has added nothing, and the line works afterwards", async () => {
  await using provider = await setUp();
  const { url, program } = await provider.startServerProcess({}, serverSource);
  const line = await addLine(provider, "de01");
  let isFirst = true;
  await using agent = await startFakeAgent(
    await testIdentity("agent"),
    line.serverFingerprint,
    (_, outgoing) => {
      const killed = isFirst ? program.end("SIGKILL") : Promise.resolve();
      isFirst = false;
      void killed.then(() => outgoing.end(factsOf("de01")));
    },
  );
  const attempt = { line, fingerprint: agent.fingerprint, agent: describeAgent(agent, 41) };
  await expect(askToJoin({ url, ...attempt })).rejects.toThrow("fetch failed");
  const server = await provider.startServer();
  expect(await listNodes(server.url)).toEqual(["syd01"]);
  expect(await askToJoin({ url: server.url, ...attempt })).toMatchObject({ joined: { node: "de01" } });
});

test("another server with the same database knows the node within two seconds", async () => {
  await using database = await createTestDatabase();
  await using provider = await setUp();
  await provider.startAgent("de01");
  const agent = findAgent(provider, "de01");
  const settings = { DATABASE_URL: database.url };
  const [one, two] = [await provider.startServer(settings), await provider.startServer(settings)];
  const line = await addLine(provider, "de01", settings);
  const attempt = { line, fingerprint: agent.fingerprint, agent: describeAgent(agent, 51) };
  expect(await askToJoin({ url: one.url, ...attempt })).toMatchObject({ joined: { node: "de01" } });
  await expect.poll(() => listNodes(two.url), { timeout: 2_000 }).toEqual(["syd01", "de01"]);
  expect(await askToJoin({ url: two.url, ...attempt })).toMatchObject({ joined: { node: "de01" } });
});

describe("peerdeck nodes add", () => {
  let provider: Provider;
  const parts = new AsyncDisposableStack();

  beforeAll(async () => {
    provider = parts.use(await setUp());
  });
  afterAll(() => parts.disposeAsync());

  const run = (...args: readonly string[]) => provider.runCommand(["nodes", "add", ...args]);

  test("prints one line, what to do with it and until when", async () => {
    const { code, output } = await run("de01", "--place", "Frankfurt, Germany", "--valid", "5");
    expect(code).toBe(0);
    expect(output).toMatch(
      /^Run this line as root on the router that becomes de01\.example\.net, once, until 20\d\d-\d\d-\d\d \d\d:\d\d UTC:\n\npeerdeck-agent join 'http:\/\/peering\.example\.net#[\w-]{98}'\n\nWhen it has joined, open it to new peerings: peerdeck nodes open de01\n$/,
    );
    expect(await run("de01", "--place", "Frankfurt, Germany")).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^There is a line for de01 that can be used until .+ UTC\. Nothing was changed\. To make it void and print another one, add --again\.\n$/,
      ),
    });
    const inner = `http://127.0.0.1:${await freePort()}`;
    expect(await addLine(provider, "de01", {}, "--again", "--url", inner)).toMatchObject({ url: inner });
  });

  test("knows the nodes of the profile before the first start of the server", async () => {
    expect(await run("syd01", "--place", "Sydney")).toEqual({
      code: 1,
      output: "syd01 is a node already. Nothing was changed. Choose another name.\n",
    });
  });

  test("takes no nodes over from a profile with which no server would start", async () => {
    const [folder, dataDir] = [dirname(provider.serverDir), await createScratchFolder(onTestFinished)];
    const profile = await readFile(join(folder, "provider.toml"), "utf8");
    const path = join(folder, "incomplete.toml");
    await writeFile(path, profile.replace(/^\[nodes\.agent\]\nurl = .*\nfingerprint = .*\n/m, ""));
    const args = ["nodes", "add", "de01", "--place", "x"];
    const { code, output } = await provider.runCommand(args, { DATA_DIR: dataDir, PEERDECK_CONFIG: path });
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^The node syd01 of the provider profile has no agent\. Nothing was changed\. Add /,
      ),
    ]);
    const completed = await provider.runCommand(args, { DATA_DIR: dataDir });
    expect(completed.output).toMatch(/^Run this line as root/);
  });

  test.each([
    [["--place", "x"], "Give one name. Nothing was changed."],
    [
      ["De01", "--place", "x"],
      'The name must be 1 to 20 lower-case letters, digits and hyphens, found "De01".',
    ],
    [["de01"], 'de01 needs a place: --place "Frankfurt, Germany". Nothing was changed.'],
    [["de01", "--place", "<b>"], "--place must be a text of at most 80 characters"],
    [
      ["de01", "--place", "x", "--at", "91,0"],
      '--at must be a latitude and a longitude such as 50.11,8.68, found "91,0".',
    ],
    [
      ["de01", "--place", "x", "--valid", "0"],
      '--valid must be a whole number of minutes from 1 to 1440, found "0".',
    ],
    [
      ["de01", "--place", "x", "--url", "ftp://x"],
      '--url must be an http or https URL without a path, found "ftp://x".',
    ],
  ])("refuses %j", async (args, message) => {
    const { code, output } = await run(...args);
    expect(code).toBe(1);
    expect(output).toContain(message);
    expect(output).toContain("peerdeck nodes add de01 --place");
  });
});
