/** `peerdeck-agent accept-server`, which works while the agent runs and while it is stopped. */
import { formatAddress, parseAddress, unmapIpv4 } from "../../domain/prefix.ts";
import { runAsOwner } from "../../system/run-as-owner.ts";
import type { AgentConfig } from "../config/agent-config.ts";
import { acceptServer } from "../servers/accepted-servers.ts";
import { describeStateFailure, StateCommandError } from "./state-command-error.ts";

export const acceptServerUsage = `Accepts connections of the server from an address that the packet filter drops, because the server has moved.

peerdeck-agent accept-server ADDRESS

The address is accepted within ten seconds, beside those that the server tells, until the server tells it. The server still
needs the certificate that server_fingerprints lists.
`;

/** Accepts the address. Returns what was done, for the operator. */
export async function acceptServerAddress(
  text: string,
  config: Pick<AgentConfig, "state_dir" | "server_addresses">,
  configPath: string,
): Promise<string> {
  const parsed = parseAddress(text);
  if (!parsed) {
    throw new StateCommandError(
      `${text} is not an IPv4 or IPv6 address. Nothing was changed.\n\n${acceptServerUsage.trimEnd()}`,
    );
  }
  const address = formatAddress(unmapIpv4(parsed));
  const { state_dir: folder, server_addresses: configured } = config;
  if (configured.length > 0) {
    throw new StateCommandError(
      `server_addresses in ${configPath} says alone where the server connects from. Nothing was changed. Add ` +
        `"${address}" to that line, then: systemctl restart peerdeck-agent`,
    );
  }
  const isNew = await runAsOwner(folder, () => acceptServer(folder, address)).catch((error: unknown) => {
    throw describeStateFailure("accept-server", folder, error);
  });
  return isNew
    ? `Servers can connect from ${address} within ten seconds, beside those that the server tells.`
    : `${address} was accepted before. Nothing was changed.`;
}
