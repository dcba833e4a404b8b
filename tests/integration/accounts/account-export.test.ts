/** Everything that the server stores about an AS, as its participant downloads it. */
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { browserSubscription } from "../push/browser.ts";
import { demoServer } from "../server/demo-server.ts";
import { deployPeering, logIn, randomKey, signUp } from "../server/participant.ts";

const asn = "4242420001";
const username = { username: asn };

describeWithDatabase("the export of an account", { postgres: "share" }, (openTestDatabase) => {
  test("contains what belongs to the AS, and no secret and nothing of others, ten times an hour", async () => {
    await using server = await demoServer({ at: await openTestDatabase(), observeEveryMs: 200 });
    const { url } = server;
    const owner = await signUp(url, asn);
    const other = await signUp(url, "4242420002");
    const [ownKey, otherKey] = [randomKey(), randomKey()];
    await deployPeering(owner, "syd01", { public_key: ownKey });
    await deployPeering(other, "syd01", { public_key: otherKey, remote_ip: "198.51.100.8" });
    const subscription = browserSubscription();
    await owner.call(calls.savePushSubscription, { ...username, ...subscription, alerts: true });
    const message = { name: "Ada", email: "ada@example.org", message: "Where is node fra02?" };
    await owner.call(calls.submitContactForm, { ...username, ...message });
    const second = await logIn(url, asn);
    await expect
      .poll(async () => {
        const { nodes } = await owner.call(calls.getTrafficSeries, username);
        return nodes.find(({ node }) => node === "syd01")?.received.length;
      })
      .toBeGreaterThan(0);

    const exported = await second.call(calls.exportAccount, username);
    expect(exported).toMatchObject({
      username: asn,
      account: { holder: expect.stringMatching(/-MNT$/), deletion: null },
      login_sessions: expect.toSatisfy((list: readonly unknown[]) => list.length === 2),
      peerings: [
        {
          node: "syd01",
          deleting: false,
          request: { publicKey: ownKey, endpointHost: "198.51.100.7" },
          peering: { publicKey: ownKey, listenPort: expect.any(Number) },
        },
      ],
      tasks: [{ node: "syd01", kind: "deploy", status: "success", request: { publicKey: ownKey } }],
      push_subscriptions: [{ push_service: "fcm.googleapis.com", alerts: true }],
      traffic: expect.arrayContaining([
        { node: "syd01", at: expect.any(Number), received: expect.any(Number), sent: expect.any(Number) },
      ]),
      half_hours: expect.arrayContaining([
        expect.objectContaining({ node: "syd01", accepted: expect.any(Number) }),
      ]),
      contact_messages: [{ text: expect.stringContaining("Where is node fra02?"), delivered: false }],
    });
    const text = JSON.stringify(exported);
    const secrets = [
      "argon2",
      owner.cookie.split("=")[1] ?? "",
      second.cookie.split("=")[1] ?? "",
      subscription.auth,
      subscription.p256dh,
      subscription.endpoint,
      otherKey,
      "198.51.100.8",
      other.asn,
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);

    for (let count = 1; count < 10; count += 1) await owner.call(calls.exportAccount, username);
    await expect(owner.call(calls.exportAccount, username)).rejects.toMatchObject({ status: 429 });
  });
});
