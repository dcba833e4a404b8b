import { expect, test } from "vitest";
import { isLocalMailServer, isSmtpUrl } from "./mail-url.ts";

test.each([
  ["smtp://localhost", true],
  ["smtp://LOCALHOST:25", true],
  ["smtp://me:secret@127.0.0.1", true],
  ["smtp://127.255.0.9:2525", true],
  ["smtps://[::1]", true],
  ["smtp://[::ffff:127.0.0.1]", true],
  ["smtp://mail.example.net", false],
  ["smtp://localhost.example.net", false],
  ["smtp://127.1.example.net", false],
  ["smtp://127.1", false],
  ["smtp://0.0.0.0", false],
  ["smtp://10.0.0.25", false],
  ["smtp://[::2]", false],
  ["smtp://[fd42:d42::25]", false],
])("%s is a mail server on this machine: %s", (url, isLocal) => {
  expect(isLocalMailServer(url)).toBe(isLocal);
});

test.each([
  "smtp://mail.example.net?requireTLS=false",
  "smtps://mail.example.net/?tls.rejectUnauthorized=false",
  "smtp://mail.example.net?",
  "smtp://mail.example.net#x",
  "https://mail.example.net",
  "smtp://",
  "mail.example.net",
])("%s is rejected", (url) => {
  expect(isSmtpUrl(url)).toBe(false);
});
