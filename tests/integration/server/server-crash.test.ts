/**
 * Kills a real server process with SIGKILL at points of a deployment, another one with each commit, and restarts it. The task's result must then
 * agree with the desired state and with what the node runs.
 */
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { CallError } from "#contract/client.ts";
import { calls } from "#contract/calls.ts";
import { compileCache } from "../../support/compile-cache.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { oneOfCommit } from "../../support/share-of-commit.ts";
import { type DemoProcess, startDemoProcess } from "./demo-process.ts";
import { caller, waitForTask, type Participant, peerUpdate, setNodeMode, signUp } from "./participant.ts";

const asn = "4242420001";
const timeScale = 0.3;
/** A deployment to simulated routers takes 600 ms at full scale. The last kill comes when all have ended. */
const killDelaysMs = [0, ...oneOfCommit([120, 240, 360, 480]), 600].map((delayMs) => delayMs * timeScale);

/** Four nodes; every round makes one change on each of them, all at the same time. */
const nodes = { edited: "de01", createdAndDeleted: "syd01", recreated: "per01", refusing: "sin01" } as const;

describeWithDatabase("a server that is killed during deployments", { postgres: "share" }, (openUrl) => {
  test("reports true results after each kill", { timeout: 240_000 }, async () => {
    const database = await openUrl();
    const dataDir = database.kind === "sqlite" ? database.dataDir : await createScratchFolder(onTestFinished);
    const environment = {
      PORT: "0",
      DATA_DIR: dataDir,
      DEMO_TIME_SCALE: String(timeScale),
      ...compileCache,
      ...(database.kind === "postgres" && { DATABASE_URL: database.url, PEERDECK_DEMO: "1" }),
    };
    let server = await startDemoProcess(environment);
    const results = { success: 0, failed: 0, error: 0, waiting: 0 };
    const kinds = { new: 0, edit: 0, delete: 0 };
    let killedInTime = 0;
    try {
      const { cookie } = await signUp(server.url, asn);
      for (const [round, delayMs] of killDelaysMs.entries()) {
        const before = as(server, cookie);
        await setNodeMode(server.url, nodes.refusing, "refuse");
        const changes = await Promise.all(
          Object.values(nodes).map((node) => untilSaved(() => submitChange(before, node, round))),
        );
        await pause(delayMs);
        if (delayMs === killDelaysMs.at(-1))
          await Promise.all(changes.map(({ taskID }) => waitForTask(before, taskID)));
        const unfinished = await before.call(calls.getTasks, { username: asn });
        server.child.kill("SIGKILL");
        await once(server.child, "exit");
        if (unfinished.length > 0) killedInTime += 1;

        server = await startDemoProcess(environment);
        const after = as(server, cookie);
        for (const { node, taskID, kind, port, portBefore } of changes) {
          const { status } = await waitForTask(after, taskID);
          const expected = status === "success" ? port : portBefore;
          expect(await configuredPort(after, node)).toBe(expected);
          await expectNodeRuns(after, node, expected);
          results[status] += 1;
          kinds[kind] += 1;
        }
      }
    } finally {
      server.child.kill("SIGKILL");
      await once(server.child, "exit");
    }
    expect(killedInTime).toBeGreaterThan(0);
    expect(results).toMatchObject({ error: 0, waiting: 0 });
    for (const count of [results.failed, results.success, ...Object.values(kinds)])
      expect(count).toBeGreaterThan(0);
  });
});

function as({ url }: DemoProcess, cookie: string): Participant {
  return { asn, cookie, call: caller(url, cookie) };
}

/** Repeats what changed nothing: on a busy machine a submit may wait too long for the others. */
async function untilSaved<T>(submit: () => Promise<T>): Promise<T> {
  return submit().catch((error: unknown) => {
    if (error instanceof CallError && error.status === 503) return untilSaved(submit);
    throw error;
  });
}

type Kind = "new" | "edit" | "delete";

/** Creates a peering on a node without one; otherwise deletes it on two of the nodes and changes its port on the others. */
async function submitChange(participant: Participant, node: string, round: number) {
  const portBefore = await configuredPort(participant, node);
  const alternates = node === nodes.createdAndDeleted || node === nodes.recreated;
  const kind: Kind = portBefore === null ? "new" : alternates ? "delete" : "edit";
  const port = kind === "delete" ? null : String(20_000 + round);
  const { taskID } =
    port === null
      ? await participant.call(calls.deletePeer, { username: asn, node })
      : await participant.call(calls.updatePeerConfig, [
          { username: asn },
          peerUpdate({ node, remote_port: port }),
        ]);
  return { node, taskID, kind, port, portBefore };
}

/** The endpoint port in the participant's configuration, or null without a peering. */
async function configuredPort({ call }: Participant, node: string): Promise<string | null> {
  try {
    const config = await call(calls.getPeerConfig, { username: asn, node });
    return config[node]?.remote.split(":")[1] ?? null;
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return null;
    throw error;
  }
}

/** Waits until the node's output shows the endpoint port, or no peering. */
async function expectNodeRuns({ call }: Participant, node: string, port: string | null): Promise<void> {
  if (port === null) {
    await expect(call(calls.getPeerDetails, { username: asn, node })).rejects.toMatchObject({ status: 404 });
    return;
  }
  await expect
    .poll(async () => (await call(calls.getPeerDetails, { username: asn, node }))[node]?.wg_details.output)
    .toContain(`:${port}`);
}
