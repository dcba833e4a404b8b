import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openIdentity, type TlsIdentity } from "../../src/mtls/tls-identity.ts";

const identities = new Map<string, Promise<TlsIdentity>>();

/** The TLS identity of this name. All tests of a worker share it, because keys take a while to create. */
export function testIdentity(name: string): Promise<TlsIdentity> {
  const identity = identities.get(name) ?? createIdentity(name);
  identities.set(name, identity);
  return identity;
}

async function createIdentity(name: string): Promise<TlsIdentity> {
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-identity-"));
  try {
    return await openIdentity(folder, name);
  } finally {
    await rm(folder, { recursive: true });
  }
}
