/** A provider's server whose mail server refuses the provider, and cannot reach a domain of the profile. */
import { expect, test } from "vitest";
import { startMailServer } from "#lab/mail-server.ts";
import { profileServer } from "../server/profile-server.ts";

test("health reports a mail server that accepts no mail, and unreachable domains of the profile count", async () => {
  await using mail = await startMailServer({ replies: { MAIL: "550 5.7.1 sender not allowed" } });
  await using server = await profileServer(
    {},
    {
      profile: {
        supportAddress: "noc@provider.dn42",
        mail: {
          url: mail.url(),
          from: "peering@example.net",
          tls: "none",
          ca: null,
          unreachableDomains: ["example.org"],
        },
      },
    },
  );
  const request = async (asn: string) => {
    const response = await fetch(`${server.url}/api/sendEmailVerification`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ asn }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const readHealth = async () => (await fetch(`${server.url}/healthz`)).text();
  const fault = /^The mail server has accepted no mail since 20\d\d-[^ ]+Z\. The log says why\.$/m;

  expect(await readHealth()).not.toMatch(fault);
  // Iris has three addresses, one of them under example.org.
  expect((await request("4242420009")).body).toEqual({ sent_to: ["i…@example.net", "i…@example.com"] });
  await expect.poll(readHealth).toMatch(fault);
  const postponed = server.log.find(({ msg }) => msg === "mail postponed");
  expect(postponed).toMatchObject({
    reason:
      `${new URL(mail.url()).host} refused the sender peering@example.net (550 5.7.1 sender not allowed): set from in [mail] ` +
      "to an address that it may send for.",
  });
  mail.setReplies({});
  expect(await request("4242420001")).toMatchObject({ status: 422, body: { field: "asn" } });
  expect(await request("4242420002")).toMatchObject({ status: 200 });
  await expect.poll(readHealth).not.toMatch(fault);

  const warnings = server.log.map(({ msg }) => String(msg)).filter((msg) => msg.includes("push services"));
  expect(warnings).toEqual([
    expect.stringMatching(/^support_address noc@provider\.dn42 and public_url http:/),
  ]);
});
