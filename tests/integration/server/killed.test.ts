/**
 * Kills a real server process with SIGKILL at many points of a deployment and starts it again: whatever the
 * task then says must be true of what is desired and of what the node runs.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { CallError } from "../../../src/contract/client.ts";
import { calls } from "../../../src/contract/calls.ts";
import { describeEachDatabase } from "../../setup/databases.ts";
import { caller, ended, type Participant, peerUpdate, setNodeMode, signUp } from "./participant.ts";

const asn = "4242420001";
const node = "de01";
const rounds = 24;
/** Deployments of the simulated routers last about this long at the speed below. */
const spanMs = 400;

describeEachDatabase("a server killed in a deployment", (openUrl) => {
  test(`keeps its word, ${rounds} times`, { timeout: 240_000 }, async () => {
    const database = await openUrl();
    const dataDir =
      database.kind === "sqlite" ? database.dataDir : await mkdtemp(join(tmpdir(), "peerdeck-kill-"));
    const environment = {
      PORT: "0",
      DATA_DIR: dataDir,
      DEMO_TIME_SCALE: "0.1",
      ...(database.kind === "postgres" && { DATABASE_URL: database.url }),
    };
    let server = await startProcess(environment);
    const told = { success: 0, refused: 0 };
    try {
      const { cookie } = await signUp(server.url, asn);
      for (let round = 0; round < rounds; round += 1) {
        const before = await currentPort(as(server, cookie));
        if (round % 4 === 3) await setNodeMode(server.url, node, "refuse");
        const wanted = await sendSomething(as(server, cookie), round, before);
        await pause((spanMs * round) / rounds);
        server.child.kill("SIGKILL");
        await once(server.child, "exit");
        server = await startProcess(environment);
        const participant = as(server, cookie);
        const task = await ended(participant, wanted.taskID);
        if (task.status === "success") told.success += 1;
        else told.refused += 1;
        expect(await currentPort(participant)).toBe(task.status === "success" ? wanted.port : before);
        await nodeRuns(participant, task.status === "success" ? wanted.port : before);
      }
    } finally {
      server.child.kill("SIGKILL");
      await once(server.child, "exit");
      await rm(dataDir, { recursive: true });
    }
    expect(told.success + told.refused).toBe(rounds);
    expect(told.success).toBeGreaterThan(0);
  });
});

interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts the demo as a process of its own and waits until it says where it listens. */
async function startProcess(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const child = spawn(process.execPath, ["src/main.ts"], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(line)?.[0];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, child };
  }
  throw new Error("the server ended before it listened");
}

function as({ url }: ServerProcess, cookie: string): Participant {
  return { asn, cookie, call: caller(url, cookie) };
}

/** In turn: create or change the peering to another endpoint port, and every third time delete it. */
async function sendSomething({ call }: Participant, round: number, before: string | null) {
  if (before !== null && round % 3 === 2) {
    const { taskID } = await call(calls.deletePeer, { username: asn, node });
    return { taskID, port: null };
  }
  const port = String(20_000 + round);
  const { taskID } = await call(calls.updatePeerConfig, [
    { username: asn },
    peerUpdate({ node, remote_port: port }),
  ]);
  return { taskID, port };
}

/** The endpoint port that the participant is told, or null where there is no peering. */
async function currentPort({ call }: Participant): Promise<string | null> {
  try {
    const config = await call(calls.getPeerConfig, { username: asn, node });
    return config[node]?.remote.split(":")[1] ?? null;
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return null;
    throw error;
  }
}

/** Waits until the node's own words show the endpoint port, or no peering at all. */
async function nodeRuns({ call }: Participant, port: string | null): Promise<void> {
  if (port === null) {
    await expect(call(calls.getPeerDetails, { username: asn, node })).rejects.toMatchObject({ status: 404 });
    return;
  }
  await expect
    .poll(async () => (await call(calls.getPeerDetails, { username: asn, node }))[node]?.wg_details.output, {
      timeout: 10_000,
    })
    .toContain(`:${port}`);
}
