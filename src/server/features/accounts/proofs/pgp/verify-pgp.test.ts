import { expect, test } from "vitest";
import type { HttpError } from "#contract/http-error.ts";
import type { SignedProof } from "../verify-proof.ts";
import {
  armour,
  createEd25519,
  packet,
  signatureType,
  writeSignature,
  writeUser,
} from "./fixtures/pgp-writer.ts";
import { verifyPgp } from "./verify-pgp.ts";

const ada = createEd25519();
const proof: SignedProof = {
  text: "a line",
  namespace: "",
  signature: "",
  publicKey: armour(Buffer.concat([packet(6, ada.body), writeUser(ada)]), "PUBLIC KEY BLOCK"),
  keys: [
    {
      kind: "pgp",
      maintainer: "ADA-MNT",
      type: "pgp-fingerprint",
      fingerprint: ada.fingerprint,
      publicKey: null,
    },
  ],
  now: Date.UTC(2026, 0, 20),
};
const signature = {
  kind: "pgp",
  armour: armour(writeSignature(ada, Buffer.from("a line"), { type: signatureType.binary }), "SIGNATURE"),
} as const;

test("a thread verifies a signature, several at once", async () => {
  const verdicts = [verifyPgp(proof, signature), verifyPgp({ ...proof, text: "another" }, signature)];
  expect(await Promise.all(verdicts)).toEqual([
    { key: proof.keys[0] },
    { refusal: { code: "wrong-signature" } },
  ]);
});

test.each([
  ["too long", { milliseconds: 1, megabytes: 128 }],
  ["too much memory", { milliseconds: 60_000, megabytes: 6 }],
])("a proof that takes %s ends with a sentence", async (_, limits) => {
  const error = await verifyPgp(proof, signature, limits).catch((each: HttpError) => each);
  expect(error).toMatchObject({
    status: 503,
    body: {
      message: expect.stringContaining("The signature could not be verified in five seconds and 128 MB."),
    },
  });
});
