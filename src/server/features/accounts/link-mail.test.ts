import { expect, test } from "vitest";
import { renderLinkMail } from "./link-mail.ts";

const profile = {
  name: "Example Network",
  publicUrl: "https://peering.example.net",
  supportAddress: "noc@example.net",
};

test("the mail names the request, how long the link works, and what to do if it was unexpected", () => {
  const mail = renderLinkMail(profile, {
    to: "ada@example.org",
    asn: "4242420001",
    purpose: "registration",
    token: "t0k3n",
  });
  expect(mail).toEqual({
    to: "ada@example.org",
    subject: "Set your password for AS4242420001 at Example Network",
    text: `Hello,

Someone, hopefully you, asked to register AS4242420001 with Example Network.
Open this link to set your password:

https://peering.example.net/setPassword?token=t0k3n&purpose=registration

The link works once, within one hour. A newer link replaces an older one.

If you did not ask for it, ignore this mail: nothing has changed, and no one
can log in without the link. You received this because the registry lists this
address for AS4242420001.

Questions? Write to noc@example.net.

Example Network
`,
  });
});

test("a reset has its own subject, and replacement patterns in a name are kept", () => {
  const mail = renderLinkMail(
    { ...profile, name: "$& Net" },
    { to: "ada@example.org", asn: "4242420001", purpose: "reset", token: "t" },
  );
  expect(mail.subject).toBe("Reset your password for AS4242420001 at $& Net");
  expect(mail.text).toContain("asked to reset the password of AS4242420001 at $& Net.");
  expect(mail.text).toContain("/setPassword?token=t&purpose=reset\n");
});
