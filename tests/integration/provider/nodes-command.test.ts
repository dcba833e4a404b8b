/** `peerdeck nodes` beside running servers: what it prints, and when servers and participants know of a change. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { waitFor } from "../../support/wait-for.ts";
import { caller, deployPeering, type Participant, peerUpdate } from "../server/participant.ts";
import { createServerDatabase, type ServerDatabase } from "./database.ts";
import { signUpByMail } from "./mailed-link.ts";
import { type Provider, type Server, setUpProvider } from "./provider.ts";

const [ada, bram] = ["4242420001", "4242420002"] as const;
const knownWithin = { timeout: 2_000, interval: 50 };

/** On both databases, because two servers that share PostgreSQL know a change in time. */
describe.each(["sqlite", "postgres"] as const)("with %s", (kind) => {
  const parts = new AsyncDisposableStack();
  let provider: Provider;
  let database: ServerDatabase;
  let servers: readonly Server[];
  let one: Participant;
  let two: Participant;

  beforeAll(async () => {
    provider = parts.use(await setUpProvider(["syd01", "per01"]));
    for (const node of ["syd01", "per01"]) await provider.startAgent(node);
    database = await createServerDatabase(kind, provider.serverDir, parts);
    const first = await provider.startServer(database.settings);
    servers = [first, ...(kind === "postgres" ? [await provider.startServer(database.settings)] : [])];
    one = await signUpByMail(provider.mail, first.url, ada);
    two = await signUpByMail(provider.mail, first.url, bram);
    await deployPeering(one, "syd01");
  });
  afterAll(() => parts.disposeAsync());

  const nodes = (...args: readonly string[]) => provider.runCommand(["nodes", ...args], database.settings);
  const json = async (...args: readonly string[]) => {
    const { code, output } = await nodes(...args, "--json");
    return { code, result: JSON.parse(output) as Record<string, unknown> };
  };

  const participantOf = ({ asn, cookie }: Participant): Participant => ({
    asn,
    cookie,
    call: caller(servers[0]?.url ?? "", cookie),
  });

  /** What each server says about a new peering of the second AS. */
  const refusals = () =>
    Promise.all(
      servers.map(async ({ url }) => {
        const update = peerUpdate({ node: "syd01", peer_ipv6: "fe80::2" });
        const found = await caller(url, two.cookie)(calls.checkPeerConfig, [{ username: bram }, update]);
        return found.map(({ message }) => message);
      }),
    );
  async function isReached(): Promise<boolean | undefined> {
    const { results } = await one.call(calls.getNodeStatus, { username: ada, node: "syd01" });
    return results.known;
  }
  const everywhere = <T>(value: T) => servers.map(() => value);
  const closed = "syd01.example.net is closed to new peerings. Choose another node.";
  const draining =
    "syd01.example.net will be taken out of service and is closed to new peerings. Choose another node.";
  const full = "syd01.example.net is full: it accepts 1 peering. Choose another node.";

  test("opens and closes a node on all servers within two seconds, and repeats nothing", async () => {
    expect(await refusals()).toEqual(everywhere([]));
    expect(await nodes("close", "syd01")).toEqual({ code: 0, output: "syd01\n  state: open → closed\n" });
    await expect.poll(refusals, knownWithin).toEqual(everywhere([closed]));
    expect(await nodes("close", "syd01")).toEqual({ code: 0, output: "syd01: nothing was changed.\n" });
    expect(await json("close", "syd01", "--draining")).toMatchObject({
      code: 0,
      result: {
        node: { name: "syd01", state: "draining" },
        changes: ["state: closed → draining"],
        notified: [],
      },
    });
    await expect.poll(refusals, knownWithin).toEqual(everywhere([draining]));
    await nodes("open", "syd01", "--review");
    await expect.poll(refusals, knownWithin).toEqual(everywhere([closed]));
    await nodes("open", "syd01");
    expect((await nodes("limit", "syd01", "1")).output).toBe(
      "syd01\n  limit: none → 1\nsyd01 has 1 peering, so it is full.\n",
    );
    await expect.poll(refusals, knownWithin).toEqual(everywhere([full]));
    await deployPeering(one, "syd01", { remote_port: "4001" });
    expect((await json("list")).result).toMatchObject({
      nodes: [
        { name: "syd01", shown: "full", peerings: 1, maxPeerings: 1 },
        { name: "per01", shown: "open", peerings: 0, maxPeerings: null },
      ],
      joins: [],
      removed: [],
    });
    await nodes("limit", "syd01", "none");
    await expect.poll(refusals, knownWithin).toEqual(everywhere([]));
    const audit = await provider.runCommand(["audit", "--since", "1h"], database.settings);
    expect(audit.output).toContain("The operator changed syd01. state: open → closed.");
    expect(audit.output.match(/state: open → closed/g)).toHaveLength(1);
  });

  test("lists and shows what is stored", async () => {
    await expect
      .poll(async () => (await nodes("list")).output)
      .toMatch(
        /^node +state +peerings +place +address +agent\nsyd01 +open +1\/- +Somewhere +192\.0\.2\.1 +\S+, 20.+ UTC\nper01 +open +0\/- /,
      );
    await database.query(
      `INSERT INTO node_joins (token, node, place, secret, created_at, expires_at, wrong_proofs)
        VALUES ('a', 'fra01', 'Paris', 'b', 0, ${Date.now() + 3_600_000}, 0), ('c', 'za01', 'Here', 'd', 0, 1, 0)`,
    );
    expect((await nodes("list")).output).toMatch(
      /\nfra01 has not joined\. Its line is valid until 20.{14} UTC\.\n$/,
    );
    await database.query("DELETE FROM node_joins");
    const { output } = await nodes("show", "per01");
    expect(output).toContain("host               per01.example.net\n");
    expect(output).toContain(`agent fingerprint  ${provider.agents[1]?.fingerprint}\n`);
    expect((await json("show", "per01")).result).toMatchObject({
      name: "per01",
      lat: 1.5,
      endpoints: ["192.0.2.2"],
      agent: { url: `https://127.0.0.1:${provider.agents[1]?.port}` },
      publicKey: expect.stringMatching(/^.{44}$/),
    });
  });

  test("moves a node, and notifies its participants of the new address", async () => {
    const args = ["syd01", "--place", "Melbourne", "--at=-37.8,145", "--address", "192.0.2.77"];
    const { code, output } = await nodes("move", ...args, "--endpoint", "syd.example.org");
    expect([code, output]).toEqual([
      0,
      "syd01\n  place: Somewhere → Melbourne\n  coordinates: 0.5,10 → -37.8,145\n  address: 192.0.2.1 → 192.0.2.77\n" +
        `  other endpoints: none → syd.example.org\n\nNotified by mail, push and Activity: AS${ada}.\n`,
    ]);
    const address = async () =>
      Promise.all(
        servers.map(async ({ url }) => {
          const call = caller(url, one.cookie);
          const config = await call(calls.getNodeConfig, { username: ada, node: "syd01" });
          const { nodes: shown } = await call(calls.provider, undefined);
          return [config.public_ip, shown[0]?.place];
        }),
      );
    await expect.poll(address, knownWithin).toEqual(everywhere(["192.0.2.77", "Melbourne"]));
    // With SQLite, a notice of another process waits for the next poll, or for a restart.
    if (kind === "sqlite") {
      await servers[0]?.stop();
      servers = [await provider.startServer(database.settings)];
    }
    await waitFor(() => expect(provider.mail.text()).toContain("\nEndpoint = 192.0.2.77:"));
    expect(provider.mail.text()).toContain(`Subject: New address of syd01.example.net for AS${ada}`);
    one = participantOf(one);
    two = participantOf(two);
    const { entries } = await one.call(calls.getActivity, { username: ada });
    expect(entries[0]).toMatchObject({
      kind: "node-address-changed",
      text: "The address of syd01.example.net changed. Your configuration needs the new one.",
    });
    expect(await nodes("move", ...args)).toEqual({ code: 0, output: "syd01: nothing was changed.\n" });
    expect((await nodes("move", "syd01", "--endpoint", "none", "--at", "none")).output).toBe(
      "syd01\n  coordinates: -37.8,145 → none\n  other endpoints: syd.example.org → none\n",
    );
    // The peering runs on, unchanged.
    expect(await provider.readPeerings("syd01")).toMatchObject([{ asn: ada, routed: { peering: {} } }]);
  });

  test("does not take the tunnel address of a participant", async () => {
    const set = (value: string) =>
      database.query(`UPDATE peerings SET peer_ipv4 = ${value} WHERE node = 'syd01' AND asn = '${ada}'`);
    await set("'172.20.1.9'");
    expect(await nodes("move", "syd01", "--tunnel-ipv4", "172.20.1.9")).toEqual({
      code: 1,
      output: `The tunnel of AS${ada} has the address 172.20.1.9. Nothing was changed.\n`,
    });
    await set("NULL");
  });

  test("connects to the agent at its new address", async () => {
    const [syd, per] = provider.agents;
    await nodes("move", "syd01", "--agent", "https://127.0.0.1:1");
    await expect.poll(isReached, { timeout: 10_000 }).toBe(false);
    await nodes("move", "syd01", "--agent", `https://127.0.0.1:${syd?.port}`);
    await expect.poll(isReached, { timeout: 10_000 }).toBe(true);
    const taken = await nodes("move", "syd01", "--agent-fingerprint", per?.fingerprint ?? "");
    expect(taken).toEqual({
      code: 1,
      output: "per01 has the agent with this fingerprint. Nothing was changed.\n",
    });
  });

  test.each([
    [
      ["open", "de09"],
      "There is no node de09. Nothing was changed. The nodes are syd01, per01. Those that have not joined: peerdeck nodes list\n",
    ],
    [
      ["show", "de09"],
      "There is no node de09. Nothing was changed. The nodes are syd01, per01. Those that have not joined: peerdeck nodes list\n",
    ],
    [
      ["remove", "de09", "--yes"],
      "There is no node de09. Nothing was changed. The nodes are syd01, per01. Those that have not joined: peerdeck nodes list\n",
    ],
    [["destroy"], "There is no command nodes destroy."],
    [["open"], "The NAME of a node is missing."],
    [["close", "syd01", "per01"], "Give one NAME."],
    [["limit", "syd01"], "Give one NAME and one limit."],
    [
      ["limit", "syd01", "0"],
      "The limit 0 is no number from 1 to 1000000. To accept none: peerdeck nodes close.",
    ],
    [["limit", "syd01", "1000001"], "The limit 1000001 is no number from 1 to 1000000."],
    [["move", "syd01"], "An option is missing."],
    [["move", "syd01", "--at", "50"], '--at must be latitude and longitude such as 50.11,8.68, found "50".'],
    [["move", "syd01", "--at", "99,8"], "--at must be a latitude from -90 to 90, found 99."],
    [
      ["move", "syd01", "--address", "no host"],
      "--address must be a public IPv4 or IPv6 address, or a hostname, found",
    ],
    [["move", "syd01", "--agent", "http://192.0.2.1"], "--agent must be an https URL such as"],
    [["move", "syd01", "--address", "192.0.2.2"], "per01 has the address 192.0.2.2. Nothing was changed.\n"],
    [
      ["move", "syd01", "--tunnel-ipv4", "172.20.222.2"],
      "per01 has the tunnel address 172.20.222.2. Nothing",
    ],
    [
      ["servers", "--add", "0.0.0.0/0"],
      "--add must be an IPv4 or IPv6 address that is not link-local, or a range",
    ],
    [
      ["servers", "--add", "fe80::1"],
      "--add must be an IPv4 or IPv6 address that is not link-local, or a range",
    ],
    [["remove", "syd01"], "There is no terminal to ask on. Nothing was changed. To go on, add --yes.\n"],
    [["remove", "syd01", "--json"], "--json needs --yes."],
  ] as const)("refuses %j with a sentence, and changes nothing", async (args, sentence) => {
    const before = await database.query("SELECT * FROM nodes ORDER BY position");
    const { code, output } = await nodes(...args);
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
    expect(await database.query("SELECT * FROM nodes ORDER BY position")).toEqual(before);
  });

  test("changes where agents expect servers", async () => {
    expect((await nodes("servers", "--add", "198.51.100.0/24", "--add", "2001:DB8::7")).output).toMatch(
      /^198\.51\.100\.0\/24 was added\.\n2001:db8::7 was added\.\n[^]*198\.51\.100\.0\/24 {2}added by the operator\n2001:db8::7 {2}added/,
    );
    expect((await nodes("servers", "--add", "2001:db8::7")).output).toContain("Nothing was changed.\n");
    expect((await json("servers", "--remove", "2001:db8::7")).result).toMatchObject({
      addresses: expect.arrayContaining([
        expect.objectContaining({ address: "198.51.100.0/24", isManual: true }),
      ]),
      changes: ["2001:db8::7 was removed. A running server that has it adds it again within a minute."],
    });
    const audit = await provider.runCommand(["audit", "--since", "1h"], database.settings);
    expect(audit.output).toContain("198.51.100.0/24 was added. 2001:db8::7 was added.");
  });

  test("explains itself", async () => {
    const { code, output } = await nodes();
    expect([code, output]).toEqual([0, expect.stringContaining("peerdeck nodes COMMAND [--json]")]);
    expect((await nodes("--help")).output).toBe(output);
    expect((await nodes("move", "--help")).output).toContain("--address HOST");
  });
});
