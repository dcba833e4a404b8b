/** Clients that send many requests and read no response: the server's memory does not grow with them. */
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { startDemoProcess } from "./demo-process.ts";

const requests = "GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000);

async function readRssMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

test("sockets that pipeline requests and read nothing cost at most 30 MB, and others are answered", async () => {
  const folder = await createScratchFolder(onTestFinished);
  const environment = { DATA_DIR: folder, PORT: "0", NODE_OPTIONS: "--max-old-space-size=200" };
  const { url, child } = await startDemoProcess(environment);
  onTestFinished(() => void child.kill("SIGKILL"));
  const { hostname, port } = new URL(url);
  const read = async () => (await fetch(`${url}/api/openapi.json`)).text();
  for (let call = 0; call < 40; call += 1) await read();
  // A server that has just started grows by itself.
  let before = 0;
  for (let look = 0; look < 15; look += 1) {
    await sleep(100);
    await read();
    before = Math.max(before, await readRssMb(child.pid));
  }

  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  let held = 0;
  for (const count of [4, 16]) {
    for (let index = 0; index < count; index += 1) {
      const socket = connect(Number(port), hostname)
        .on("error", () => undefined)
        .pause();
      sockets.push(socket);
      socket.write(requests);
    }
    // The least: what the collector of garbage has not freed yet comes and goes.
    held = Infinity;
    for (let look = 0; look < 10; look += 1) {
      await sleep(100);
      held = Math.min(held, await readRssMb(child.pid));
      expect((await read()).length).toBeGreaterThan(10_000);
    }
  }
  expect(held - before).toBeLessThanOrEqual(30);
  expect(child.exitCode).toBeNull();
});
