/** What can be wrong with the packet filter of a node, and with the operator's own firewall beside it. */
import { factKinds } from "#contract/agent/findings.ts";
import { findingRow, listWords } from "./finding-row.ts";
import { notForwarding } from "./forwarding-findings.ts";
import { operatorOnly } from "./node-rows.ts";
import { plural } from "../../text/plural.ts";

const { word, words, number, output } = factKinds;

const filterCauses: Readonly<Record<string, readonly [cause: string, fix: string]>> = {
  "no-nft": ["the program nft is not installed", "Install it: apt-get install nftables."],
  "no-nftables": ["this kernel has no nftables", "Run a kernel with the module nf_tables."],
};

/** The names of chains as nft's commands have them. */
const chainNames = (chains: readonly string[]) => chains.map((chain) => chain.replaceAll(":", " "));

export const filterFindings = {
  "packet-filter-unavailable": findingRow(
    { cause: word, output },
    {
      ...operatorOnly,
      explanation: ({ cause, output: printed }) =>
        `The node is not protected against packets of participants: ${filterCauses[cause]?.[0] ?? `nft does not work: ${printed}`}.`,
      providerFix: ({ cause }) => filterCauses[cause]?.[1] ?? "",
    },
  ),
  "packet-filter-changed": findingRow(
    {},
    {
      ...operatorOnly,
      explanation: "The packet filter (table inet peerdeck) is missing or was changed.",
      providerFix: "The agent restores it.",
    },
  ),
  "agent-port-open": findingRow(
    {},
    {
      ...operatorOnly,
      explanation:
        "The agent's port accepts connections from every address, except through participants' tunnels.",
      providerFix:
        "The server tells its addresses when it connects; or add them to server_addresses in agent.toml.",
    },
  ),
  "interfaces-unlisted": findingRow(
    { interfaces: words },
    {
      ...operatorOnly,
      explanation: ({ interfaces }) =>
        `BIRD routes the network through ${listWords(interfaces)}, but participants' packets are not forwarded there.`,
      providerFix:
        "Add tunnels to your own nodes to [linux.tunnels] in agent.toml, and links of peerings that you made by hand to " +
        "interfaces of [linux.firewall].",
    },
  ),
  "sessions-blocked": findingRow(
    { tunnels: number, chains: words },
    {
      ...operatorOnly,
      explanation: ({ tunnels, chains }) =>
        `No BGP session is established, although ${tunnels} ${plural(tunnels, "tunnel is", "tunnels are")} up. The chain ` +
        `${listWords(chainNames(chains))} of your firewall drops by default.`,
      providerFix: "Check that it accepts TCP port 179 from the interfaces dn42_*.",
    },
  ),
  "tunnels-blocked": findingRow(
    { tunnels: number, chains: words },
    {
      ...operatorOnly,
      explanation: ({ tunnels, chains }) =>
        `${tunnels} ${plural(tunnels, "tunnel has", "tunnels have")} no handshake, and no rule of the ` +
        `${plural(chains.length, "chain")} ${listWords(chainNames(chains))} of your firewall, which ` +
        `${plural(chains.length, "drops", "drop")} by default, names their ports.`,
      providerFix: "Accept UDP ports 20000 to 32767 from every address.",
    },
  ),
  "forwarding-blocked": findingRow(
    { chains: words },
    {
      ...notForwarding,
      explanation: ({ chains }) =>
        `The ${plural(chains.length, "chain")} ${listWords(chainNames(chains))} of your firewall ` +
        `${plural(chains.length, "drops", "drop")} forwarded packets by default, and no rule there names participants' interfaces.`,
      providerFix:
        "Accept packets between the interfaces dn42_* and your own tunnels (docs/nodes.md, Your own firewall).",
    },
  ),
};
