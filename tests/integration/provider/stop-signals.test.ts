/** `npm start` as an operator runs it, with npm and its shell. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileCache } from "../../support/compile-cache.ts";
import { freePort } from "../../support/free-port.ts";
import { repository } from "../../support/repository.ts";
import { waitFor } from "../../support/wait-for.ts";

const isResponding = (url: string) =>
  fetch(`${url}/readyz`, { headers: { connection: "close" } }).then(
    () => true,
    () => false,
  );

test.each([
  ["SIGTERM", "npm"],
  ["SIGINT", "npm"],
  // A terminal sends the signal to all its processes, and npm sends it to the server a second time.
  ["SIGINT", "all"],
  ["SIGHUP", "all"],
] as const)("%s to %s ends the server after the request in progress", async (signal, receiver) => {
  const dataDir = await mkdtemp(join(tmpdir(), "peerdeck-npm-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // Without the script that builds the web app, which the tests have built.
  const npm = spawn("npm", ["start", "--ignore-scripts"], {
    cwd: repository,
    env: { ...process.env, ...compileCache, PORT: String(port), DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
  const exited = once(npm, "exit");
  const group = -(npm.pid ?? 0);
  try {
    await waitFor(async () => expect(await isResponding(url)).toBe(true));
    const request = connect(port, "127.0.0.1");
    let response = "";
    request.on("data", (chunk: Buffer) => (response += chunk.toString()));
    const body = JSON.stringify({ asn: "4242420001", password: "wrong" });
    request.write(
      `POST /api/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await waitFor(() => expect(response).toContain("100 Continue"));
    const closed = once(request, "close");
    process.kill(receiver === "npm" ? (npm.pid ?? 0) : group, signal);
    await waitFor(async () => expect(await isResponding(url)).toBe(false));
    request.write(body);
    await Promise.all([closed, exited]);
    expect(response).toMatch(/HTTP\/1\.1 4\d\d [^]*"message"/);
    await waitFor(() => expect(() => process.kill(group, 0)).toThrow("ESRCH"));
  } finally {
    try {
      process.kill(group, "SIGKILL");
    } catch {
      // It has ended.
    }
    await rm(dataDir, { recursive: true });
  }
});
