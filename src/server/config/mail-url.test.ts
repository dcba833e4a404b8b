import { expect, test } from "vitest";
import { isLocalMailServer, isSmtpUrl } from "./mail-url.ts";

test.each([
  [true, ["smtp://localhost", "smtp://LOCALHOST:25", "smtps://[::1]", "smtp://[::ffff:127.0.0.1]"]],
  [true, ["smtp://me:secret@127.0.0.1", "smtp://127.255.0.9:2525"]],
  [false, ["smtp://mail.example.net", "smtp://localhost.example.net", "smtp://127.1.example.net"]],
  [false, ["smtp://127.1", "smtp://0.0.0.0", "smtp://10.0.0.25", "smtp://[::2]", "smtp://[fd42:d42::25]"]],
])("whether a mail server is on this machine: %s", (isLocal, urls) => {
  expect(urls.filter((url) => isLocalMailServer(url) !== isLocal)).toEqual([]);
});

test.each([
  ["parameters", "smtp://mail.example.net?requireTLS=false", "smtp://mail.example.net?"],
  ["parameters of smtps", "smtps://mail.example.net/?tls.rejectUnauthorized=false"],
  ["other parts", "smtp://mail.example.net#x", "https://mail.example.net", "smtp://", "mail.example.net"],
])("URLs with %s are rejected", (_, ...urls) => {
  expect(urls.filter(isSmtpUrl)).toEqual([]);
});
