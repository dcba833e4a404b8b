/** The end of a deployment, told to the browsers of its AS through their push services. */
import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import { createLog } from "../../../src/server/http/log.ts";
import { describeEachDatabase } from "../../setup/databases.ts";
import { demoServer } from "../server/demo-server.ts";
import { ended, type Participant, peerUpdate, setNodeMode, signIn, signUp } from "../server/participant.ts";
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

async function submit({ asn: username, call }: Participant, node: string, port = "51820"): Promise<string> {
  const update = peerUpdate({ node, remote_port: port });
  return (await call(calls.updatePeerConfig, [{ username }, update])).taskID;
}

describeEachDatabase("a deployment's end", (openTestDatabase) => {
  test("reaches every browser of the AS and no other, readable there alone", async () => {
    const at = await openTestDatabase();
    await using service = await startPushService();
    const lines: string[] = [];
    await using server = await demoServer({
      push: { hosts: [service.host], agent: service.agent },
      log: createLog("trace", { write: (line) => void lines.push(line) }),
      ...(at.kind === "postgres" && { databaseUrl: at.url }),
    });
    const [phone, desk, gone, strange] = ["phone", "desk", "gone", "strange"].map((name) =>
      browserAt(service, name),
    ) as [Browser, Browser, Browser, Browser];
    const participant = await signUp(server.url, asn);
    const { publicKey } = await participant.call(calls.getPushSettings, { username: asn });
    await subscribe(participant, phone);
    await subscribe(await signIn(server.url, asn), desk);
    const leaving = await signIn(server.url, asn);
    await subscribe(leaving, gone);
    await leaving.call(calls.logout, undefined);
    await subscribe(await signUp(server.url, other), strange);

    const taskID = await submit(participant, "syd01");
    await ended(participant, taskID);
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
    const failing = await submit(participant, "syd01", "51821");
    await ended(participant, failing);
    const deleting = await submit(participant, "per01").then(async (created) => {
      await ended(participant, created);
      return (await participant.call(calls.deletePeer, { username: asn, node: "per01" })).taskID;
    });
    await ended(participant, deleting);
    await service.receives(8);
    const told = received
      .filter(({ path }) => path.endsWith("desk"))
      .map(({ body }) => JSON.parse(desk.decrypt(body)) as object);
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        { ...message, taskID: failing, kind: "deploy", status: "failed" },
        { ...message, taskID: deleting, node: "per01", kind: "delete", status: "success" },
      ]),
    );
    expect(new Set(received.map(({ headers }) => headers["topic"])).size).toBe(4);

    // Who has an endpoint's path or a key can write to the browser, or read along.
    const log = lines.join("");
    expect(log).toContain("push message handed over");
    const { p256dh, auth } = phone.subscription;
    for (const secret of ["canary-", p256dh, auth]) expect(log).not.toContain(secret);
  });
});

/** The claims of a VAPID header (RFC 8292), whose signature is checked. */
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

test("a push service that hangs holds up neither the deployment nor the server's end", async () => {
  await using service = await startPushService();
  service.answer("hang");
  const server = await demoServer({ push: { hosts: [service.host], agent: service.agent } });
  const participant = await signUp(server.url, asn);
  await subscribe(participant, browserAt(service, "phone"));
  const first = await submit(participant, "syd01");
  expect(await ended(participant, first)).toMatchObject({ status: "success" });
  await service.receives(1);
  expect(await ended(participant, await submit(participant, "per01"))).toMatchObject({ status: "success" });
  await server[Symbol.asyncDispose]();
});
