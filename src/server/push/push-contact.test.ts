import { expect, test } from "vitest";
import { choosePushContact } from "./push-contact.ts";

const unreachableDomains = ["lan.example.org"];
const contactOf = (supportAddress: string, publicUrl: string, ...otherPublicUrls: readonly string[]) =>
  choosePushContact({ supportAddress, publicUrl, otherPublicUrls, unreachableDomains });

test.each([
  ["noc@example.net", "http://127.0.0.1:4242", "mailto:noc@example.net"],
  ["noc@ada.dn42", "https://peering.example.net", "https://peering.example.net"],
  ["noc@ADA.dn42", "https://peering.example.net", "https://peering.example.net"],
  ["noc@mail.lan.example.org", "https://peering.example.net", "https://peering.example.net"],
  ["noc@notdn42.example.org", "https://peering.example.net", "mailto:noc@notdn42.example.org"],
])("the contact for %s and %s is %s", (supportAddress, publicUrl, subject) => {
  expect(contactOf(supportAddress, publicUrl)).toEqual({ subject, problem: null });
});

test.each(["http://peering.example.net", "https://peering.ada.dn42", "https://localhost:4242"])(
  "with the public URL %s too, the operator learns what to change",
  (publicUrl) => {
    expect(contactOf("noc@ada.dn42", publicUrl)).toEqual({
      subject: "mailto:noc@ada.dn42",
      problem:
        `support_address noc@ada.dn42 and public_url ${publicUrl} are not on the public internet, so some push ` +
        "services, such as Apple's, refuse our messages: use an address of the internet for one of them, with https",
    });
  },
);

test("the contact may be another public URL than the main one", () => {
  const other = "https://peering.example.net";
  expect(contactOf("noc@ada.dn42", "http://peering.ada.dn42", other).subject).toBe(other);
});
