/** How many networks can prove their AS by a key, in a registry with the kinds of `auth:` lines that dn42's has. */
import { expect, onTestFinished, test } from "vitest";
import { writeRegistryFiles } from "#server/registry/fixtures/registry-files.ts";
import { createRegistry } from "#server/registry/registry.ts";
import { createFolderSource } from "#server/registry/registry-source.ts";
import { autNumOf, maintainerOf, networkOf, networksWithKeys } from "../../support/generated-registry.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { serveAccounts } from "../accounts/account-server.ts";
import { createKeyPool } from "./key-pool.ts";

test("of 2,001 networks, those with a key are found, and lines that prove nothing are named", async () => {
  const folder = await createScratchFolder(onTestFinished);
  using pool = createKeyPool(folder);
  for (const { objects } of pool.keys) await writeRegistryFiles(folder, objects);
  const indexes = Array.from({ length: networksWithKeys.all }, (_, index) => index);
  for (const index of indexes)
    await writeRegistryFiles(folder, { ...autNumOf(index), ...maintainerOf(index, pool.keys) });
  const registry = createRegistry({ source: createFolderSource(folder), maxAgeDays: 7, clock: Date.now });

  const shapes: string[] = [];
  const problems: string[] = [];
  let networks = 0;
  for (const index of indexes) {
    const found = await registry.findKeys(networkOf(index).asn);
    if (!found.found) throw new Error(`network ${index} is not in the registry`);
    if (found.keys.length > 0) networks += 1;
    for (const { fingerprint } of found.keys)
      shapes.push(pool.keys.find((key) => key.fingerprint === fingerprint)?.shape ?? "unknown");
    problems.push(...found.unusable.map(({ problem }) => problem.code));
  }
  expect(networks).toBe(networksWithKeys.any);
  expect(count(shapes)).toEqual({
    "pgp-fingerprint": 1141,
    "ssh-rsa": 560,
    "ssh-ed25519": 400,
    "key-cert": 80,
    ecdsa: 20,
    sk: 6,
  });
  expect(count(problems)).toEqual({
    "empty-line": 17,
    "unsupported-type": 33,
    "unreadable-key": 17,
    "short-fingerprint": 16,
    "no-key-cert": 16,
  });
});

test("a request for a text to sign lists keys, and says of other lines what to do", async () => {
  await using server = await serveAccounts(null);
  expect(await server.post("/api/requestProof", { asn: "4242420018" })).toMatchObject({
    status: 200,
    body: {
      keys: [
        {
          kind: "ssh",
          maintainer: "SVEN-MNT",
          type: "ecdsa-sha2-nistp256",
          fingerprint: expect.stringMatching(/^SHA256:/),
          needs_public_key: false,
        },
      ],
      unusable: [
        {
          maintainer: "SVEN-MNT",
          line: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINxXvqPJM7rfIHFSJrPHZAZD",
          reason: 'This is not a whole ssh-ed25519 key. Copy the line of your .pub file into "auth:" again.',
        },
      ],
    },
  });
  const { body } = await server.post("/api/requestProof", { asn: "4242420017" });
  expect(body).toMatchObject({
    keys: [{}, {}, { type: "PGPKEY-F6CFDA79", needs_public_key: false }, { needs_public_key: true }],
    unusable: [],
  });
});

function count(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
