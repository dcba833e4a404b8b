import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isHostName } from "../../src/domain/host-name.ts";
import { findWithheld } from "../../src/domain/secrets/withheld-value.ts";

const a = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";
const b = "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=";

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

describe("a hostname", () => {
  const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
  const name = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 4 }), fc.stringMatching(/^[a-z]{2,20}$/))
    .map(([labels, top]) => [...labels, top].join("."))
    .filter(isHostName);

  test("is never withheld, and in lower case not while it is typed", () => {
    fc.assert(
      fc.property(name, (host) => {
        const typed = Array.from(host, (_, index) => host.slice(0, index + 1));
        expect(typed.filter((text) => findWithheld(text, false) !== null)).toEqual([]);
      }),
    );
    fc.assert(
      fc.property(fc.mixedCase(name), (host) => {
        expect(findWithheld(host, false)).toBeNull();
      }),
    );
  });

  test("with a label like a key is accepted as a whole", () => {
    expect(findWithheld(`${a.slice(0, 43).replaceAll("+", "x")}.example.org`, false)).toBeNull();
  });
});

test("every key is withheld, with text before or after it", () => {
  const key = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString("base64"));
  fc.assert(
    fc.property(key, fc.constantFrom("", "router.", "router", "51820"), (secret, typed) => {
      expect([typed + secret, secret + typed].map((text) => findWithheld(text, false))).toEqual([
        "key",
        "key",
      ]);
    }),
  );
});
