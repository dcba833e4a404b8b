import fc from "fast-check";
import { X509Certificate } from "node:crypto";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "../system/fixtures/create-folder.ts";
import { openIdentity, parseFingerprint } from "./tls-identity.ts";

let folder = "";
beforeEach(async () => {
  folder = await createFolder();
});

test("the first start creates an identity that only its owner can read", async () => {
  const made = await openIdentity(join(folder, "deep"), "syd01");
  const certificate = new X509Certificate(made.certificate);
  expect(certificate.subject).toBe("CN=syd01");
  expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
  const years = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / 31_556_952_000;
  expect(years).toBeCloseTo(10, 1);
  expect(made.fingerprint).toBe(certificate.fingerprint256);
  expect((await stat(join(folder, "deep", "identity.pem"))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "deep"))).toEqual(["identity.pem"]);
});

test("two programs that start at once, and later starts, have one identity", async () => {
  const [one, other] = await Promise.all([openIdentity(folder, "a"), openIdentity(folder, "b")]);
  expect(one).toEqual(other);
  expect(await openIdentity(folder, "another name")).toEqual(one);
});

test("a key that other users may read is rejected with the command to fix it", async () => {
  await openIdentity(folder, "syd01");
  const path = join(folder, "identity.pem");
  await chmod(path, 0o640);
  await expect(openIdentity(folder, "syd01")).rejects.toThrow(
    `${path} contains a private key and other users may read it. Run: chmod 600 ${path}`,
  );
});

test("a key with the certificate of another identity is rejected", async () => {
  await openIdentity(join(folder, "a"), "a");
  await openIdentity(join(folder, "b"), "b");
  const path = join(folder, "a", "identity.pem");
  const key = (await readFile(path, "utf8")).split("-----BEGIN CERTIFICATE")[0];
  const certificate = (await readFile(join(folder, "b", "identity.pem"), "utf8")).split("-----BEGIN CERT")[1];
  await writeFile(path, `${key}-----BEGIN CERT${certificate}`);
  await expect(openIdentity(join(folder, "a"), "a")).rejects.toThrow(
    `${path} does not contain a private key and its certificate.`,
  );
});

test("the case and the colons of a fingerprint do not matter", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const hex = Buffer.from(bytes).toString("hex");
      const colons = (hex.match(/../g) ?? []).join(":");
      expect(parseFingerprint(hex)).toBe(colons.toUpperCase());
      expect(parseFingerprint(` ${colons}\n`)).toBe(colons.toUpperCase());
    }),
  );
});

test.each(["", "AB:CD", "g".repeat(64), "a".repeat(63), "a".repeat(65), `sha256:${"a".repeat(64)}`])(
  "%j is not a fingerprint",
  (text) => {
    expect(parseFingerprint(text)).toBeNull();
  },
);
