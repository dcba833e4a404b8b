/** Reads values without labels: `host:port`, a hostname, and addresses of the tunnel. */
import { isInNetwork, isLinkLocal } from "../../address-ranges.ts";
import { isHostName } from "../../host-name.ts";
import { parseAddress } from "../../prefix.ts";
import { readAddress, readEndpoint, trimPasted } from "./value-texts.ts";

export interface FragmentText {
  readonly host: string;
  readonly port: string;
  readonly addresses: readonly string[];
}

const maxValues = 8;
const longestValue = 300;
/** A name in any script, with a dot inside. */
const name = /^[\p{L}\p{N}\p{M}-]{1,63}(?:\.[\p{L}\p{N}\p{M}-]{1,63}){1,126}$/u;

/** Returns null if the text contains anything else, or two endpoints. */
export function readFragment(text: string): FragmentText | null {
  const values = trimPasted(text).split(/[\s,;]+/, maxValues + 1);
  if (values.length > maxValues || values.some((value) => value === "" || value.length > longestValue))
    return null;
  const endpoints = values.filter((value) => !isTunnelAddress(value));
  if (endpoints.length > 1) return null;
  const { host, port } = readEndpoint(endpoints[0] ?? "");
  const isEndpoint = isHostName(host) || name.test(host) || parseAddress(host) !== null;
  if (endpoints.length === 1 && !isEndpoint) return null;
  return { host, port, addresses: values.filter(isTunnelAddress) };
}

/** Whether a text is an address in the network, or a link-local one. */
function isTunnelAddress(text: string): boolean {
  const address = parseAddress(readAddress(text)?.address ?? "");
  if (address === null) return false;
  return isInNetwork(address) || isLinkLocal(readAddress(text)?.address ?? "");
}
