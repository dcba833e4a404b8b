/** `peerdeck-agent join`, against servers that follow the contract and against hostile ones. */
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { parseAgentConfig } from "#agent/config/agent-config.ts";
import { processResult } from "#agent/fixtures/process-result.ts";
import { askServer } from "#agent/join/ask-server.ts";
import { runJoin } from "#agent/join/join.ts";
import type { SetupMachine } from "#agent/setup/setup-machine.ts";
import { agentCalls } from "#contract/agent.ts";
import { agentProtocol, withProtocol } from "#contract/agent/agent-protocol.ts";
import { createCaller } from "#contract/client.ts";
import { parseJoinLine } from "#mtls/join-proof.ts";
import { openIdentity } from "#mtls/tls-identity.ts";
import { InterruptedError } from "#system/terminal.ts";
import { repository } from "../../support/repository.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { testIdentity } from "../../support/test-identity.ts";
import { createAgentHost, waitUntilListening } from "./agent-host.ts";
import { type JoinServerOptions, startJoinServer } from "./join-server.ts";

const options =
  "--listen 192.0.2.1:4243 --endpoint SYD01.example.net --ipv4 172.20.16.1 --ipv6 fd42:d42::1 --roa4 https://roa.example.net/roa4.conf".split(
    " ",
  );
let folder = "";
let printed = "";
let fingerprint = "";
/** Commands of systemctl. */
let services: string[] = [];
let isActive = false;
let canStart = true;

beforeEach(async () => {
  folder = await createScratchFolder(onTestFinished);
  ({ fingerprint } = await testIdentity("server"));
  [printed, services, isActive, canStart] = ["", [], false, true];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => (printed += String(text)) !== "");
});
afterEach(() => vi.restoreAllMocks());

const configPath = () => join(folder, "etc/agent.toml");
const birdFile = () => join(folder, "bird.conf");
const readConfig = async () => parseAgentConfig(await readFile(configPath(), "utf8"), "agent.toml");
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

function createMachine(changes: Partial<SetupMachine> = {}): SetupMachine {
  let now = Date.now();
  return {
    configPath: configPath(),
    stateDir: join(folder, "state"),
    birdFile: birdFile(),
    birdDefaults: [],
    folder: join(repository, "docs/bird"),
    hasSystemd: false,
    run: async (program, args) => {
      if (program !== "systemctl") return processResult("", 1, "not permitted");
      services.push(args.slice(0, 2).join(" "));
      if (args[0] === "restart" && args[1] === "peerdeck-agent.service") isActive = canStart;
      const states = [`ActiveState=${isActive ? "active" : "inactive"}`, "UnitFileState=enabled"];
      return processResult(states.join("\n"));
    },
    clock: {
      now: () => now,
      sleep: async (ms) => void (now += ms),
    },
    openTerminal: () => null,
    ...changes,
  };
}

/** @param answers what the operator types, until Ctrl-C */
function terminalOf(answers: readonly string[]) {
  const waiting = [...answers];
  return {
    read: async (prompt: string) => {
      printed += prompt;
      const line = waiting.shift();
      if (line === undefined) throw new InterruptedError();
      printed += `${line}\n`;
      return line;
    },
    [Symbol.dispose]: () => undefined,
  };
}

async function start(changes: Partial<JoinServerOptions> = {}) {
  const server = await startJoinServer({ fingerprint, ...changes });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

const refuse502 = (message: string): NonNullable<JoinServerOptions["decide"]> => {
  return (request, response) => {
    if (request.agent !== null) response.writeHead(502).end(JSON.stringify({ message }));
    return request.agent !== null;
  };
};

test("writes both files with what the server says, and joins with what the options say", async () => {
  const server = await start();
  await runJoin([server.line, ...options], createMachine());
  const agentFingerprint = (await openIdentity(join(folder, "state"), "")).fingerprint;
  const common = { protocol: agentProtocol, serverFingerprint: fingerprint, agentFingerprint };
  expect(server.requests).toMatchObject([
    { ...common, agent: null },
    {
      ...common,
      agent: {
        url: "https://192.0.2.1:4243",
        publicIp: "192.0.2.1",
        endpoints: ["syd01.example.net"],
        tunnelIpv4: "172.20.16.1",
      },
    },
  ]);
  expect(new Set(server.requests.map(({ nonce }) => nonce)).size).toBe(2);
  expect(await readConfig()).toMatchObject({
    node: "syd01",
    asn: "4242422227",
    state_dir: join(folder, "state"),
    server_fingerprints: [fingerprint],
    server_addresses: [],
    router: "linux",
    rules: { allow_documentation: true, provider_endpoints: ["192.0.2.1", "syd01.example.net"] },
  });
  expect(await readFile(birdFile(), "utf8")).toContain("define OWN_NETS_V4 = [ 172.20.16.0/27+ ];\n");
  expect(printed).toMatch(/^http:\S+ knows this line\. The node is syd01, of AS4242422227\.\nWrote /);
  expect(printed).toContain("\nProblems found:\n");
  expect(printed).toMatch(
    /\nsyd01 has joined\. To open it to new peerings, run on the server: peerdeck nodes open syd01\n$/,
  );
});

test("the same line runs again after the server could not reach the agent, and after a kill before it joined", async () => {
  const unreachable = await start({ decide: refuse502("The server cannot reach 192.0.2.1:4243.") });
  await expect(runJoin([unreachable.line, ...options], createMachine())).rejects.toThrow(
    `refused with status 502: The server cannot reach 192.0.2.1:4243.\n${configPath()} was kept: to correct a value, edit it and restart the agent. Then run the same line again.`,
  );
  const [config, bird] = [await readFile(configPath(), "utf8"), await readFile(birdFile(), "utf8")];
  const server = await start();
  await runJoin([server.line], createMachine());
  expect(server.requests.at(-1)?.agent).toMatchObject({ publicIp: "192.0.2.1", tunnelIpv4: "172.20.16.1" });
  expect(printed).toContain(`Kept ${configPath()} unchanged.\nKept ${birdFile()} unchanged.\n`);
  expect([await readFile(configPath(), "utf8"), await readFile(birdFile(), "utf8")]).toEqual([config, bird]);
});

const impostor = "This is not the server that the line is for: ";
test.each<[string, Partial<JoinServerOptions>, string]>([
  [
    "a wrong proof",
    { forge: ({ text }) => ({ text, proof: "A".repeat(43) }) },
    `${impostor}its proof is wrong.`,
  ],
  [
    "a changed text",
    { forge: ({ text, proof }) => ({ text: text.replace("syd01", "per01"), proof }) },
    `${impostor}its proof is wrong.`,
  ],
  [
    "another nonce",
    { change: (same) => ({ ...same, nonce: "A".repeat(22) }) },
    `${impostor}it answers another`,
  ],
  [
    "another server's fingerprint",
    { change: (same) => ({ ...same, serverFingerprint: Array(32).fill("AB").join(":") }) },
    `${impostor}it names other fingerprints.`,
  ],
  [
    "another agent's fingerprint",
    { change: (same) => ({ ...same, agentFingerprint: Array(32).fill("AB").join(":") }) },
    `${impostor}it names other fingerprints.`,
  ],
  ["a text of another kind", { change: () => ({}) }, "has another version than this agent"],
  [
    "a name that a terminal obeys",
    { change: (same) => ({ ...same, node: "\u001b[2J" }) },
    "has another version than this agent",
  ],
  [
    "prefixes that are none",
    { change: (same) => ({ ...same, prefixes: ["172.20.16.0/27", "x"] }) },
    "would be invalid and was not written",
  ],
  [
    "an answer of 10 MB",
    { decide: (_, response) => !!response.end("x".repeat(10_000_000)) },
    `${impostor}its response is longer than 65536 bytes.`,
  ],
  [
    "a redirect",
    { decide: (_, response) => !!response.writeHead(307, { location: "https://evil.example/" }).end() },
    " redirects to https://evil.example/, which is not followed.",
  ],
  [
    "a refusal",
    {
      decide: (_, response) =>
        !!response.writeHead(409).end(JSON.stringify({ message: "The token was used.\u001b[2J\nRun" })),
    },
    " refused with status 409: The token was used.\\u{1b}[2J\\u{a}Run Nothing was changed.",
  ],
  [
    "a page of another server",
    { decide: (_, response) => !!response.writeHead(502).end("<html>Bad gateway") },
    " responded with status 502, and without a reason.",
  ],
])("%s is refused, and nothing is written", async (_, changes, message) => {
  const server = await start(changes);
  await expect(runJoin([server.line, ...options], createMachine())).rejects.toThrow(message);
  expect([await exists(configPath()), await exists(birdFile())]).toEqual([false, false]);
  expect(await readdir(join(folder, "state"))).toEqual(["identity.pem"]);
});

test("a line that was changed, and one for a server that does not listen or is not trusted, is refused", async () => {
  const server = await start();
  const other = server.line.replace(/#.{20}/, `#${"A".repeat(20)}`);
  await expect(runJoin([other, ...options], createMachine())).rejects.toThrow(
    "refused with status 403: The proof is wrong.\\u{1b}[2J Nothing was changed.",
  );
  await server[Symbol.asyncDispose]();
  await expect(runJoin([server.line, ...options], createMachine())).rejects.toThrow(
    `${server.url} cannot be reached: connect ECONNREFUSED`,
  );
  const { privateKey: key, certificate: cert } = await testIdentity("stranger");
  const tls = createServer({ key, cert }, (_, response) => response.end()).listen(0, "127.0.0.1");
  onTestFinished(() => void tls.close());
  await once(tls, "listening");
  const secure = server.line.replace(/^[^#]*/, `https://127.0.0.1:${(tls.address() as AddressInfo).port}`);
  await expect(runJoin([secure, ...options], createMachine())).rejects.toThrow(
    /^The certificate of https:\S+ is not valid: self-signed certificate\. .*: update-ca-certificates\. Nothing/,
  );
  expect(await exists(configPath())).toBe(false);
});

test("a server that does not respond in time is named", async () => {
  const server = await start({ decide: () => true });
  const line = parseJoinLine(server.line);
  if (line === null) throw new Error("no line");
  await expect(
    askServer({ line, agentFingerprint: fingerprint, agent: null, timeoutMs: 200 }),
  ).rejects.toThrow(`${server.url} did not respond within 0.2 s.`);
});

test.each<[string, readonly string[], string]>([
  ["no line", [], "join takes the line that peerdeck nodes add prints"],
  [
    "a line without a token",
    ["https://peering.example.net"],
    "This is not a line that peerdeck nodes add prints",
  ],
  ["an unknown option", ["LINE", "--colour", "red"], "Unknown option '--colour'"],
  ["no options and no terminal", ["LINE"], "Missing: --listen, --ipv4, --ipv6. Nothing was changed."],
  ["a private address alone", ["LINE", "--listen", "10.0.0.1:4243"], "Missing: --endpoint, --ipv4, --ipv6."],
  ["a wrong address", ["LINE", "--listen", "192.0.2.1"], "--listen: 192.0.2.1 is not an address and a port"],
  ["a private endpoint", ["LINE", "--endpoint", "10.0.0.1"], "--endpoint: 10.0.0.1 is not a public address"],
  ["a wrong URL", ["LINE", "--agent-url", "http://192.0.2.1"], "--agent-url: http://192.0.2.1 is not a URL"],
  ["a wrong server", ["LINE", "--server-address", "x"], "--server-address: x is not an address or prefix."],
  ["another node", ["LINE", "--node", "per01"], "--node is per01, but the server says syd01."],
  ["another AS", ["LINE", "--asn", "4242422228"], "--asn is 4242422228, but the server says 4242422227."],
  [
    "another prefix",
    ["LINE", "--prefix", "172.20.17.0/27"],
    "--prefix is 172.20.17.0/27, but the server says",
  ],
])("%s is refused with what to do", async (_, args, message) => {
  const server = await start();
  const given = args.map((arg) => (arg === "LINE" ? server.line : arg));
  await expect(runJoin(given, createMachine())).rejects.toThrow(message);
  expect(await exists(configPath())).toBe(false);
});

test("asks on a terminal for what is not an option, and again after a wrong answer", async () => {
  const server = await start();
  const answers = [
    "10.0.0.1",
    "10.0.0.1:4243",
    "10.0.0.1",
    "syd01.example.net",
    "",
    "",
    "172.20.16.1",
    "fd42:d42::1",
    "x",
    "",
  ];
  const terminal = terminalOf(answers);
  await runJoin([server.line, "--roa6", "/srv/roa6.conf"], createMachine({ openTerminal: () => terminal }));
  expect(printed).toContain(`10.0.0.1 is not an address and a port, like "192.0.2.1:4243"`);
  expect(printed).toContain("10.0.0.1 is not a public address or a hostname.");
  expect(printed).toContain("URL of the agent [https://syd01.example.net:4243]: ");
  expect(printed).toContain(`x is not an "https://…" URL`);
  expect(server.requests.at(-1)?.agent).toMatchObject({
    url: "https://syd01.example.net:4243",
    publicIp: "syd01.example.net",
    endpoints: [],
  });
  expect((await readConfig()).linux.roa).toEqual({
    ipv6: "/srv/roa6.conf",
    every_minutes: 15,
    dir: "/etc/bird/roa",
  });
});

test("an interrupted interview writes nothing", async () => {
  const server = await start();
  const terminal = terminalOf(["192.0.2.1:4243"]);
  await expect(runJoin([server.line], createMachine({ openTerminal: () => terminal }))).rejects.toThrow(
    "Stopped. Nothing was changed.",
  );
  expect(await exists(configPath())).toBe(false);
});

test("an existing agent.toml is kept, and refused if it is of another node or does not list the server", async () => {
  const server = await start();
  await runJoin([server.line, ...options], createMachine());
  const text = await readFile(configPath(), "utf8");
  const attempt = async (change: (config: string) => string) => {
    await writeFile(configPath(), change(text));
    return runJoin([server.line], createMachine());
  };
  await expect(attempt((config) => config.replace('"syd01"', '"per01"'))).rejects.toThrow(
    `has node = "per01", but the line is for "syd01". Nothing was changed.`,
  );
  await expect(attempt((config) => config.replace('"4242422227"', '"4242422228"'))).rejects.toThrow(
    `has asn = "4242422228", but the line is for "4242422227". Nothing was changed.`,
  );
  await writeFile(configPath(), text);
  await runJoin([server.line, ...options], createMachine());
  await expect(
    runJoin([server.line, ...options, "--listen", "192.0.2.2:4243"], createMachine()),
  ).rejects.toThrow(
    `--listen is 192.0.2.2:4243, but ${configPath()} exists and has 192.0.2.1:4243. Nothing was changed. Correct it there, run: `,
  );
  const other = Array(32).fill("AB").join(":");
  const count = server.requests.length;
  await expect(attempt((config) => config.replaceAll(fingerprint, other))).rejects.toThrow(
    `\nserver_fingerprints = ["${other}", "${fingerprint}"]`,
  );
  expect(server.requests).toHaveLength(count);
  expect(await readFile(configPath(), "utf8")).toBe(text.replaceAll(fingerprint, other));
});

test("starts a service that does not run, and does not join if it does not start", async () => {
  const server = await start();
  const agent = createTcpServer().listen(0, "127.0.0.1");
  onTestFinished(() => void agent.close());
  await once(agent, "listening");
  const address = `127.0.0.1:${(agent.address() as AddressInfo).port}`;
  const listen = ["--listen", address, "--endpoint", "syd01.example.net", ...options.slice(4)];
  await runJoin([server.line, ...listen], createMachine({ hasSystemd: true }));
  expect(services).toContain("restart peerdeck-agent.service");
  services = [];
  await runJoin([server.line, "--endpoint", "syd01.example.net"], createMachine({ hasSystemd: true }));
  expect(
    services.filter((command) => command.includes("peerdeck-agent") && command.startsWith("restart")),
  ).toEqual([]);
  isActive = false;
  await runJoin([server.line, "--endpoint", "syd01.example.net"], createMachine({ hasSystemd: true }));
  expect(services).toContain("restart peerdeck-agent.service");
  const count = server.requests.filter((request) => request.agent !== null).length;
  isActive = false;
  canStart = false;
  const broken = createMachine({ hasSystemd: true });
  await expect(runJoin([server.line, "--endpoint", "syd01.example.net"], broken)).rejects.toThrow(
    /^peerdeck-agent\.service is not running .*\nThen run the same line again\.$/,
  );
  agent.close();
  [isActive, canStart] = [true, true];
  await expect(runJoin([server.line, "--endpoint", "syd01.example.net"], broken)).rejects.toThrow(
    `The agent does not accept connections on ${address}, the address in ${configPath()}.`,
  );
  expect(server.requests.filter((request) => request.agent !== null)).toHaveLength(count);
});

test("the server that the line names reaches the running agent with the fingerprint that joined", async () => {
  await using host = await createAgentHost();
  const config = await host.configure();
  const agent = await waitUntilListening(host.start(config));
  let facts: unknown;
  const server = await start({
    fingerprint: host.server.fingerprint,
    decide: async (request) => {
      if (request.agent === null) return false;
      await using transport = host.connect(agent.port, request.agentFingerprint);
      facts = await createCaller(withProtocol(transport))(agentCalls.facts, undefined);
      return false;
    },
  });
  await mkdir(join(folder, "etc"));
  await runJoin(
    [server.line, "--endpoint", "syd01.example.net", "--agent-url", `https://127.0.0.1:${agent.port}`],
    createMachine({ configPath: config }),
  );
  expect(facts).toMatchObject({ node: "syd01" });
  expect(server.requests.at(-1)).toMatchObject({
    agentFingerprint: agent.fingerprint,
    agent: { url: `https://127.0.0.1:${agent.port}`, publicIp: "syd01.example.net" },
  });
});
