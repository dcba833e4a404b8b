/** A server whose registry has the keys that a test lists, and browsers that prove an AS. */
import type { ProofRequest } from "#contract/call-tables/accounts/proof-calls.ts";
import type { AuthKey } from "#server/registry/auth/auth-keys.ts";
import { writeRegistryFiles } from "#server/registry/fixtures/registry-files.ts";
import { createFolderSource } from "#server/registry/registry-source.ts";
import type { TestDatabase } from "#tests/support/databases.ts";
import { createScratchFolder } from "#tests/support/scratch-folder.ts";
import { type AccountServer, type AccountServerOptions, cookieOf, serveAccounts } from "../account-server.ts";

const manyPoints = { points: 10_000, seconds: 60 };

export type ProofScene = Awaited<ReturnType<typeof openProofScene>>;

/** @param objects of the registry: `{ "aut-num/AS4242420001": "mnt-by: ADA-MNT" }` */
export async function openProofScene(
  at: TestDatabase,
  objects: Readonly<Record<string, string>>,
  options: AccountServerOptions = {},
) {
  await using parts = new AsyncDisposableStack();
  const folder = await createScratchFolder((remove) => parts.defer(remove));
  await writeRegistryFiles(folder, objects);
  /** The keys of an AS, by its number. */
  const keys = new Map<string, readonly AuthKey[]>();
  const server = parts.use(
    await serveAccounts(at, {
      createRegistrySource: () => createFolderSource(folder),
      registry: {
        findKeys: async (asn) =>
          `aut-num/AS${asn}` in objects
            ? { found: true, keys: keys.get(asn) ?? [], unusable: [] }
            : { found: false },
      },
      ...options,
      limits: {
        challengePerClient: manyPoints,
        proofPerClient: manyPoints,
        ...options.limits,
      },
    }),
  );
  const running = parts.move();
  return {
    server,
    keys,
    changeObjects: (changed: Readonly<Record<string, string>>) => writeRegistryFiles(folder, changed),
    openBrowser: () => openBrowser(server),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export interface ProofAttempt {
  readonly challenge: string;
  readonly signature: string;
  readonly public_key?: string;
}

/** A browser with its own cookies. */
export type ProofBrowser = ReturnType<typeof openBrowser>;

function openBrowser(server: AccountServer) {
  let cookie: Readonly<Record<string, string>> = {};
  const send = (asn: string, isReset: boolean) =>
    server.post("/api/requestProof", { asn, ...(isReset && { password_reset: "Yes" }) }, cookie);
  return {
    /** Returns the response of a request for a challenge, and stores its cookie. */
    send,
    cookie: () => cookie,
    request: async (asn: string, isReset = false): Promise<ProofRequest> => {
      const response = await send(asn, isReset);
      if (response.status !== 200) throw new Error(JSON.stringify(response.body));
      cookie = cookieOf(response);
      return response.body as ProofRequest;
    },
    prove: (attempt: ProofAttempt, headers: Readonly<Record<string, string>> = cookie) =>
      server.post("/api/proveOwnership", attempt, headers),
    /** Proves, and sets a password with the token. Returns the response of the latter. */
    setPassword: async (attempt: ProofAttempt, password: string) => {
      const { status, body } = await server.post("/api/proveOwnership", attempt, cookie);
      if (status !== 200) throw new Error(JSON.stringify(body));
      const { token } = body as { readonly token: string };
      return server.post("/api/setPassword", { token, password });
    },
  };
}
