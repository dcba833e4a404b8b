/** The rendered files of both sides of a peering, as parsed by BIRD, wg-quick, wg and nft. */
import fc from "fast-check";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderWireguard } from "../../src/domain/peering/participant-config.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { arbitraryPeering } from "../support/fixtures/arbitrary-peering.ts";
import { isEveryCase } from "../support/share-of-commit.ts";
import { createFileChecks, type FileCheck } from "./file-checks.ts";
import { type FileKind, fileKinds, type PeeringFiles, toBatches } from "./peering-files.ts";
import { openRouterParsers, type RouterParsers } from "./router-parsers.ts";

const drivers = path.join(import.meta.dirname, "../../src/agent/drivers");
/** Each run has other peerings. EVERY_CASE=1 reads 10,000. */
const peeringCount = isEveryCase() ? 10_000 : 500;
const batchSize = 500;
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

test.each(fileKinds)(
  "%s: the program accepts many files, and one alone, and finds each peering in them",
  // wg-quick is a shell script: on a busy machine it reads a batch in several seconds.
  { timeout: 600_000 },
  async (kind) => {
    expect(batches.flat()).toHaveLength(peeringCount);
    for (const batch of [...batches, (batches[0] ?? []).slice(0, 1)]) {
      await checks[kind](batch).catch((error: unknown) => {
        throw new Error(`Repeat with RENDERED_FILES_SEED=${seed}.`, { cause: error });
      });
    }
  },
);

test("wg refuses a participant's file until the participant inserts the private key", async () => {
  const [files] = batches.flat();
  const config = files ? renderWireguard(files.random.sides) : "";
  await expect(parsers.stripWireguard(config).then(parsers.readWireguard)).rejects.toThrow(
    "Key is not the correct length or format: `<pasteyourprivatekeyhere>'",
  );
});
