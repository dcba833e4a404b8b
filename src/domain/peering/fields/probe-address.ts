/** The address in a participant's own network that the node probes. */
import { isInNetwork, networkRanges } from "../../address-ranges.ts";
import { contains, formatAddress, formatPrefix, parseAddress, type Prefix } from "../../prefix.ts";
import { InvalidFieldError } from "../invalid-field.ts";

export interface ProbeContext {
  /** Prefixes of the provider. */
  readonly providerPrefixes: readonly Prefix[];
  /** The tunnel's addresses of both sides; null where it has none. */
  readonly tunnel: ReadonlyArray<string | null>;
}

/** Returns the canonical address. Throws `InvalidFieldError` if no participant can have it in its own network. */
export function checkProbeAddress(text: string, { providerPrefixes, tunnel }: ProbeContext): string {
  const address = parseAddress(text);
  if (!address) throw refusal(explainText(text));
  const canonical = formatAddress(address);
  if (!isInNetwork(address))
    throw refusal(
      `${canonical} is outside the network's ranges ${networkRanges.map(formatPrefix).join(", ")}.`,
    );
  if (tunnel.includes(canonical))
    throw refusal(
      `${canonical} is an address of the tunnel, which is probed anyway. Enter one behind your router.`,
    );
  if (providerPrefixes.some((range) => contains(range, address)))
    throw refusal(`${canonical} belongs to us. Enter an address in your own network.`);
  return canonical;
}

/** Whether a text can be an address to probe, as far as it is known without the peering and the provider. */
export function isProbeAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && isInNetwork(address);
}

function explainText(text: string): string {
  if (text.includes("/")) return "Leave out the prefix length: enter one address.";
  return text.includes("%")
    ? "Leave out the zone: it names an interface of your own machine."
    : "Not an address. Enter one IPv4 or IPv6 address in your network, or leave it empty.";
}

function refusal(message: string): InvalidFieldError {
  return new InvalidFieldError("probe_address", message);
}
