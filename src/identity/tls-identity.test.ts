import { X509Certificate } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openIdentity } from "./tls-identity.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-identity-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("the first start makes an identity that only its owner can read", async () => {
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

test("every later start reads the same one", async () => {
  const made = await openIdentity(folder, "syd01");
  expect(await openIdentity(folder, "another name")).toEqual(made);
});

test("two programs that start at once end with one identity", async () => {
  const [one, other] = await Promise.all([openIdentity(folder, "a"), openIdentity(folder, "b")]);
  expect(one).toEqual(other);
});

test("a key that others may read is refused with the command that mends it", async () => {
  await openIdentity(folder, "syd01");
  const path = join(folder, "identity.pem");
  await chmod(path, 0o640);
  await expect(openIdentity(folder, "syd01")).rejects.toThrow(
    `${path} holds a private key and others may read it. Run: chmod 600 ${path}`,
  );
});

test("a key with another's certificate is refused", async () => {
  await openIdentity(join(folder, "a"), "a");
  await openIdentity(join(folder, "b"), "b");
  const path = join(folder, "a", "identity.pem");
  const key = (await readFile(path, "utf8")).split("-----BEGIN CERTIFICATE")[0];
  const certificate = (await readFile(join(folder, "b", "identity.pem"), "utf8")).split("-----BEGIN CERT")[1];
  await writeFile(path, `${key}-----BEGIN CERT${certificate}`);
  await expect(openIdentity(join(folder, "a"), "a")).rejects.toThrow(
    `${path} does not hold a private key and its certificate.`,
  );
});
