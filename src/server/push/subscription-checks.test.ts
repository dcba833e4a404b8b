import { createECDH, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { isPushEndpoint, isBrowserKey, isBrowserSecret } from "./subscription-checks.ts";

const own = ["push.example.net", "127.0.0.1:8443", "[::1]:8443"];

test.each([
  ["Google", "https://fcm.googleapis.com/fcm/send/cZk:APA91bH"],
  ["Google", "https://jmt17.google.com/fcm/send/cZk:APA91bH"],
  ["Mozilla", "https://updates.push.services.mozilla.com/wpush/v2/gAAAAA"],
  ["Apple", "https://web.push.apple.com/QOt"],
  ["Microsoft", "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAC%2f"],
  ["the provider", "https://push.example.net/subscriptions/1", "https://127.0.0.1:8443/1"],
  ["the provider", "https://[::1]:8443/1"],
])("endpoints of the push service of %s are accepted", (_, ...endpoints) => {
  expect(endpoints.filter((endpoint) => !isPushEndpoint(endpoint, own))).toEqual([]);
});

test.each([
  ["other schemes", "", "fcm.googleapis.com/fcm/send/1", "http://fcm.googleapis.com/1", "file:///etc/passwd"],
  ["other ports", "https://fcm.googleapis.com:8443/1", "https://push.example.net:8443/1"],
  ["other ports", "https://127.0.0.1/1"],
  ["the port 443, written out", "https://fcm.googleapis.com:443/1"],
  ["credentials", "https://user:password@fcm.googleapis.com/1", "https://fcm.googleapis.com@192.0.2.1/1"],
  ["a known host before a backslash", "https://192.0.2.1\\@fcm.googleapis.com/1"],
  ["a fragment", "https://fcm.googleapis.com/1#2"],
  ["hosts like known ones", "https://fcm.googleapis.com.example.net/1", "https://evilfcm.googleapis.com/1"],
  ["domains like known ones", "https://evilpush.apple.com/1", "https://push.apple.com/1"],
  ["other spellings", "https://fcm.googleapis.com./1", "https://FCM.googleapis.com/1"],
  ["other spellings", " https://fcm.googleapis.com/1"],
  ["other alphabets", "https://fcm.googleapis.сom/1"],
  ["a line break", "https://fcm.googleapis.com/1\r\nHost: example.net"],
  ["the metadata address", "https://169.254.169.254/latest/meta-data/"],
  ["loopback", "https://127.0.0.1:4242/api/", "https://2130706433:8443/1", "https://0x7f.1:8443/1"],
  ["loopback in IPv6 and as a name", "https://[::1]/1", "https://[::ffff:127.0.0.1]:8443/1"],
  ["loopback in IPv6 and as a name", "https://localhost/1"],
])("endpoints with %s are rejected", (_, ...endpoints) => {
  expect(endpoints.filter((endpoint) => isPushEndpoint(endpoint, own))).toEqual([]);
});

const ecdh = createECDH("prime256v1");
const point = ecdh.generateKeys();
const text = (bytes: Buffer) => bytes.toString("base64url");

function changed(index: number, value: number): Buffer {
  const bytes = Buffer.from(point);
  bytes[index] = value;
  return bytes;
}

test.each<[string, string]>([
  ["nothing", ""],
  ["a compressed point", ecdh.getPublicKey("base64url", "compressed")],
  ["a hybrid point", ecdh.getPublicKey("base64url", "hybrid")],
  ["a point beside the curve", text(changed(64, (point[64] ?? 0) ^ 1))],
  ["a point at infinity", text(Buffer.alloc(65))],
  ["a point of zeros", text(changed(0, 4).fill(0, 1))],
  ["a point of another curve", text(createECDH("secp256k1").generateKeys())],
  ["a byte too few", text(point.subarray(0, 64))],
  ["a byte too many", text(Buffer.concat([point, Buffer.alloc(1)]))],
  ["padding", `${text(point)}=`],
  ["plain base64", Buffer.alloc(65, 0xff).toString("base64")],
  ["a space before it", ` ${text(point)}`],
])("rejects %s as key", (_, key) => {
  expect([isBrowserKey(text(point)), isBrowserKey(key)]).toEqual([true, false]);
});

test("accepts exactly 16 bytes as secret", () => {
  expect(isBrowserSecret(text(randomBytes(16)))).toBe(true);
  for (const bytes of [0, 15, 17]) expect(isBrowserSecret(text(randomBytes(bytes)))).toBe(false);
  expect(isBrowserSecret(randomBytes(16).toString("base64"))).toBe(false);
});
