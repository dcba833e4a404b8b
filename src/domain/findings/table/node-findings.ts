/** What can be wrong with a node. Participants read only what concerns them (`publicFindings`). */
import { factKinds } from "#contract/agent/findings.ts";
import { findingRow } from "./finding-row.ts";
import { degraded, operatorNote, operatorOnly } from "./node-rows.ts";
import { countOf, plural } from "../../text/plural.ts";

const { word, words, number, boolean, output, nullable } = factKinds;

/** Why an agent gives no response, by the server's words for it. */
const unreachableCauses = {
  refused: "the connection was refused, the agent may be off",
  reset: "the connection was reset",
  "no-route": "there is no route to it",
  "no-address": "its hostname does not resolve",
  timeout: "it did not respond in time",
  "wrong-certificate": "its certificate is not the one that the server pins",
  "server-rejected": "it ended the connection, its server_fingerprints may lack the one of this server",
  other: "the connection failed",
} as const;
export type UnreachableCause = keyof typeof unreachableCauses;

const dropsByPath = "drops packets that arrive through another tunnel than the replies use";

/** The effects of kernel settings with a wrong value. */
const settingEffects: Readonly<Record<string, string>> = {
  "net.ipv4.ip_forward": "does not forward IPv4",
  "net.ipv6.conf.all.forwarding": "does not forward IPv6",
  "net.ipv6.conf.all.disable_ipv6": "has IPv6 disabled on all interfaces",
  "net.ipv6.conf.default.disable_ipv6": "has IPv6 disabled on new interfaces",
  "net.ipv6.conf.lo.disable_ipv6": "has IPv6 disabled on the loopback interface",
};

/** Why settings of other interfaces matter to participants. */
const settingScopes: Readonly<Record<string, string>> = {
  "net.ipv4.conf.all.rp_filter": ", which overrides the 0 of the tunnels",
  "net.ipv4.conf.default.rp_filter": ", which new interfaces start with",
};

export const nodeFindings = {
  "node-unreachable": findingRow(
    { host: word, cause: nullable(word) },
    {
      segment: "node",
      weight: "unknown",
      sentence: "The node does not respond",
      explanation: ({ host, cause }) => {
        const why = cause === null ? undefined : unreachableCauses[cause as UnreachableCause];
        return `${host} cannot be reached${why === undefined ? "" : `: ${why}`}.`;
      },
    },
  ),
  "node-error": findingRow(
    { host: word },
    {
      segment: "node",
      weight: "unknown",
      sentence: "The node responds with an error",
      explanation: ({ host }) => `${host} responded with an error.`,
      participantFix: "Try again in a minute.",
      providerFix: "The log of its agent has the details: journalctl -u peerdeck-agent.",
    },
  ),
  "node-upgrading": findingRow(
    { host: word, agentProtocol: nullable(number), serverProtocol: number },
    {
      segment: "node",
      weight: "unknown",
      sentence: "The provider is upgrading the node",
      explanation: ({ host }) => `The provider is upgrading ${host}; peerings on it keep running.`,
      providerFix: ({ agentProtocol, serverProtocol }) => {
        const spoken =
          agentProtocol === null
            ? "does not say which protocol it speaks"
            : `speaks protocol ${agentProtocol}`;
        const older = (agentProtocol ?? -1) < serverProtocol ? "agent" : "server";
        return `Its agent ${spoken}, this server speaks ${serverProtocol}. Upgrade the ${older}.`;
      },
    },
  ),
  "node-busy": findingRow(
    { host: word },
    {
      segment: "node",
      weight: "degraded",
      sentence: "The provider is changing the node's configuration",
      explanation: ({ host }) => `The provider is changing the configuration of ${host}.`,
    },
  ),
  /** What participants read if no other finding is for them. */
  "node-problem": findingRow(
    {},
    {
      ...degraded,
      sentence: "This node has a problem",
      explanation: "This node has a problem. Its operator can see the details.",
    },
  ),
  /** A code that the receiver does not have. */
  "unknown-finding": findingRow(
    { code: word },
    {
      ...operatorOnly,
      explanation: ({ code }) => `The agent reports "${code}", which this server does not know.`,
      providerFix: "Upgrade the server.",
    },
  ),
  "heavy-load": findingRow(
    {},
    {
      ...degraded,
      sentence: "The node is under heavy load",
      explanation: "The node is under heavy load: changes take longer than usual.",
    },
  ),
  "bird-unavailable": findingRow(
    {},
    {
      ...degraded,
      sentence: "BIRD does not respond on this node",
      explanation: "BIRD does not respond on this node.",
      providerFix: "Check that it is running: systemctl status bird",
    },
  ),
  "bird-files-not-loaded": findingRow(
    { files: words, isInvalid: boolean },
    {
      ...degraded,
      publicFacts: { files: [] },
      sentence: "The provider is changing the node's configuration",
      explanation:
        "The provider is changing this node's configuration. New peerings and changes of BGP sessions wait until that is done.",
      providerFix: ({ files, isInvalid }) => {
        const subject = `${files.slice(0, 3).join(", ")}${files.length > 3 ? " and other files" : ""} ${plural(files.length, "was", "were")} changed`;
        return isInvalid
          ? `${subject} and BIRD cannot parse the configuration; participants' changes wait.`
          : `${subject} and not yet loaded; participants' changes wait. Load with "birdc configure".`;
      },
    },
  ),
  "roas-outdated": findingRow(
    { minutes: nullable(number), output },
    {
      ...degraded,
      publicFacts: { output: "" },
      sentence: "The node's ROAs are outdated",
      explanation: ({ minutes }) =>
        `The ROAs of this node have not been updated ${minutes === null ? "since the agent started" : `for ${minutes} minutes`}.`,
      providerFix: ({ output: printed }) =>
        `BIRD keeps the ones it has.${printed === "" ? "" : ` Reason: ${printed.replace(/\.$/, "")}.`}`,
    },
  ),
  "kernel-setting": findingRow(
    { name: word, value: word, expected: word },
    {
      ...operatorOnly,
      explanation: ({ name, value }) =>
        `The kernel ${settingEffects[name] ?? (name.endsWith(".rp_filter") ? dropsByPath : "has a wrong setting")}: ` +
        `${name} is ${value}${settingScopes[name] ?? ""}.`,
      providerFix: ({ expected }) => `Set it to ${expected} in /etc/sysctl.d.`,
    },
  ),
  "inotify-instances-low": findingRow(
    { remaining: number, used: number, limit: number },
    {
      ...operatorOnly,
      explanation: ({ remaining, used, limit }) =>
        `Only ${remaining} more ${plural(remaining, "tunnel is", "tunnels are")} possible: wireguard-go uses one inotify ` +
        `instance per tunnel, and ${used} of ${limit} are in use.`,
      providerFix: ({ limit }) => `Set fs.inotify.max_user_instances to ${limit * 8} in /etc/sysctl.d.`,
    },
  ),
  "sessions-disabled": findingRow(
    { asns: words, peerings: number },
    {
      ...operatorNote,
      sentence: "The provider has disabled BGP sessions",
      explanation: ({ asns, peerings }) =>
        `BGP sessions of ${countOf(peerings, "peering")} are disabled (birdc disable): ` +
        `${asns.map((asn) => `AS${asn}`).join(", ")}${peerings > asns.length ? " and others" : ""}.`,
      providerFix: "To enable one, take its name from birdc show protocols: birdc enable NAME",
    },
  ),
  "tunnel-left-out": findingRow(
    { asn: word, port: number },
    {
      ...operatorOnly,
      explanation: ({ asn, port }) =>
        `The tunnel of AS${asn} does not run: another program uses its UDP port ${port}.`,
      providerFix: "It starts when the port is free.",
    },
  ),
  "wireguard-hangs": findingRow(
    {},
    {
      ...operatorOnly,
      explanation:
        "A WireGuard interface of another program does not respond to wg. Participants' tunnels are not affected.",
      providerFix: "`wg show` hangs at it.",
    },
  ),
  "database-refused": findingRow(
    { peerings: number },
    {
      ...operatorOnly,
      explanation: ({ peerings }) =>
        `A server with another or an older database tried to change or remove ${countOf(peerings, "peering")}. ` +
        "The node refused.",
      providerFix: "Stop that server, or recover its database (docs/operations.md).",
    },
  ),
  "peering-conflicts": findingRow(
    { host: word, missing: number, outdated: number, deleted: number },
    {
      ...degraded,
      sentence: "The node and the database disagree",
      explanation: ({ host, missing, outdated, deleted }) =>
        [
          countPeerings(missing, `on ${host}`, "is not in the database", "are not in the database"),
          countPeerings(
            outdated,
            `on ${host}`,
            "is newer than in the database",
            "are newer than in the database",
          ),
          countPeerings(
            deleted,
            "",
            `was deleted on ${host} and is still in the database`,
            `were deleted on ${host} and are still in the database`,
          ),
          "Until the operator recovers the database, the server changes and removes nothing there by itself.",
        ]
          .filter((sentence) => sentence !== "")
          .join(" "),
    },
  ),
};

function countPeerings(count: number, where: string, one: string, many: string): string {
  if (count === 0) return "";
  const subject = countOf(count, "peering");
  return `${where === "" ? subject : `${subject} ${where}`} ${plural(count, one, many)}.`;
}
