/** What can be wrong with a participant's endpoint. */
import { factKinds } from "#contract/agent/findings.ts";
import { checkPublicAddress } from "../../address-ranges.ts";
import { parseAddress } from "../../prefix.ts";
import { findingRow } from "./finding-row.ts";

const { word, number } = factKinds;

const unresolved = {
  segment: "endpoint",
  weight: "broken",
  sentence: "Your hostname does not resolve",
  participantFix: "Check the name's records at your DNS provider, or enter an address.",
} as const;

const forbidden = {
  segment: "endpoint",
  weight: "broken",
  sentence: "Your endpoint cannot be used",
} as const;

export const endpointFindings = {
  "no-endpoint": findingRow(
    {},
    {
      segment: "endpoint",
      weight: "note",
      sentence: "Your router connects to the node",
      explanation: "Your router connects to the node, which has no endpoint of it.",
    },
  ),
  "endpoint-other-family": findingRow(
    { host: word, address: word, family: word, silent: word },
    {
      segment: "endpoint",
      weight: "note",
      sentence: ({ family }) => `The node uses your endpoint's ${family} address`,
      explanation: ({ host, address, family, silent }) =>
        `The node sends to the ${family} address of ${host}, ${address}, because there was no handshake over ${silent}.`,
      participantFix: ({ silent }) =>
        `Check the ${silent} address of the name and the firewall for it, if it should be used.`,
    },
  ),
  "endpoint-unresolved": findingRow(
    { host: word },
    { ...unresolved, explanation: ({ host }) => `${host} does not resolve to an address.` },
  ),
  "endpoint-resolver-timeout": findingRow(
    { host: word, seconds: number },
    {
      ...unresolved,
      explanation: ({ host, seconds }) =>
        `${host} could not be resolved within ${seconds} s: its name servers do not respond.`,
    },
  ),
  "endpoint-resolver-error": findingRow(
    { host: word },
    {
      ...unresolved,
      explanation: ({ host }) => `${host} could not be resolved: its name servers return an error.`,
    },
  ),
  "endpoint-is-node": findingRow(
    { host: word },
    {
      ...forbidden,
      explanation: ({ host }) => `${host} is one of our nodes.`,
      participantFix: "Enter the address of your own router.",
    },
  ),
  "endpoint-is-provider": findingRow(
    { host: word },
    {
      ...forbidden,
      explanation: ({ host }) => `${host} ${verbOf(host)} one of our addresses.`,
      participantFix: "Enter the address of your own router.",
    },
  ),
  "endpoint-not-public": findingRow(
    { host: word },
    {
      ...forbidden,
      explanation: ({ host }) => `${host} ${describeRange(host)}.`,
      participantFix: "Enter the public address of your router.",
    },
  ),
};

function verbOf(host: string): string {
  return parseAddress(host) ? "is" : "resolves to";
}

/**
 * What an address is, and of a name only that its address is not public: the node's resolver may know names of the inside of
 * its network. The agent's log has the address.
 */
function describeRange(host: string): string {
  const address = parseAddress(host);
  if (!address) return "resolves to an address that is not public";
  return checkPublicAddress(address, false) ?? "is not a public address";
}
