import { expect, test } from "vitest";
import { isPushEndpoint } from "./push-endpoint.ts";

const own = ["push.example.net", "127.0.0.1:8443", "[::1]:8443"];

test.each([
  "https://fcm.googleapis.com/fcm/send/cZk:APA91bH",
  "https://jmt17.google.com/fcm/send/cZk:APA91bH",
  "https://updates.push.services.mozilla.com/wpush/v2/gAAAAA",
  "https://web.push.apple.com/QOt",
  "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAC%2f",
  "https://push.example.net/subscriptions/1",
  "https://127.0.0.1:8443/1",
  "https://[::1]:8443/1",
])("%s is an endpoint of a push service", (endpoint) => {
  expect(isPushEndpoint(endpoint, own)).toBe(true);
});

test.each([
  ["not a URL", "fcm.googleapis.com/fcm/send/1"],
  ["not https", "http://fcm.googleapis.com/fcm/send/1"],
  ["another scheme", "file:///etc/passwd"],
  ["another port", "https://fcm.googleapis.com:8443/fcm/send/1"],
  ["the same port, written out", "https://fcm.googleapis.com:443/fcm/send/1"],
  ["another port of a host of the provider's", "https://push.example.net:8443/1"],
  ["an address without its port", "https://127.0.0.1/1"],
  ["credentials", "https://user:password@fcm.googleapis.com/1"],
  ["a known host as user", "https://fcm.googleapis.com@192.0.2.1/1"],
  ["a known host before a backslash", "https://192.0.2.1\\@fcm.googleapis.com/1"],
  ["a fragment", "https://fcm.googleapis.com/1#2"],
  ["a host that a known one starts", "https://fcm.googleapis.com.example.net/1"],
  ["a host that a known one ends", "https://evilfcm.googleapis.com/1"],
  ["a domain that a known one ends", "https://evilpush.apple.com/1"],
  ["the domain itself", "https://push.apple.com/1"],
  ["a final dot", "https://fcm.googleapis.com./1"],
  ["upper case", "https://FCM.googleapis.com/1"],
  ["spaces around", " https://fcm.googleapis.com/1"],
  ["a line break within", "https://fcm.googleapis.com/1\r\nHost: example.net"],
  ["the metadata address", "https://169.254.169.254/latest/meta-data/"],
  ["loopback", "https://127.0.0.1:4242/api/"],
  ["loopback as a number", "https://2130706433:8443/1"],
  ["loopback in hexadecimal", "https://0x7f.1:8443/1"],
  ["IPv6 loopback", "https://[::1]/1"],
  ["IPv4 within IPv6", "https://[::ffff:127.0.0.1]:8443/1"],
  ["localhost", "https://localhost/1"],
  ["a letter of another alphabet", "https://fcm.googleapis.сom/1"],
  ["nothing", ""],
])("%s is refused", (_, endpoint) => {
  expect(isPushEndpoint(endpoint, own)).toBe(false);
});
