/** A node gets another WireGuard key: what operator and participants see of it, over HTTP. */
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { runRekeyNode } from "#cli/nodes/rekey-node.ts";
import { calls } from "#contract/calls.ts";
import type { Transport } from "#contract/client.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { describeWithDatabase, postgresVariables, type TestDatabase } from "../../support/databases.ts";
import { deployPeering, outbox, type Participant, signUp, waitForTask } from "./participant.ts";
import { profileServer } from "./profile-server.ts";

const [one, two, three] = ["4242420001", "4242420002", "4242420003"] as const;
const node = "syd01";
const host = "syd01.demo.dn42";
const dayMs = 24 * 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
});

async function openServer(at: TestDatabase) {
  /** The AS numbers of the peerings that the node was asked to run. */
  const applied: string[] = [];
  const through = (agent: Transport): Transport => {
    return async (request) => {
      if (request.path === "/v1/apply")
        applied.push((JSON.parse(String(request.body)) as { asn: string }).asn);
      return agent(request);
    };
  };
  const every = { reconcileEveryMs: 100, observeEveryMs: 100, watchEveryMs: 100 };
  const servers = at.kind === "postgres" ? 2 : 1;
  const server = await profileServer({}, { at, through, servers, timeScale: 0, ...every });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const environment = readEnvironment({
    DATA_DIR: server.dataDir,
    ...(at.kind === "postgres" && postgresVariables(at.url)),
  });
  return {
    server,
    applied,
    /** Runs the command of the operator. */
    rekey: async (...args: readonly string[]) => {
      const lines: string[] = [];
      const code = await runRekeyNode([node, ...args], environment, (line) => void lines.push(line));
      return { code, text: lines.join("\n") };
    },
  };
}

function views({ asn: username, call }: Participant) {
  const status = async () =>
    (await call(calls.getPeerStatus, { username })).find((each) => each.node === node);
  return {
    config: () => call(calls.getNodeConfig, { username, node }),
    /** What the server finds about keys. */
    findings: async () =>
      ((await status())?.findings ?? []).filter(({ code }) =>
        ["node-rekey", "node-key-changed"].includes(code),
      ),
    issues: async () => (await status())?.wg_status.issues ?? [],
    activity: async () => (await call(calls.getActivity, { username })).entries.map(({ text }) => text),
    switchKey: () => call(calls.switchNodeKey, { username, node }),
  };
}

describeWithDatabase("another key of a node", { postgres: "share" }, (openTestDatabase) => {
  test("each participant switches the own peering, and the server switches the rest at the date", async () => {
    const { server, applied, rekey } = await openServer(await openTestDatabase());
    const [first, second, third] = [
      await signUp(server.url, one),
      await signUp(server.url, two),
      await signUp(server.url, three),
    ];
    for (const each of [first, second]) await deployPeering(each, node);
    const { config, findings, issues, activity, switchKey } = views(first);
    const { public_key: oldKey } = await config();
    await expect(switchKey()).rejects.toMatchObject({ status: 409 });
    await expect.poll(findings).toEqual([]);
    const issuesBefore = await issues();
    applied.length = 0;

    const started = Date.now();
    const { code, text } = await rekey("--in", "14d");
    expect(code).toBe(0);
    // The command's connection sees the announcement at its commit, the server's only once it is on disk.
    await expect.poll(config).toHaveProperty("next_public_key");
    const { public_key: publicKey, next_public_key: newKey = "", switch_at: switchAt = 0 } = await config();
    expect(publicKey).toBe(oldKey);
    expect(newKey).not.toBe(oldKey);
    expect(switchAt - started).toBeLessThanOrEqual(14 * dayMs + 5_000);
    expect(text).toContain(`New key:   ${newKey}`);
    expect(text).toContain(`Waiting:   2 peerings: AS${one}, AS${two}`);
    expect(await findings()).toEqual([{ code: "node-rekey", facts: { host, publicKey: newKey, switchAt } }]);
    expect(await issues()).toEqual(issuesBefore);
    expect((await activity())[0]).toContain(`${host} gets a new public key. Its new key is ${newKey}.`);
    const readMails = async () =>
      (await outbox(server.url)).filter(({ subject }) => subject.startsWith(`New public key of ${host}`));
    await expect.poll(async () => (await readMails()).length).toBeGreaterThan(1);
    for (const mail of await readMails()) {
      expect(mail.text).toContain(`\n\nPublicKey = ${newKey}\n\n`);
      expect(mail.text).toContain(`${server.url}/manager?node=${node}&tab=edit\n`);
    }
    expect(await rekey()).toMatchObject({ code: 1, text: expect.stringContaining("already") as string });
    expect(applied).toEqual([]);

    const { taskID } = await switchKey();
    expect((await switchKey()).taskID).toBe(taskID);
    expect(await waitForTask(first, taskID)).toMatchObject({ status: "success" });
    expect(applied).toEqual([one]);
    expect(await config()).toMatchObject({ public_key: newKey });
    expect(await config()).not.toHaveProperty("next_public_key");
    expect((await activity())[0]).toBe(`You switched the tunnel to the new public key of ${host}.`);
    expect(await views(second).config()).toMatchObject({ public_key: oldKey, next_public_key: newKey });
    expect(await findings()).toEqual([{ code: "node-key-changed", facts: { host, publicKey: newKey } }]);
    // The simulated router follows. A handshake counts if it is later than the end of the deployment, by the server's clock.
    vi.setSystemTime(Date.now() + 130_000);
    await expect.poll(findings, { timeout: 10_000 }).toEqual([]);
    expect(await rekey("--cancel")).toMatchObject({
      code: 1,
      text: expect.stringContaining(`AS${one}`) as string,
    });

    await deployPeering(third, node);
    expect(await views(third).config()).toMatchObject({ public_key: newKey });
    await deployPeering(first, node, { remote_port: "51821" });
    expect(await config()).toMatchObject({ public_key: newKey });

    applied.length = 0;
    vi.setSystemTime(Date.now() + 15 * dayMs);
    await expect
      .poll(async () => (await views(second).config()).public_key, { timeout: 10_000 })
      .toBe(newKey);
    await expect
      .poll(async () => (await rekey("--cancel")).text, { timeout: 10_000 })
      .toContain("gets no new key");
    expect(applied).toEqual([two]);
    expect(await views(second).activity()).toContain(
      `The server switched the tunnel to the new public key of ${host}, because its date had come. Your configuration needs it.`,
    );
  });
});
