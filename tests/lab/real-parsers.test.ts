/** The rendered files of both sides of a peering, as parsed by BIRD, wg-quick, wg and nft. */
import fc from "fast-check";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkLocal, networkIpv4, networkIpv6 } from "../../src/domain/address-ranges.ts";
import { renderWireguard } from "../../src/domain/peering/participant-config.ts";
import { formatPrefix } from "../../src/domain/prefix.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { arbitraryPeering } from "../support/fixtures/arbitrary-peering.ts";
import { isEveryCase } from "../support/share-of-commit.ts";
import {
  type ExpectedTunnel,
  nodeProtocols,
  nodeTunnel,
  participantProtocols,
  participantTunnel,
  privateKey,
  renderFiles,
  withUniqueNames,
} from "./peering-files.ts";
import { openRouterParsers, type RouterParsers } from "./router-parsers.ts";

const drivers = path.join(import.meta.dirname, "../../src/agent/drivers");
/** Each run has other peerings. EVERY_CASE=1 reads 10,000. */
const peeringCount = isEveryCase() ? 10_000 : 200;
const batchSize = 500;
/** RENDERED_FILES_SEED repeats the peerings of a failed run. */
const seed = Number(process.env["RENDERED_FILES_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const networks = [...networkIpv4, ...networkIpv6, linkLocal].map(formatPrefix).toSorted();

type Batch = ReadonlyArray<ReturnType<typeof renderFiles>>;

let internet: Internet;
let host: LabHost;
let parsers: RouterParsers;
/** One file alone, and as many at once as the programs read in a moment. */
const batches: Batch[] = [];

beforeAll(async () => {
  internet = await openInternet();
  host = await internet.host("syd01", "198.51.100.254/24");
  parsers = await openRouterParsers(host);
  const files = withUniqueNames(fc.sample(arbitraryPeering, { numRuns: peeringCount, seed })).map(
    renderFiles,
  );
  expect(files.length).toBeGreaterThan(peeringCount / 2);
  batches.push(files.slice(0, 1));
  for (let first = 0; first < files.length; first += batchSize)
    batches.push(files.slice(first, first + batchSize));
});
afterAll(() => internet[Symbol.asyncDispose]());

test("nft accepts every golden file", async () => {
  const folder = path.join(drivers, "firewall/golden");
  const files = await readdir(folder);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files)
    expect(await host.run("nft", "--check", "--file", path.join(folder, file))).toBe("");
});

test("BIRD parses the base configuration with every golden file", async () => {
  const folder = path.join(drivers, "bird/golden");
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(path.join(folder, name), "utf8")),
  );
  const names = texts.flatMap((text) =>
    Array.from(text.matchAll(/^protocol bgp (\w+)/gm), ([, name]) => name),
  );
  expect(await parsers.readNodeBird(texts)).toEqual(expect.arrayContaining(names));
});

test("wg reads one peer from every golden file", async () => {
  const folder = path.join(drivers, "wireguard/golden");
  for (const name of await readdir(folder)) {
    const { peers } = await parsers.readWireguard(await readFile(path.join(folder, name), "utf8"));
    const expected = name === "no-endpoint.conf" ? null : 25;
    expect(peers.map(({ keepalive, allowedIps }) => [keepalive, allowedIps.length])).toEqual([[expected, 5]]);
  }
});

/** Returns what a program finds in each batch of files, and what the peerings say. */
async function readBatches(
  find: (batch: Batch) => Promise<readonly string[]>,
  describeBatch: (batch: Batch) => readonly string[],
) {
  const found: string[][] = [];
  for (const batch of batches) found.push((await find(batch)).toSorted());
  return { found, expected: batches.map((batch) => describeBatch(batch).toSorted()) };
}

// wg-quick is a shell script: on a busy machine it reads a batch in several seconds.
const timeout = { timeout: 600_000 };

test("BIRD finds the sessions of every peering in the node's files", timeout, async () => {
  const own = await parsers.readNodeBird([]);
  const { found, expected } = await readBatches(
    (batch) => parsers.readNodeBird(batch.map(({ nodeBird }) => nodeBird)),
    (batch) => [...own, ...batch.flatMap(({ random }) => nodeProtocols(random))],
  );
  expect({ seed, found }).toEqual({ seed, found: expected });
});

test("BIRD finds the sessions of every peering in the participants' files", timeout, async () => {
  const own = await parsers.readParticipantBird([]);
  const { found, expected } = await readBatches(
    (batch) => parsers.readParticipantBird(batch.map(({ participantBird }) => participantBird)),
    (batch) => [...own, ...batch.flatMap(({ random }) => participantProtocols(random))],
  );
  expect({ seed, found }).toEqual({ seed, found: expected });
});

test("wg finds the tunnel of every peering in the node's files", timeout, async () => {
  const { found, expected } = await readBatches(
    (batch) => readTunnels(batch.map(({ nodeWireguard }) => nodeWireguard).join("")),
    (batch) => printTunnels(batch.map(({ random }) => nodeTunnel(random))),
  );
  expect({ seed, found }).toEqual({ seed, found: expected });
});

test("wg-quick and wg find the tunnel of every peering in the participants' files", timeout, async () => {
  const { found, expected } = await readBatches(
    async (batch) => {
      const configs = batch.map(({ participantWireguard }) => participantWireguard);
      return readTunnels(await parsers.stripWireguard(configs.join("")));
    },
    (batch) => printTunnels(batch.map(({ random }) => participantTunnel(random))),
  );
  expect({ seed, found }).toEqual({ seed, found: expected });
});

/** The interface and its peers, and the lines of other files: an interface has the key and the port of the last file. */
async function readTunnels(config: string): Promise<readonly string[]> {
  const { peers, ...own } = await parsers.readWireguard(config);
  return [
    `${own.privateKey} ${own.listenPort}`,
    ...peers.map(({ publicKey, endpoint, keepalive, allowedIps }) =>
      [publicKey, endpoint, keepalive, ...allowedIps.toSorted()].join(" "),
    ),
    ...config.split("\n").filter((line) => /^(PrivateKey|ListenPort)/.test(line)),
  ];
}

function printTunnels(tunnels: readonly ExpectedTunnel[]): readonly string[] {
  return [
    `${privateKey} ${tunnels.at(-1)?.listenPort}`,
    ...tunnels.map(({ publicKey, endpoint }, index) =>
      // The peers allow the same networks, and a network belongs to the last peer that allows it.
      [publicKey, endpoint, 25, ...(index === tunnels.length - 1 ? networks : [])].join(" "),
    ),
    ...tunnels.flatMap((each) => [`PrivateKey = ${privateKey}`, `ListenPort = ${each.listenPort}`]),
  ];
}

test("wg refuses a participant's file until the participant inserts the private key", async () => {
  const [[files] = []] = batches;
  const config = files ? renderWireguard(files.random.sides) : "";
  await expect(parsers.stripWireguard(config).then(parsers.readWireguard)).rejects.toThrow(
    "Key is not the correct length or format: `<pasteyourprivatekeyhere>'",
  );
});
