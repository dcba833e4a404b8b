import { expect, test } from "vitest";
import { ProcessError, type Run } from "#system/processes.ts";
import type { SignedProof } from "../verify-proof.ts";
import { verifySsh } from "./verify-ssh.ts";

const armour = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgjmP1iLqesdh4N2jtm4L8NCeN99
qjyb9zUB13NE+Ff5kAAAAUcGVlcmRlY2tAZXhhbXBsZS5uZXQAAAAAAAAABnNoYTUxMgAA
AFMAAAALc3NoLWVkMjU1MTkAAABAdPUVlprmZI+u8A1UFZwGC7ERffm8YlnC3JyM0A66CO
kU2ERbwbFVCHwHdTk5vBScPMr2wPrQ7SWsS9MbY67oBQ==
-----END SSH SIGNATURE-----
`;
const key = {
  kind: "ssh",
  maintainer: "ADA-MNT",
  type: "ssh-ed25519",
  fingerprint: "SHA256:/pZAQY8X2wHfiVIX34wqk4kMjXJhqBAyd4G+bdQGrzs",
  publicKey: Buffer.from("AAAAC3NzaC1lZDI1NTE5AAAAII5j9Yi6nrHYeDdo7ZuC/DQnjffao8m/c1AddzRPhX+Z", "base64"),
} as const;
const proof: SignedProof = {
  text: "peerdeck",
  namespace: "peerdeck@example.net",
  signature: armour,
  publicKey: "",
  keys: [key],
  now: 0,
};

test("returns the key that has signed, and names the one that the registry does not have", async () => {
  expect(await verifySsh(proof, armour)).toEqual({ key });
  expect(await verifySsh({ ...proof, text: "other" }, armour)).toEqual({
    refusal: { code: "wrong-signature" },
  });
  expect(await verifySsh({ ...proof, keys: [{ ...key, publicKey: Buffer.from("other") }] }, armour)).toEqual({
    refusal: { code: "other-key", fingerprint: key.fingerprint },
  });
});

const ended =
  (code: number | null, stderr = ""): Run =>
  async () => ({ code, stdout: "", stderr, isTruncated: false });
test.each<readonly [string, Run]>([
  ["is missing", () => Promise.reject(new ProcessError("ssh-keygen cannot be started"))],
  ["is too old", ended(1, "unknown option -- Y")],
  ["is ended by a signal", ended(null)],
])("an ssh-keygen that %s refuses no signature", async (_, run) => {
  await expect(verifySsh(proof, armour, run)).rejects.toMatchObject({
    status: 503,
    body: { message: expect.stringContaining("cannot verify SSH signatures at the moment") },
  });
});

test("another fault is not hidden", async () => {
  await expect(verifySsh(proof, armour, () => Promise.reject(new TypeError("a fault")))).rejects.toThrow(
    "a fault",
  );
});
