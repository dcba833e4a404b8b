import type { Environment } from "#server/config/environment.ts";
import { openServerIdentity } from "#server/provider-server.ts";
import { parseArguments } from "./command-line.ts";

const usage = `peerdeck fingerprint
  Prints the fingerprint of the server's TLS identity, which the agents must have. The first time, it creates the identity.`;

export async function runFingerprintCommand(
  args: readonly string[],
  { dataDir }: Environment,
  print: (text: string) => void,
): Promise<number> {
  parseArguments(args, {}, usage);
  print((await openServerIdentity(dataDir)).fingerprint);
  return 0;
}
