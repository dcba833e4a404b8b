import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isHostName } from "../../src/domain/host-name.ts";
import { findSecret } from "../../src/domain/secrets/find-secret.ts";
import { findWithheld } from "../../src/domain/secrets/withheld-value.ts";

const a = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";
const b = "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=";

test.each([
  [`[Interface]\nPrivateKey = ${a}\nListenPort = 51820\n\n[Peer]\nPublicKey = ${b}`, "private-key"],
  // An input removes line breaks.
  [`[Interface]PrivateKey=${a}Address=fe80::1[Peer]PublicKey=${b}PresharedKey=${a}`, "private-key"],
  [`private key: ${a}`, "private-key"],
  [`set interfaces wireguard wg0 private-key '${a}'`, "private-key"],
  [`option private_key '${a}'`, "private-key"],
  [`{"privateKey":"${a}"}`, "private-key"],
  [`/interface/wireguard add private-key="${a}"`, "private-key"],
  [`PRIVKEY=${a}`, "private-key"],
  [`My private key is ${a.slice(0, 40)} and the rest is secret.`, "private-key"],
  [`private_key=${Buffer.from(a, "base64").toString("hex")}`, "private-key"],
  [`PublicKey = ${b} PrivateKey = ${a}`, "private-key"],
  [`The private key of the public router: ${a}`, "private-key"],
  ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA", "private-key"],
  ["-----BEGIN SSH2 ENCRYPTED PRIVATE KEY-----\nP2/56wAA", "private-key"],
  ["AAAA\n-----END RSA PRIVATE KEY-----", "private-key"],
  ["PuTTY-User-Key-File-3: ssh-ed25519", "private-key"],
  ["Private-Lines: 1\nAAAA", "private-key"],
  ["b3BlbnNzaC1rZXktdjEAAAAABG5vbmU", "private-key"],
  [`[Peer]\nPublicKey = ${b}\nPresharedKey = ${a}`, "pre-shared-key"],
  [`preshared key: ${a}`, "pre-shared-key"],
  [`Pre-Shared-Key: ${a}`, "pre-shared-key"],
  [`psk ${a}`, "pre-shared-key"],
  [a, "key"],
  [a.slice(0, 43), "key"],
  [`Use this: ${a}.`, "key"],
  [`router${a}`, "key"],
  [`wg0\t${a}\t${b}\t51820\toff`, "key"],
  [`PublicKey = ${b} ${a}`, "key"],
  [`public key\n${a}`, "key"],
  // The label of the public key is not that of this key.
  [`wg pubkey <<< ${a}`, "key"],
  [`PUBKEY=$(echo ${a} | wg pubkey)`, "key"],
  [`Public key: see above, the other one is ${a}`, "key"],
  [`peer secret: ${a}`, "key"],
  // Escaped, cut, or in the alphabet of URLs.
  [`wireguard://${encodeURIComponent(a)}@host?publickey=${encodeURIComponent(b)}`, "key"],
  [`PrivateKey%20%3D%20${encodeURIComponent(a)}`, "private-key"],
  [`PrivateKey = ${a.replaceAll("+", "-")}`, "private-key"],
  [String.raw`"private-key": "ab\/cd${a.slice(5)}"`, "private-key"],
  [`private-key="${a.slice(0, 20)}\\\n    ${a.slice(20)}"`, "private-key"],
  [a.slice(1, 43), "key"],
  [a.slice(1), "key"],
] as const)("%j has a secret: %s", (text, kind) => {
  expect(findSecret(text)).toBe(kind);
});

test.each([
  "",
  `My public key changed to ${b}`,
  `I replaced my private key. The new public key is ${b}`,
  `interface: wg0\n  public key: ${a}\n  private key: (hidden)\n\npeer: ${b}\n  preshared key: (hidden)`,
  "PrivateKey = <removed>\nPresharedKey = ...",
  "wg set wg0 private-key /etc/wireguard/private.key",
  "PrivateKeyFile = /etc/wireguard/wg0.key",
  "PrivateKeyFile=/etc/systemd/network/wireguard/privatekey",
  "I rotated my private key, see commit 8e948a4886471a3f81ccfe02d739d6eb0fd99031",
  `Public key:\n${b}`,
  `public-key=\\\n    "${b}"`,
  `wg set wg0 peer ${b} allowed-ips fe80::/64`,
  `[wireguard-peer.${b}]`,
  `      public: "${b}"`,
  "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
  "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  "My private key was leaked. The psk is fine.",
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "a-hostname-of-many-words-in-lower-case.example.org",
  "abcdefghijklmnopqrstuvwxyz0123456789abcdefg",
  "https://example.org/status/2026/11/26/network",
  "🙂".repeat(50),
])("%j has none", (text) => {
  expect(findSecret(text)).toBeNull();
});

const key = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString("base64"));

test("every key is found, in any text", () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from("aZ9 :=+/.-\t\n\u2028é🙂")) });
  fc.assert(
    fc.property(text, key, text, (before, found, after) => {
      const line = `${before}\n${found}\n${after}`;
      expect(findSecret(line)).not.toBeNull();
    }),
  );
});

test.each([
  ["PrivateKey =", "private-key"],
  ["private_key: x", "private-key"],
  ['"private key" x', "private-key"],
  ["PresharedKey =", "pre-shared-key"],
  ["pre-shared key: x", "pre-shared-key"],
  ["PSK=x", "pre-shared-key"],
  [`${a}\t${b}`, "key"],
  [`${a}${b}`, "key"],
  ["router.example.org\n51820", "lines"],
  ["a\r\nb", "lines"],
  ["a\u2028b", "lines"],
  [`[Peer]\nPublicKey = ${b}`, "lines"],
  [`wgkey ${a} wgport 51820`, "key"],
  [`private: ${a}`, "key"],
  [`echo ${a} | wg pubkey`, "key"],
] as const)("%j is withheld from every field: %s", (text, kind) => {
  expect([findWithheld(text, false), findWithheld(text, true)]).toEqual([kind, kind]);
});

test.each([
  "",
  "router.",
  " router.example.org\r\n",
  "private-key.example.org",
  "privatekey",
  "psk.example.org",
  "2001:db8::1",
  "fe80::1%wg0",
  "198.51.100.7:51820",
  "https://example.org/",
  `PublicKey = ${b}`,
  "YWJj",
])("%j is accepted by every field", (text) => {
  expect([findWithheld(text, false), findWithheld(text, true)]).toEqual([null, null]);
});

test("only the field of the public key accepts one key, also while it is typed", () => {
  for (const text of [a, ` ${a}\n`, a.slice(0, 43)])
    expect([findWithheld(text, false), findWithheld(text, true)]).toEqual(["key", null]);
  const typed = Array.from(a, (_, index) => a.slice(0, index + 1));
  expect(typed.filter((text) => findWithheld(text, true) !== null)).toEqual([]);
});

const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
const hostName = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 4 }), fc.stringMatching(/^[a-z]{2,20}$/))
  .map(([labels, top]) => [...labels, top].join("."))
  .filter(isHostName);

test("a hostname is never withheld, and in lower case not while it is typed", () => {
  fc.assert(
    fc.property(hostName, (host) => {
      const typed = Array.from(host, (_, index) => host.slice(0, index + 1));
      expect(typed.filter((text) => findWithheld(text, false) !== null)).toEqual([]);
    }),
  );
  fc.assert(
    fc.property(fc.mixedCase(hostName), (host) => {
      expect(findWithheld(host, false)).toBeNull();
    }),
  );
  // With a label like a key.
  expect(findWithheld(`${a.slice(0, 43).replaceAll("+", "x")}.example.org`, false)).toBeNull();
});

test("every key is withheld, with text before or after it", () => {
  fc.assert(
    fc.property(key, fc.constantFrom("", "router.", "router", "51820"), (secret, typed) => {
      const texts = [typed + secret, secret + typed];
      expect(texts.map((text) => findWithheld(text, false))).toEqual(["key", "key"]);
    }),
  );
});
