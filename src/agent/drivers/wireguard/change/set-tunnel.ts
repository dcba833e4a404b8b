import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { RoutedPeering } from "../../router.ts";
import { linkChange } from "../addresses.ts";
import type { InterfaceCommands } from "../interface-commands.ts";
import type { InterfaceStates } from "../interface-state.ts";

/** Creates the interface of a tunnel, or changes what `ip` sets. */
export async function setLink(
  commands: InterfaceCommands,
  name: string,
  { actual, desired }: InterfaceStates,
): Promise<true> {
  const change = linkChange(actual, desired);
  if (!actual) await commands.create(name, change);
  else if (!actual.up) await commands.up(name, change);
  else {
    await commands.changeLink(name, change);
    if (actual.hasWrongSettings) await commands.changeSettings(name);
  }
  return true;
}

/**
 * Configures WireGuard, unless it runs the configuration. Returns whether it had to. The interface is up, because
 * wireguard-go reports an occupied port only then. A new one that cannot be configured is removed.
 *
 * With another private key the peer is removed and added: otherwise it would look up for minutes by the handshake of the former
 * key, and start the next one only when it has something to send.
 */
export async function setPeer(
  commands: InterfaceCommands,
  { peering: { asn, publicKey } }: RoutedPeering,
  { actual, desired }: InterfaceStates,
): Promise<boolean> {
  if (actual?.config === desired.config) return false;
  const name = interfaceName(asn);
  if (actual && actual.privateKey !== desired.privateKey) await commands.removePeer(name, publicKey);
  try {
    await commands.configure(name, desired.config);
  } catch (error) {
    if (!actual) await commands.remove(name).catch(() => {});
    throw error;
  }
  return true;
}
