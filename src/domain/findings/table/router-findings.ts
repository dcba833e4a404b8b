/** Why a node's router may not run the confirmed configuration. The agent repairs it. */
import { factKinds } from "#contract/agent/findings.ts";
import { formatAge } from "../../text/age.ts";
import { findingRow, listWords } from "./finding-row.ts";
import { notForwarding } from "./forwarding-findings.ts";
import { operatorNote, operatorOnly } from "./node-rows.ts";

const { number, output, word, words } = factKinds;

const retried = "It is tried again, at least every ten minutes.";

/** What a value of a tunnel, or of the node, is called. */
const valueNames: Readonly<Record<string, string>> = {
  link: "the link state",
  addresses: "the addresses",
  mtu: "the MTU",
  wireguard: "keys, port or peer",
  endpoint: "the endpoint",
  settings: "the kernel's settings",
  "node-address": "the address",
  "packet-filter": "the table inet peerdeck",
  bird: "the configuration of BIRD",
};
/** How many names a sentence has. */
const shownNames = 3;

function describeValue(value: string, names: readonly string[], count: number): string {
  const what = valueNames[value] ?? value;
  if (names.length === 0) return what;
  const shown = names.slice(0, shownNames);
  const rest = count > shown.length ? [`${count - shown.length} more`] : [];
  return `${what}${value === "node-address" ? " " : " of "}${listWords([...shown, ...rest])}`;
}

export const routerFindings = {
  "not-applied-yet": findingRow(
    {},
    {
      ...operatorOnly,
      explanation: "The confirmed configuration has not been applied since the agent started.",
    },
  ),
  "router-drifted": findingRow(
    {},
    {
      ...operatorOnly,
      explanation: "The router drifted from the confirmed configuration, which is being applied again.",
    },
  ),
  "tunnels-drifted": findingRow(
    { tunnels: number },
    {
      ...operatorOnly,
      explanation: ({ tunnels }) => `Tunnels that are missing or were changed: ${tunnels}.`,
    },
  ),
  "node-addresses-missing": findingRow(
    { addresses: words },
    {
      ...notForwarding,
      explanation: ({ addresses }) => `Addresses of the node that are missing: ${listWords(addresses)}.`,
    },
  ),
  "value-contested": findingRow(
    { value: word, names: words, count: number },
    {
      ...operatorOnly,
      explanation: ({ value, names, count }) =>
        `Another program works against the agent: it changes ${describeValue(value, names, count)} again and again. ` +
        "The agent repairs this only once a minute.",
      providerFix: "Find that program, and exclude what the agent owns from it.",
    },
  ),
  "tunnels-retried": findingRow(
    { tunnels: number },
    {
      ...operatorOnly,
      explanation: ({ tunnels }) => `Tunnels that could not be set up and are tried again: ${tunnels}.`,
    },
  ),
  "kernel-without-ipv6": findingRow(
    {},
    {
      ...operatorOnly,
      explanation: "The kernel has no IPv6: /proc/sys/net/ipv6 is missing.",
      providerFix: "Remove ipv6.disable=1 from the kernel's command line, or load the module ipv6.",
    },
  ),
  "tunnels-without-ipv6": findingRow(
    { tunnels: number },
    {
      ...operatorOnly,
      explanation: ({ tunnels }) =>
        `Tunnels without their IPv6 addresses, because IPv6 is disabled: ${tunnels}.`,
      providerFix: "They get them when the kernel's IPv6 is on.",
    },
  ),
  "tunnel-name-taken": findingRow(
    { asn: word, interface: word },
    {
      ...operatorOnly,
      explanation: ({ asn, interface: name }) =>
        `The tunnel of AS${asn} does not run: another program has created an interface ${name}.`,
      providerFix: "Remove or rename that interface. The tunnel starts when its name is free.",
    },
  ),
  "tunnel-key-missing": findingRow(
    { asn: word, publicKey: word },
    {
      ...operatorOnly,
      explanation: ({ asn, publicKey }) =>
        `The tunnel of AS${asn} cannot be set up: the node does not have the WireGuard key ${publicKey}.`,
      providerFix:
        "Restore the key's file into state_dir and restart the agent, or move the peering to another key of the node.",
    },
  ),
  "wireguard-go-failed": findingRow(
    { asn: word, output },
    {
      ...operatorOnly,
      explanation: ({ asn, output: printed }) =>
        `The tunnel of AS${asn} does not run, because wireguard-go does not start: ${printed}`,
      providerFix: retried,
    },
  ),
  "tunnel-command-failed": findingRow(
    { asn: word, output },
    {
      ...operatorOnly,
      explanation: ({ asn, output: printed }) => `The tunnel of AS${asn} cannot be set up: ${printed}`,
      providerFix: retried,
    },
  ),
  "tunnels-left-out": findingRow(
    { tunnels: number },
    {
      ...operatorOnly,
      explanation: ({ tunnels }) => `More tunnels that cannot be set up: ${tunnels}.`,
      providerFix: retried,
    },
  ),
  "node-address-not-set": findingRow(
    { address: word, output },
    {
      ...operatorOnly,
      explanation: ({ address, output: printed }) =>
        `The node's own address ${address} could not be added to the loopback interface: ${printed}`,
      providerFix: "The agent tries again every minute.",
    },
  ),
  "bird-drifted": findingRow(
    {},
    { ...operatorOnly, explanation: "BIRD does not run the confirmed configuration." },
  ),
  "sessions-not-removed": findingRow(
    {},
    { ...operatorOnly, explanation: "BIRD still had sessions of removed peerings." },
  ),
  "disabled-sessions-changed": findingRow(
    {},
    {
      ...operatorOnly,
      explanation: "A BGP session was disabled or enabled with birdc. The agent's files follow.",
    },
  ),
  "repairs-paused": findingRow(
    { seconds: number },
    {
      ...operatorNote,
      sentence: "Repairs of this node are paused",
      explanation: ({ seconds }) =>
        `Repairs of this node were paused ${formatAge(seconds)}. What drifted stays as it is.`,
      providerFix: "Resume them on the node: peerdeck-agent resume",
    },
  ),
  "router-repair-waits": findingRow(
    {},
    {
      ...operatorOnly,
      explanation: "The router may not run the confirmed configuration. The repair waits.",
    },
  ),
  "router-state-unknown": findingRow(
    { output },
    {
      ...operatorOnly,
      explanation: ({ output: printed }) => `The router may not run the confirmed configuration: ${printed}`,
    },
  ),
  "router-not-restored": findingRow(
    { output },
    {
      ...operatorOnly,
      explanation: ({ output: printed }) => `The router does not run the confirmed configuration: ${printed}`,
    },
  ),
};
