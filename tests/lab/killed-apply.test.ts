/** The driver killed in the middle of an apply: the old or the new generation, and nobody else disturbed. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { dualStackOf, peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import { eventually } from "./eventually.ts";
import { openLab } from "../../src/lab/namespaces.ts";
import { openLabNode, startNodeBird } from "./lab-node.ts";
import { joinNode, makeKeys } from "./lab-participant.ts";

/** Milliseconds after the start of an apply, which takes about 100. */
const moments = [0, 4, 8, 12, 16, 20, 25, 30, 35, 40, 50, 60, 80, 100];

test("killed at many moments, it always comes back to one whole generation", async () => {
  await using lab = await openLab();
  const host = await lab.host("syd01", "198.51.100.254/24");
  const participant = await lab.host("participant", "198.51.100.1/24");
  await startNodeBird(host, []);
  const keys = await makeKeys(participant);
  const standing = peeringOf(1, { publicKey: keys.publicKey });
  const added = dualStackOf(2, { localIpv4: "172.20.16.1" });
  let node = await openLabNode(host);
  await node.set([routed(standing)]);
  const { publicKey } = await node.ask<{ publicKey: string }>("facts");
  await joinNode(participant, {
    keys,
    peering: standing,
    nodeKey: publicKey,
    nodeAddress: "198.51.100.254",
    routes: [],
  });
  await eventually(
    () => node.observe(),
    ([first]) => first?.sessions[0]?.state === "Established",
  );
  const birdc = (...command: readonly string[]) =>
    host.run("birdc", "-s", node.birdConfig.replace("bird.conf", "bird.ctl"), ...command);
  const protocols = async () =>
    (await birdc("show", "protocols")).split("\n").filter((line) => / BGP /.test(line));
  const before = await protocols();
  const interfaces = async () =>
    Array.from((await host.run("ip", "-o", "link")).matchAll(/dn42_[0-9]+/g), ([name]) => name);

  const outcomes = { old: 0, new: 0 };
  for (const moment of moments) {
    const applying = node.set([routed(standing), routed(added)]).then(
      () => "new" as const,
      () => "old" as const,
    );
    await pause(moment);
    await node.kill();
    outcomes[await applying] += 1;
    node = await openLabNode(host);
    // The server still wants the old generation, as when the task failed.
    await node.set([routed(standing)]);
    expect(await protocols()).toEqual(before);
    expect(await interfaces()).toEqual(["dn42_4242420001"]);
    const links = await host.run("readlink", `${node.birdDir}/current`, `${node.birdDir}/confirmed`);
    expect(new Set(links.trim().split("\n")).size).toBe(1);
    expect(await host.run("ls", "-A", `${host.folder}/state`)).toBe("interfaces.json\nwireguard.key\n");
    await node.set([routed(standing), routed(added)]);
    await node.set([routed(standing)]);
  }
  expect(outcomes.old).toBeGreaterThan(0);
  await node[Symbol.asyncDispose]();
});
