/** The rendered files of both sides of a peering, as parsed by BIRD, wg-quick, wg and nft. */
import fc from "fast-check";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderWireguard } from "../../src/domain/peering/participant-config.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { arbitraryPeering } from "../support/fixtures/arbitrary-peering.ts";
import { isEveryCase } from "../support/share-of-commit.ts";
import { createFileChecks, type FileCheck, findRefusal } from "./file-checks.ts";
import { type FileKind, fileKinds, type PeeringFiles, toBatches } from "./peering-files.ts";
import { openRouterParsers, type RouterParsers } from "./router-parsers.ts";

const drivers = path.join(import.meta.dirname, "../../src/agent/drivers");
/** Each run has other peerings. EVERY_CASE=1 reads 10,000. */
const peeringCount = isEveryCase() ? 10_000 : 2_000;
const batchSize = 500;
const singleCount = 4;
/** RENDERED_FILES_SEED repeats the peerings of a failed run. */
const seed = Number(process.env["RENDERED_FILES_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

let internet: Internet;
let host: LabHost;
let parsers: RouterParsers;
let checks: Readonly<Record<FileKind, FileCheck>>;
let batches: ReadonlyArray<readonly PeeringFiles[]>;

beforeAll(async () => {
  internet = await openInternet();
  host = await internet.host("syd01", "198.51.100.254/24");
  parsers = await openRouterParsers(host);
  checks = await createFileChecks(parsers);
  batches = toBatches(fc.sample(arbitraryPeering, { numRuns: peeringCount, seed }), batchSize);
});
afterAll(() => internet[Symbol.asyncDispose]());

/** Describes the first refused file of a batch, with the seed; null if all are accepted. */
async function describeRefusal(batch: readonly PeeringFiles[], kind: FileKind): Promise<string | null> {
  const refusal = await findRefusal(batch, checks[kind]);
  if (refusal === null) return null;
  const { files, message } = refusal;
  const file = files
    ? `${JSON.stringify(files.random.routed)}\n${files[kind]}`
    : "The files are refused only together.";
  return `${message}\n${file}\nRepeat with RENDERED_FILES_SEED=${seed}.`;
}

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

// wg-quick is a shell script: on a busy machine it reads a batch in several seconds.
const manyFilesTimeoutMs = 600_000;

test.each(fileKinds)(
  "%s: the program accepts many files and finds each peering in them",
  { timeout: manyFilesTimeoutMs },
  async (kind) => {
    for (const batch of batches) expect(await describeRefusal(batch, kind)).toBeNull();
    expect(batches.flat()).toHaveLength(peeringCount);
  },
);

test.each(fileKinds)("%s: the program accepts a file alone", async (kind) => {
  for (const files of batches.flat().slice(0, singleCount))
    expect(await describeRefusal([files], kind)).toBeNull();
});

test("wg refuses a participant's file until the participant inserts the private key", async () => {
  const [files] = batches.flat();
  const config = files ? renderWireguard(files.random.sides) : "";
  await expect(parsers.stripWireguard(config).then(parsers.readWireguard)).rejects.toThrow(
    "Key is not the correct length or format: `<pasteyourprivatekeyhere>'",
  );
});

const plantedBatchSize = 50;

/** Faults, each with the kind of file and a part of the message. */
const faults: ReadonlyArray<readonly [string, FileKind, (text: string) => string, string]> = [
  ["a brace too many", "nodeBird", (text) => `${text}}\n`, "syntax error"],
  ["a missing brace", "nodeBird", (text) => text.replace(/\}\n$/, ""), "syntax error"],
  ["another protocol", "nodeBird", (text) => `${text}protocol static { ipv4; }\n`, "found static1"],
  ["no session", "participantBird", () => "", "expected dn42_"],
  [
    "no interface",
    "participantBird",
    (text) => text.replaceAll(/ % '.*?'|^ *interface .*\n/gm, ""),
    "Link-local addresses require defined interface",
  ],
  ["port 65536", "nodeWireguard", (text) => text.replace(/(?<=^Endpoint = .*:)[0-9]+$/m, "65536"), ":0"],
  ["a second peer", "nodeWireguard", (text) => text.replace("[Peer]", "[Peer]\n[Peer]"), "public key"],
  ["an unknown name", "participantWireguard", (text) => text.replace("Endpoint", "EndPort"), "unrecognized"],
  [
    "a private key of 31 bytes",
    "participantWireguard",
    (text) => text.replace(/^PrivateKey = .*$/m, `PrivateKey = ${Buffer.alloc(31, 1).toString("base64")}`),
    "Key is not the correct length or format",
  ],
];

test.each(faults)("%s in one of many files is found (%s)", async (_, kind, plant, message) => {
  const batch = (batches[0] ?? []).slice(0, plantedBatchSize);
  const middle = batch.findIndex(
    ({ random }, index) => index >= plantedBatchSize / 2 && random.sides.peer.peer_ipv6.startsWith("fe80:"),
  );
  const files = batch[middle];
  if (!files) throw new Error("No peering of the batch has a link-local address.");
  const planted = { ...files, [kind]: plant(files[kind]) };
  const refusal = await findRefusal(batch.with(middle, planted), checks[kind]);
  expect(refusal?.files).toBe(planted);
  expect(refusal?.message).toContain(message);
});
