/** Golden files, and files rendered from participants' input, as parsed by BIRD and `wg`. */
import fc from "fast-check";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderBirdPeering } from "../../src/agent/drivers/bird/render.ts";
import { parseDump } from "../../src/agent/drivers/wireguard/parse-dump.ts";
import { renderWireguard } from "../../src/agent/drivers/wireguard/render.ts";
import type { Peering } from "../../src/contract/agent.ts";
import { sessionsOf } from "../../src/domain/peering/bgp-sessions.ts";
import { completePeering } from "../../src/domain/peering/complete-peering.ts";
import { checkPeerUpdate } from "../../src/domain/peering/check-peer-update.ts";
import { arbitraryUpdate } from "../support/fixtures/arbitrary-update.ts";
import { validKey } from "../support/fixtures/hostile-input.ts";
import { peeringContext } from "../support/fixtures/peering-context.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { providerAsn, writeNodeConfig } from "./lab-node.ts";

const drivers = path.join(import.meta.dirname, "../../src/agent/drivers");
const nothingInUse = {
  ports: new Set<number>(),
  peerAddresses: new Set<string>(),
  publicKeys: new Set<string>(),
};
const sampleSize = 60;

let internet: Internet;
let host: LabHost;

beforeAll(async () => {
  internet = await openInternet();
  host = await internet.host("syd01", "198.51.100.254/24");
  await writeNodeConfig(host, []);
  await host.run("sh", "-c", "ip link add wg0 type wireguard 2>/dev/null || wireguard-go wg0 2>/dev/null");
});
afterAll(() => internet[Symbol.asyncDispose]());

/** Runs BIRD's parser on the base configuration with these files included. */
async function parseWithBird(files: ReadonlyMap<string, string>): Promise<void> {
  const folder = path.join(host.folder, "peerdeck/a");
  await host.run("sh", "-c", `rm -f ${folder}/*`);
  for (const [name, text] of files) await writeFile(path.join(folder, name), text);
  await host.run("bird", "-p", "-c", path.join(host.folder, "bird.conf"));
}

async function peersOf(config: string) {
  const file = path.join(host.folder, "wg.conf");
  await writeFile(file, config);
  await host.run("wg", "setconf", "wg0", file);
  return parseDump(await host.run("wg", "show", "all", "dump")).get("wg0")?.peers ?? [];
}

function sampleAccepted(): readonly Peering[] {
  const updates = fc.sample(arbitraryUpdate, { numRuns: 3000, seed: 42 });
  const peerings = updates.flatMap((update) => {
    const checked = checkPeerUpdate(update, peeringContext);
    if (!checked.ok) return [];
    const completed = completePeering(checked.request, peeringContext.node, nothingInUse, null);
    return completed.ok ? [completed.peering] : [];
  });
  const distinct = new Map(peerings.map((peering) => [JSON.stringify(peering), peering]));
  return [...distinct.values()].slice(0, sampleSize);
}

test("BIRD parses the base configuration with every golden file, and rejects a broken one", async () => {
  const folder = path.join(drivers, "bird/golden");
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
  await parseWithBird(new Map(names.map((name, index) => [name, texts[index] ?? ""])));
  await expect(parseWithBird(new Map([["broken.conf", `${texts[0]}}`]]))).rejects.toThrow("syntax error");
});

test("wg reads one peer from every golden file", async () => {
  const folder = path.join(drivers, "wireguard/golden");
  for (const name of await readdir(folder)) {
    const peers = await peersOf(await readFile(path.join(folder, name), "utf8"));
    expect(peers.map(({ keepalive, allowedIps }) => [keepalive, allowedIps.length])).toEqual([[25, 5]]);
  }
});

test("BIRD and wg find exactly the participant's sessions and its one peer", async () => {
  const sample = sampleAccepted();
  expect(sample).toHaveLength(sampleSize);
  for (const peering of sample) {
    const routed = { peering, endpointAddress: "203.0.113.9" };
    await parseWithBird(new Map([["peer.conf", renderBirdPeering(routed, { providerAsn })]]));
    const peers = await peersOf(renderWireguard(routed, validKey));
    expect(peers.map(({ publicKey, endpoint }) => [publicKey, endpoint])).toEqual([
      [peering.publicKey, `203.0.113.9:${peering.endpointPort}`],
    ]);
  }
  const control = path.join(host.folder, "bird.ctl");
  const [peering] = sample;
  if (!peering) throw new Error("no sample");
  await mkdir(path.join(host.folder, "peerdeck/a"), { recursive: true });
  await parseWithBird(
    new Map([["peer.conf", renderBirdPeering({ peering, endpointAddress: "203.0.113.9" }, { providerAsn })]]),
  );
  await host.run("bird", "-c", path.join(host.folder, "bird.conf"), "-s", control, "-P", `${control}.pid`);
  const shown = await host.run("birdc", "-s", control, "show", "protocols");
  const bgp = shown.split("\n").filter((line) => / BGP /.test(line));
  expect(bgp.map((line) => line.split(" ")[0])).toEqual(sessionsOf(peering).map(({ name }) => name));
});
