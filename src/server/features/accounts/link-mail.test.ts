import { expect, test } from "vitest";
import { renderLinkMail } from "./link-mail.ts";

const profile = {
  name: "Example Network",
  supportAddress: "noc@example.net",
};

test("the mail names the request, how long the link works, and what to do if it was unexpected", async () => {
  const given = {
    to: "ada@example.org",
    asn: "4242420001",
    purpose: "registration",
    token: "t0k3n",
    publicUrl: "https://peering.example.net",
  } as const;
  const { to, subject, text } = renderLinkMail(profile, given);
  await expect(`To: ${to}\nSubject: ${subject}\n\n${text}`).toMatchFileSnapshot("golden/link-mail.txt");
});

test("a reset has its own subject, and replacement patterns in a name are kept", () => {
  const given = {
    to: "ada@example.org",
    asn: "4242420001",
    purpose: "reset",
    token: "t",
    publicUrl: "http://x",
  } as const;
  const mail = renderLinkMail({ ...profile, name: "$& Net" }, given);
  expect(mail.subject).toBe("Reset your password for AS4242420001 at $& Net");
  expect(mail.text).toContain("asked to reset the password of AS4242420001 at $& Net.");
  expect(mail.text).toContain("http://x/setPassword?token=t&purpose=reset\n");
});
