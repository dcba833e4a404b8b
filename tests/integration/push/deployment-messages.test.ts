/** Push messages about finished deployments, from the server to the push services of the AS's browsers. */
import { createPublicKey, verify } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { createLog } from "#server/log.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { type DemoServer, demoServer } from "../server/demo-server.ts";
import {
  waitForTask,
  type Participant,
  setNodeMode,
  logIn,
  signUp,
  submitPeering,
} from "../server/participant.ts";
import { type Browser, createBrowser } from "./browser.ts";
import { type PushService, startPushService } from "./push-service.ts";

const asn = "4242420001";
const other = "4242420002";

function browserAt(service: PushService, name: string): Browser {
  return createBrowser(`https://${service.host}/canary-${name}`);
}

function subscribe({ asn: username, call }: Participant, { subscription }: Browser) {
  return call(calls.savePushSubscription, { username, ...subscription, alerts: false });
}

describeWithDatabase("push messages about deployments", { postgres: "campaigns" }, (openTestDatabase) => {
  const lines: string[] = [];
  let service: PushService;
  let server: DemoServer;
  beforeAll(async () => {
    service = await startPushService();
    server = await demoServer({
      push: { hosts: [service.host], agent: service.agent },
      log: createLog("trace", { write: (line) => void lines.push(line) }),
      waitMs: 300,
      watchEveryMs: 100,
      at: await openTestDatabase(),
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  test("are sent to every browser of the AS and no other, encrypted for that browser", async () => {
    const [phone, desk, gone, strange] = ["phone", "desk", "gone", "strange"].map((name) =>
      browserAt(service, name),
    ) as [Browser, Browser, Browser, Browser];
    const participant = await signUp(server.url, asn);
    const { publicKey } = await participant.call(calls.getPushSettings, { username: asn });
    await subscribe(participant, phone);
    await subscribe(await logIn(server.url, asn), desk);
    const leaving = await logIn(server.url, asn);
    await subscribe(leaving, gone);
    await leaving.call(calls.logout, undefined);
    await subscribe(await signUp(server.url, other), strange);

    const taskID = await submitPeering(participant, "syd01");
    await waitForTask(participant, taskID);
    const received = await service.receives(2);
    expect(received.map(({ path }) => path).toSorted()).toEqual(["/canary-desk", "/canary-phone"]);
    const message = { type: "deployment", username: asn, taskID, node: "syd01" };
    for (const { path, headers, body } of received) {
      const browser = path.endsWith("desk") ? desk : phone;
      expect(JSON.parse(browser.decrypt(body))).toEqual({ ...message, kind: "deploy", status: "success" });
      expect(headers).toMatchObject({ urgency: "high", "content-encoding": "aes128gcm" });
      expect(headers["topic"]).toMatch(/^[\w-]{32}$/);
      expect(Number(headers["ttl"])).toBeGreaterThan(3500);
      expect(Number(headers["ttl"])).toBeLessThanOrEqual(3600);
      expect(vapidOf(headers.authorization ?? "", publicKey)).toMatchObject({
        aud: `https://${service.host}`,
        sub: "mailto:support@demo.example",
      });
    }
    expect(received[0]?.headers["topic"]).toBe(received[1]?.headers["topic"]);

    await setNodeMode(server.url, "syd01", "refuse");
    const failing = await submitPeering(participant, "syd01", { remote_port: "51821" });
    await waitForTask(participant, failing);
    const deleting = await submitPeering(participant, "per01").then(async (created) => {
      await waitForTask(participant, created);
      return (await participant.call(calls.deletePeer, { username: asn, node: "per01" })).taskID;
    });
    await waitForTask(participant, deleting);
    await service.receives(8);
    const messages = received
      .filter(({ path }) => path.endsWith("desk"))
      .map(({ body }) => JSON.parse(desk.decrypt(body)) as object);
    expect(messages).toHaveLength(4);
    expect(messages).toEqual(
      expect.arrayContaining([
        { ...message, taskID: failing, kind: "deploy", status: "failed" },
        { ...message, taskID: deleting, node: "per01", kind: "delete", status: "success" },
      ]),
    );
    expect(new Set(received.map(({ headers }) => headers["topic"])).size).toBe(4);

    // An endpoint's path or a key allows anyone to send to the browser or to decrypt messages.
    const log = lines.join("");
    expect(log).toContain("push message delivered");
    const { p256dh, auth } = phone.subscription;
    for (const secret of ["canary-", p256dh, auth]) expect(log).not.toContain(secret);
  });

  test("report a peering that an account's deletion cannot remove once, not after every attempt", async () => {
    await setNodeMode(server.url, "syd01", "normal");
    const before = service.received.length;
    const participant = await signUp(server.url, "4242420003");
    const username = { username: participant.asn };
    await waitForTask(participant, await submitPeering(participant, "syd01"));
    const phone = browserAt(service, "phone");
    await subscribe(participant, phone);
    const waitForReason = async (reason: string) =>
      await expect
        .poll(
          async () => {
            // A read of the node's state is a call to it, which notices that it responds again.
            await participant
              .call(calls.getNodeStatus, { ...username, node: "syd01" })
              .catch(() => undefined);
            const { deletion } = await participant.call(calls.getAccount, username);
            return deletion?.peerings;
          },
          { timeout: 30_000 },
        )
        .toMatchObject([{ taskID: null, reason: expect.stringContaining(reason) }]);

    await setNodeMode(server.url, "syd01", "offline");
    await participant.call(calls.deleteAccount, { ...username, password: "a sentence for the tests" });
    await waitForReason("could not be reached");
    await setNodeMode(server.url, "syd01", "refuse");
    await waitForReason("refuse");
    await participant.call(calls.cancelAccountDeletion, username);
    const { taskID } = await participant.call(calls.deletePeer, { ...username, node: "syd01" });
    await waitForTask(participant, taskID);

    const received = (await service.receives(before + 2)).slice(before);
    const tasks = (await participant.call(calls.exportAccount, username)).tasks;
    expect(tasks.filter(({ kind }) => kind === "delete")).toHaveLength(3);
    const messages = received.map(({ body }) => JSON.parse(phone.decrypt(body)) as object);
    expect(messages).toMatchObject([{ status: "failed" }, { taskID, status: "failed" }]);
  });
});

/** Verifies the signature of a VAPID header (RFC 8292) and returns its claims. */
function vapidOf(header: string, publicKey: string): unknown {
  const [, token = "", key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header) ?? [];
  expect(key).toBe(publicKey);
  const point = Buffer.from(publicKey, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const [head, claims, signature] = token.split(".");
  const signer = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" } as const;
  const signed = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    signer,
    Buffer.from(signature ?? "", "base64url"),
  );
  expect(signed).toBe(true);
  return JSON.parse(Buffer.from(claims ?? "", "base64url").toString());
}
