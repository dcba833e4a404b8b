/** An operator who works on a router, and pauses the agent's repairs meanwhile. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import { setRepairs } from "../../src/agent/setup/pause-commands.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { eventually } from "./eventually.ts";
import { type LabAgent, startAgent } from "./lab-agent.ts";
import { routerOptions, startNodeBird } from "./lab-node.ts";

let internet: Internet;
let host: LabHost;
let agent: LabAgent;

beforeAll(async () => {
  internet = await openInternet();
  host = await internet.host("syd01", "198.51.100.254/24");
  await startNodeBird(host, []);
  agent = await startAgent(host);
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

const repairs = (command: "pause" | "resume") =>
  setRepairs(command, { state_dir: routerOptions(host).stateDir, router: "linux" });
const changeMtu = () => host.run("ip", "link", "set", "dn42_4242420001", "mtu", "1300");
const readMtu = async () =>
  /mtu (\d+)/.exec(await host.run("ip", "link", "show", "dn42_4242420001"))?.[1] ?? "";
const disableInBird = () =>
  host.run("birdc", "-s", path.join(host.folder, "bird.ctl"), "disable", "dn42_4242420001");
const hasDisabledInFiles = async () =>
  (await readFile(path.join(host.folder, "peerdeck/current/dn42_4242420001.conf"), "utf8")).includes(
    "disabled;",
  );
const findingCodes = async () => (await agent.health()).findings.map(({ code }) => code);
/** Waits until the agent's loop has come by twice since now: it logs nothing while repairs are paused. */
const twoChecks = () => host.run("sleep", "1.5");

test("what drifts during a pause stays, deployments go on, and resume repairs it", async () => {
  await agent.apply("4242420001", peeringOf(1));
  await repairs("pause");
  expect(await findingCodes()).toContain("repairs-paused");
  await changeMtu();
  await disableInBird();
  await twoChecks();
  expect([await readMtu(), await hasDisabledInFiles(), (await agent.events()).length]).toEqual([
    "1300",
    false,
    0,
  ]);
  // A deployment changes what it is about, and keeps the session disabled.
  expect(await agent.apply("4242420002", peeringOf(2))).toMatchObject({ outcome: "applied" });
  expect([await readMtu(), await hasDisabledInFiles()]).toEqual(["1300", true]);

  // A start applies the confirmed peerings once. The pause goes on.
  await agent[Symbol.asyncDispose]();
  agent = await startAgent(host);
  expect(await readMtu()).toBe("1420");
  await changeMtu();
  await twoChecks();
  expect([await readMtu(), (await findingCodes()).includes("repairs-paused")]).toEqual(["1300", true]);

  await repairs("resume");
  await eventually(readMtu, (mtu) => mtu === "1420");
  expect(await findingCodes()).not.toContain("repairs-paused");
  expect((await agent.events()).map(({ kind }) => kind)).toContain("router-repaired");
  const log = await readFile(`${routerOptions(host).stateDir}.log`, "utf8");
  expect(log).toMatch(/^repairs are paused[^]*\nrepairs are paused[^]*\nrepairs are resumed/m);
});
