/** Failures that no server on this machine can cause; tests/integration/mail has the others. */
import { expect, test } from "vitest";
import { describeMailFailure, type SmtpError } from "./mail-failures.ts";

const profile = { from: "noc@example.net", tls: "required", ca: null } as const;

test.each<readonly [facts: Partial<SmtpError>, sentence: string]>([
  [
    { timeoutType: "CONNECT_TIMEOUT", code: "ETIMEDOUT" },
    "mail.example.net:587 did not accept the connection in time: correct host and port in url of [mail], or let firewalls pass them; many hosters block port 25.",
  ],
  [
    { originalCode: "ETIMEDOUT", code: "ESOCKET" },
    "mail.example.net:587 did not accept the connection in time: correct host and port in url of [mail], or let firewalls pass them; many hosters block port 25.",
  ],
  [
    { originalCode: "ENETUNREACH", code: "ESOCKET" },
    "This machine has no route to mail.example.net:587 (ENETUNREACH): correct the host in url of [mail], or the network.",
  ],
  [
    { originalCode: "EHOSTUNREACH", code: "ESOCKET" },
    "This machine has no route to mail.example.net:587 (EHOSTUNREACH): correct the host in url of [mail], or the network.",
  ],
  [
    { originalCode: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", code: "ESOCKET" },
    "The certificate of mail.example.net:587 is from an authority that this machine does not know: set ca in [mail] to a PEM file with the authority's certificate, and let the mail server send its intermediate certificates.",
  ],
  [
    { originalCode: "ERR_SSL_WRONG_VERSION_NUMBER", code: "ESOCKET" },
    "mail.example.net:587 failed to set up TLS (ERR_SSL_WRONG_VERSION_NUMBER): check certificate and TLS versions of the mail server.",
  ],
])("%j is explained", (facts, sentence) => {
  const error: SmtpError = Object.assign(new Error("failed"), { command: "CONN", ...facts });
  expect(describeMailFailure(error, { ...profile, url: "smtp://mail.example.net" })).toBe(sentence);
});

test("smtps:// uses port 465", () => {
  const error: SmtpError = Object.assign(new Error("failed"), {
    command: "CONN",
    timeoutType: "GREETING_TIMEOUT",
  });
  expect(describeMailFailure(error, { ...profile, url: "smtps://mail.example.net" })).toBe(
    "mail.example.net:465 sent no greeting in time: check that a mail server runs there.",
  );
});
