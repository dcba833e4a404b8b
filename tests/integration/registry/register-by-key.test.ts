/** Networks without a mail address register by a signature, whichever kind of key the registry has. */
import { expect, onTestFinished, test } from "vitest";
import type { ProofRequest } from "#contract/call-tables/accounts/proof-calls.ts";
import { writeRegistryFiles } from "#server/registry/fixtures/registry-files.ts";
import { createFolderSource } from "#server/registry/registry-source.ts";
import {
  autNumOf,
  type KeyShape,
  maintainerOf,
  networkOf,
  networksWithKeys,
  shapesOf,
} from "../../support/generated-registry.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { shareOfCommit } from "../../support/share-of-commit.ts";
import {
  type AccountServer,
  cookieOf,
  goodPassword,
  isLoggedIn,
  logIn,
  serveAccounts,
} from "../accounts/account-server.ts";
import { createKeyPool, type PoolKey } from "./key-pool.ts";

const manyPoints = { points: 10_000, seconds: 60 };
const shapes: readonly KeyShape[] = ["pgp-fingerprint", "ssh-rsa", "ssh-ed25519", "key-cert", "ecdsa", "sk"];
const indexes = Array.from({ length: networksWithKeys.any }, (_, index) => index);
/** The first networks of each kind, and a share of all. */
const networks = new Set([
  ...shapes.flatMap((shape) => indexes.filter((index) => shapesOf(index).includes(shape)).slice(0, 3)),
  ...shareOfCommit(indexes, 400),
]);

/** With all networks, for EVERY_CASE. */
const timeout = 1_800_000;

test(
  "each network with a usable key registers without mail, with each of its keys",
  { timeout },
  async () => {
    const folder = await createScratchFolder(onTestFinished);
    using pool = createKeyPool(folder);
    for (const { objects } of pool.keys) await writeRegistryFiles(folder, objects);
    for (const index of networks)
      await writeRegistryFiles(folder, { ...autNumOf(index), ...maintainerOf(index, pool.keys) });
    await using server = await serveAccounts(null, {
      createRegistrySource: () => createFolderSource(folder),
      limits: {
        challengePerClient: manyPoints,
        proofPerClient: manyPoints,
        setPasswordPerClient: manyPoints,
      },
    });
    const failed: unknown[] = [];
    let serverTime = Date.UTC(2026, 0, 20);
    for (const index of networks) {
      // gpg dates its keys and signatures.
      server.pass(Date.now() - serverTime);
      serverTime = Date.now();
      const { asn } = networkOf(index);
      expect(await server.post("/api/sendEmailVerification", { asn })).toMatchObject({ status: 422 });
      const steps = await registerWithEachKey(server, asn, pool.keys);
      if (steps.length !== shapesOf(index).length || steps.some((status) => status !== 200))
        failed.push({ asn, shapes: shapesOf(index), steps });
    }
    expect(failed).toEqual([]);
    expect(await isLoggedIn(server, await logIn(server, goodPassword, "4242420000"))).toBe(true);
  },
);

/** Registers with the first key, and resets the password with the others. Returns the last status of each. */
async function registerWithEachKey(
  server: AccountServer,
  asn: string,
  pool: readonly PoolKey[],
): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  const request = () =>
    server.post("/api/requestProof", { asn, ...(results.length > 0 && { password_reset: "Yes" }) });
  const { keys } = (await request()).body as ProofRequest;
  for (const { fingerprint } of keys) {
    const requested = await request();
    const { challenge, namespace } = requested.body as ProofRequest;
    const signed = pool.find((key) => key.fingerprint === fingerprint)?.sign(challenge.text, namespace);
    const proved = await server.post(
      "/api/proveOwnership",
      { challenge: challenge.id, ...signed },
      cookieOf(requested),
    );
    if (proved.status !== 200) return [...results, proved.body];
    const { token } = proved.body as { readonly token: string };
    const set = await server.post("/api/setPassword", { token, password: goodPassword });
    results.push(set.status);
  }
  return results;
}
