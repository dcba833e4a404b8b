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

const subject = ({ host, address }: { readonly host: string; readonly address: string }) =>
  host === address ? host : `${host} resolves to ${address}, which`;

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
    { host: word, address: word },
    {
      ...forbidden,
      explanation: (facts) => `${subject(facts)} is one of our nodes.`,
      participantFix: "Enter the address of your own router.",
    },
  ),
  "endpoint-is-provider": findingRow(
    { host: word, address: word },
    {
      ...forbidden,
      explanation: (facts) => `${subject(facts)} is one of our addresses.`,
      participantFix: "Enter the address of your own router.",
    },
  ),
  "endpoint-not-public": findingRow(
    { host: word, address: word },
    {
      ...forbidden,
      explanation: (facts) => `${subject(facts)} ${describeRange(facts.address)}.`,
      participantFix: "Enter the public address of your router.",
    },
  ),
};

function describeRange(text: string): string {
  const address = parseAddress(text);
  return (address && checkPublicAddress(address, false)) ?? "is not a public address";
}
