/** How often a participant can change a peering. */
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { createLog } from "#server/log.ts";
import { agentResponse } from "../../support/agent-response.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { demoServer } from "./demo-server.ts";
import {
  deletePeering,
  deployPeering,
  type Participant,
  peerUpdate,
  signUp,
  submitError,
  waitForTask,
} from "./participant.ts";
import { profileServer } from "./profile-server.ts";

const node = "syd01";
const limit = 20;

describeWithDatabase("changes of peerings in quick succession", { postgres: "campaigns" }, (openDatabase) => {
  test("are rejected beyond 20 of a peering and 60 of an AS in a minute, and the last accepted one stays deployed", async () => {
    const errors: string[] = [];
    await using server = await demoServer({
      timeScale: 0,
      at: await openDatabase(),
      // Between the shortest and the longest time of an attempt, so that the rest of the time limits the attempt.
      waitMs: 15_000,
      log: createLog("error", { write: (line) => void errors.push(line) }),
    });
    const participant = await signUp(server.url, "4242420001");
    const update = peerUpdate({ node });
    const submit = (port: number, on = node) =>
      participant.call(calls.updatePeerConfig, [
        { username: participant.asn },
        { ...update, node: on, remote_port: String(port) },
      ]);
    const deploy = async (port: number) => {
      // Equal submits are one task, so they count once.
      const tasks = await Promise.all([submit(port), submit(port)]);
      expect(new Set(tasks.map(({ taskID }) => taskID)).size).toBe(1);
      const { status, taskID } = await waitForTask(participant, tasks[0].taskID);
      expect(status).toBe("success");
      return taskID;
    };

    const deployed: string[] = [];
    for (let edit = 1; edit <= limit; edit += 1) deployed.push(await deploy(20_000 + edit));
    expect(new Set(deployed).size).toBe(limit);
    // Repeating the last submit is no change.
    expect((await submit(20_000 + limit)).taskID).toBe(deployed.at(-1));

    const rejected = await fetch(`${server.url}${calls.updatePeerConfig.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: participant.cookie },
      body: JSON.stringify([{ username: participant.asn }, { ...update, remote_port: "30000" }]),
    });
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(rejected.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(await rejected.json()).toEqual({
      message: "Too many changes of this peering. Nothing was changed; wait a minute and try again.",
    });
    expect(await configuredRemote(participant)).toBe(`198.51.100.7:${20_000 + limit}`);

    // Other peerings are not limited, until there are 60 changes of this AS in a minute.
    await Promise.all(
      ["per01", "de01"].map(async (on) => {
        for (let edit = 1; edit <= limit; edit += 1) {
          const task = await waitForTask(participant, (await submit(20_000 + edit, on)).taskID);
          expect(task.status).toBe("success");
        }
      }),
    );
    await expect(submit(20_000, "sin01")).rejects.toMatchObject({
      status: 429,
      body: {
        message: "Too many changes of peerings of this AS. Nothing was changed; wait a minute and try again.",
      },
    });
    // Another AS, and deletions, are not limited.
    await deployPeering(await signUp(server.url, "4242420002"), "sin01");
    expect(await deletePeering(participant, node)).toMatchObject({ status: "success" });
    expect(errors).toEqual([]);
  });
});

test("are rejected beyond those of an AS in a day, with the hours to wait, and deletions are not", async () => {
  await using server = await profileServer(
    {},
    { limitNumbers: { changePerAsAndDay: { points: 2, seconds: 86_400 } } },
  );
  const participant = await signUp(server.url, "4242420001");
  for (const on of ["per01", "sin01"]) await deployPeering(participant, on);
  const rejected = await submitError(participant, peerUpdate({ node }));
  expect([rejected.status, rejected.body.message]).toEqual([
    429,
    "Too many changes of peerings of this AS in a day. Nothing was changed; wait 24 hours and try again.",
  ]);
  expect(await deletePeering(participant, "per01")).toMatchObject({ status: "success" });
});

async function configuredRemote({ asn, call }: Participant): Promise<string | undefined> {
  return (await call(calls.getPeerConfig, { username: asn, node }))[node]?.remote;
}

test("BGP of a peering is restarted once in 30 seconds, and a restart that failed does not count", async () => {
  let isRefused = true;
  await using server = await profileServer(
    {},
    {
      timeScale: 0,
      through: (agent) => async (request) =>
        isRefused && request.path === "/v1/restart-bgp"
          ? agentResponse({ ok: false, output: "bird: no such protocol" })
          : agent(request),
    },
  );
  const participant = await signUp(server.url, "4242420001");
  for (const each of [node, "de01"]) await deployPeering(participant, each);
  const restart = (on = node) =>
    fetch(`${server.url}${calls.restartBGPPeer.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: participant.cookie },
      body: JSON.stringify({ username: participant.asn, node: on }),
    });
  expect((await restart()).status).toBe(502);
  isRefused = false;
  expect((await restart()).status).toBe(200);
  const rejected = await restart();
  expect(rejected.status).toBe(429);
  const seconds = Number(rejected.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(1);
  expect(seconds).toBeLessThanOrEqual(30);
  expect(await rejected.json()).toEqual({
    message: `BGP of this peering was restarted a moment ago. Nothing was changed; wait ${seconds} seconds and try again.`,
  });
  expect((await restart("de01")).status).toBe(200);
});
