/** Which links the server mails while its registry clone is old, or the remote fails. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  createRegistryClone,
  type RegistryClone,
  type RegistryCloneOptions,
} from "#server/registry/clone/registry-clone.ts";
import { createGitRemote, type GitRemote } from "../../support/git-remote.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { type AccountServer, register, serveAccounts } from "./account-server.ts";

const path = "/api/sendEmailVerification";
const minuteMs = 60_000;
const dayMs = 86_400_000;
const timeoutMs = 20_000;
const reset = { asn: "4242420001", password_reset: "Yes" };
const outdated = { status: 503, body: { message: expect.stringContaining("missing or outdated") as string } };
const unreachable = {
  status: 503,
  body: {
    message:
      "We cannot reach the network's registry right now, so we cannot check who holds AS4242420001. Nothing was changed. Try again later or write to support@example.net.",
  },
};

let parts: AsyncDisposableStack;
let remote: GitRemote;
let folder: string;

beforeEach(async () => {
  parts = new AsyncDisposableStack();
  remote = parts.use(
    await createGitRemote({
      "aut-num/AS4242420001": "admin-c: ADA-P",
      "aut-num/AS4242420002": "admin-c: ADA-P",
      "person/ADA-P": "e-mail: ada@example.org",
    }),
  );
  folder = await mkdtemp(join(tmpdir(), "peerdeck-clone-"));
  parts.defer(() => rm(folder, { recursive: true }));
});

afterEach(() => parts.disposeAsync());

describeWithDatabase("a registry clone", { postgres: "campaigns" }, (openDatabase) => {
  async function serve(options: Partial<RegistryCloneOptions> = {}) {
    let clone: RegistryClone | undefined;
    const server: AccountServer = await serveAccounts(await openDatabase(), {
      createRegistrySource: (deps) => {
        clone = parts.use(createRegistryClone({ ...deps, folder, url: remote.url, ...options }));
        return clone;
      },
    });
    if (!clone) throw new Error("the server did not create its clone");
    return { server, clone };
  }

  test("of 30 days, whose remote is gone, serves neither registrations nor resets", async () => {
    const { server: running, clone } = await serve();
    await using server = running;
    expect(await server.post(path, { asn: "4242420001" })).toMatchObject(outdated);
    await clone.update({ timeoutMs });
    await register(server);
    await remote.setReachable(false);
    server.pass(30 * dayMs);
    await clone.update({ timeoutMs });
    expect(await server.post(path, { asn: "4242420002" })).toMatchObject(outdated);
    expect(await server.post(path, reset)).toMatchObject(unreachable);
    await remote.setReachable(true);
    server.pass(minuteMs);
    expect(await server.post(path, reset)).toMatchObject({ status: 200 });
    expect(await server.post(path, { asn: "4242420002" })).toMatchObject({ status: 200 });
  });

  test("is updated before a reset, so that the mail goes to the addresses of now", async () => {
    const { server: running, clone } = await serve();
    await using server = running;
    await clone.update({ timeoutMs });
    await register(server);
    await remote.commit({ "person/ADA-P": "e-mail: new@example.net" });
    server.pass(10 * minuteMs);
    expect(await server.post(path, reset)).toMatchObject({
      status: 200,
      body: { sent_to: ["n…@example.net"] },
    });
  });

  test("whose remote hangs serves resets for an hour after the last fetch", async () => {
    const { server: first, clone } = await serve();
    await clone.update({ timeoutMs });
    await first[Symbol.asyncDispose]();
    const silent = createServer((socket) => void socket.on("error", () => undefined).resume());
    await once(silent.listen(0, "127.0.0.1"), "listening");
    parts.defer(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const { server: running } = await serve({
      url: `git://127.0.0.1:${port}/registry.git`,
      refreshTimeoutMs: 200,
    });
    await using server = running;
    await register(server);
    server.pass(59 * minuteMs);
    expect(await server.post(path, reset)).toMatchObject({ status: 200 });
    server.pass(2 * minuteMs);
    expect(await server.post(path, reset)).toMatchObject(unreachable);
    expect(await server.post(path, { asn: "4242420002" })).toMatchObject({ status: 200 });
  });
});
