/**
 * The faults of the campaign. `side` is where the cause is, as far as the node can know:
 *
 * - `ours`: a finding of the node's health names it, and the participants concerned read that the node does not forward
 * - `theirs`: a finding of that peering alone names it
 * - `either`: a finding of that peering alone says that it cannot be told apart
 */
import type { FindingCode } from "#domain/findings/findings.ts";
import { eventually } from "#tests/lab/eventually.ts";
import { tunnel } from "#tests/lab/lab-participant.ts";
import { asnOf, nodeAddresses, numbers, otherNode, ownTunnel, type ParticipantNumber } from "./plan.ts";
import { configureFrr, type Scene } from "./scene.ts";

export type Side = "ours" | "theirs" | "either";

export interface Fault {
  readonly id: string;
  readonly title: string;
  readonly side: Side;
  /** One of these names it. */
  readonly codes: readonly FindingCode[];
  /** The participants whose peerings may have findings: all of them must, if the cause is theirs. */
  readonly concerned: readonly ParticipantNumber[];
  /** Those of them whose sessions it really disturbs. */
  readonly disturbed?: readonly ParticipantNumber[];
  /** Whether the participants concerned read that the node does not forward. By default, if the cause is on the node. */
  readonly isForParticipants?: boolean;
  /** It is so small that it may pass unnoticed. */
  readonly mayPass?: boolean;
  /** How long naming may take, in seconds on the agent's clock. */
  readonly limitSeconds?: number;
  /** Whether it does not depend on timers of BIRD or of WireGuard, which do not follow the agent's clock. */
  readonly isQuick?: boolean;
  readonly plant: (scene: Scene) => Promise<unknown>;
  readonly remove: (scene: Scene) => Promise<unknown>;
}

const interfaceOf = (number: ParticipantNumber) => `dn42_${asnOf(number)}`;
const proc = (path: string) => `/proc/sys/net/${path}`;

/** A chain of another program with a single rule. */
function chainWith(hook: string, rule: string, policy = "accept"): readonly string[] {
  return [
    "nft add table inet planted",
    `nft 'add chain inet planted ${hook} { type filter hook ${hook} priority 0; policy ${policy}; }'`,
    ...(rule === "" ? [] : [`nft 'add rule inet planted ${hook} ${rule}'`]),
  ];
}
/** An agent reads every ten seconds whether repairs are paused. */
const pauseSeconds = 12;
const removeChain = "nft delete table inet planted";

/** A fault on the node, by shell commands. The agent must not repair it meanwhile. */
function onNode(plant: readonly string[], remove: readonly string[]): Pick<Fault, "plant" | "remove"> {
  return {
    plant: async (scene) => {
      await scene.repairs("pause");
      // A repair that has begun may still change something.
      await scene.wait(pauseSeconds, 1);
      await scene.inNode(...plant);
    },
    remove: async (scene) => {
      await scene.inNode(...remove);
      await scene.repairs("resume");
    },
  };
}

function onRouter(
  number: ParticipantNumber,
  plant: readonly string[],
  remove: readonly string[] = [removeChain],
): Pick<Fault, "plant" | "remove"> {
  return {
    plant: (scene) => scene.inRouter(number, ...plant),
    remove: (scene) => scene.inRouter(number, ...remove),
  };
}

const setForwarding = (name: string, value: 0 | 1) =>
  ["ipv4", "ipv6"].map((family) => `echo ${value} > ${proc(`${family}/conf/${name}/forwarding`)}`);

/** Loses a share of what arrives over one participant's line. */
const loseOf = (number: ParticipantNumber, percent: number) =>
  onRouter(
    number,
    chainWith("input", `iifname eth0 meta l4proto udp numgen random mod 100 < ${percent} drop`),
  );

const setAllowedIps = (prefixes: string) => [
  `wg set ${tunnel} peer $(wg show ${tunnel} peers) allowed-ips ${prefixes}`,
];
const allNetworks = "172.20.0.0/14,10.0.0.0/8,fd00::/8,fe80::/10";

const all = numbers;

const forwardChain = { side: "ours", concerned: all, codes: ["forwarding-blocked"], isQuick: true } as const;
const blockedWay = { side: "theirs", codes: ["way-blocked"], isQuick: true } as const;

function dropOnNode(hook: "input" | "output" | "forward", match: string): Fault {
  return {
    id: `nft-node-${hook}`,
    title: `an nft rule on the node drops a participant's packets (${hook})`,
    side: "ours",
    codes: ["packets-dropped"],
    concerned: [3],
    disturbed: hook === "forward" ? [] : [3],
    isQuick: hook === "forward",
    ...onNode(chainWith(hook, `${match} "${interfaceOf(3)}" drop`), [removeChain]),
  };
}

const nodeFaults: readonly Fault[] = [
  {
    id: "docker",
    title: "Docker's chain drops forwarded packets by default",
    ...forwardChain,
    ...onNode(
      [
        "nft add table ip filter; nft add chain ip filter DOCKER-USER; nft add chain ip filter DOCKER-FORWARD",
        "nft 'add chain ip filter FORWARD { type filter hook forward priority filter; policy drop; }'",
        "nft 'add rule ip filter FORWARD counter jump DOCKER-USER; add rule ip filter FORWARD counter jump DOCKER-FORWARD'",
        `nft 'add rule ip filter DOCKER-FORWARD iifname "docker0" counter accept'`,
      ],
      ["nft delete table ip filter"],
    ),
  },
  {
    id: "forwarding-peering",
    title: "forwarding=0 on the interface of one peering",
    side: "ours",
    codes: ["forwarding-off"],
    concerned: [2],
    isQuick: true,
    ...onNode(setForwarding(interfaceOf(2), 0), setForwarding(interfaceOf(2), 1)),
  },
  {
    id: "forwarding-own",
    title: "forwarding=0 on the provider's own tunnel",
    side: "ours",
    codes: ["forwarding-off"],
    concerned: all,
    isQuick: true,
    ...onNode(setForwarding(ownTunnel.node, 0), setForwarding(ownTunnel.node, 1)),
  },
  {
    id: "rp-filter-own",
    title: "strict rp_filter on the provider's own tunnel",
    side: "ours",
    codes: ["path-filter"],
    // Replies take the same way here, so packets get through.
    concerned: [],
    isForParticipants: false,
    isQuick: true,
    ...onNode(
      [`echo 1 > ${proc(`ipv4/conf/${ownTunnel.node}/rp_filter`)}`],
      [`echo 0 > ${proc(`ipv4/conf/${ownTunnel.node}/rp_filter`)}`],
    ),
  },
  {
    id: "node-address",
    title: "the node's addresses are gone from lo",
    side: "ours",
    codes: ["node-addresses-missing"],
    concerned: all,
    isQuick: true,
    ...onNode(
      [`ip address del ${nodeAddresses.IPv4}/32 dev lo; ip address del ${nodeAddresses.IPv6}/128 dev lo`],
      [`ip address add ${nodeAddresses.IPv4}/32 dev lo; ip address add ${nodeAddresses.IPv6}/128 dev lo`],
    ),
  },
  {
    id: "route",
    title: "a rule sends packets for one tunnel address elsewhere",
    side: "ours",
    codes: ["route-missing"],
    concerned: [2],
    disturbed: [2],
    isQuick: true,
    ...onNode(
      ["ip route add 172.21.2.1/32 dev eth0 table 100; ip rule add to 172.21.2.1 lookup 100 priority 100"],
      ["ip rule del priority 100; ip route flush table 100"],
    ),
  },
  {
    id: "rule-refuses",
    title: "a rule refuses packets that arrive through one tunnel",
    side: "ours",
    codes: ["forwarding-refused"],
    concerned: [3],
    isQuick: true,
    ...onNode(
      ["ip", "ip -6"].map(
        (ip) =>
          `${ip} rule add iif ${interfaceOf(3)} to ${ip === "ip" ? "172.20.0.0/14" : "fd00::/8"} prohibit priority 100`,
      ),
      ["ip rule del priority 100; ip -6 rule del priority 100"],
    ),
  },
  dropOnNode("input", "iifname"),
  dropOnNode("output", "oifname"),
  dropOnNode("forward", "iifname"),
];

const linkFaults: readonly Fault[] = [
  {
    id: "own-key",
    title: "the own tunnel has a wrong key",
    side: "ours",
    codes: ["link-down"],
    concerned: [],
    isForParticipants: false,
    plant: async ({ inNode, ownKeys: { other } }) =>
      inNode(
        `wg set ${ownTunnel.node} peer ${other.publicKey} remove`,
        `wg set ${ownTunnel.node} peer $(wg genkey | wg pubkey) endpoint ${otherNode}:${ownTunnel.port} allowed-ips 0.0.0.0/0,::/0`,
      ),
    remove: async ({ inNode, ownKeys: { other } }) =>
      inNode(
        `wg set ${ownTunnel.node} peer $(wg show ${ownTunnel.node} peers) remove`,
        `wg set ${ownTunnel.node} peer ${other.publicKey} endpoint ${otherNode}:${ownTunnel.port} allowed-ips 0.0.0.0/0,::/0 persistent-keepalive 25`,
      ),
  },
  {
    id: "own-allowed",
    title: "AllowedIPs of fe80::/64 at the other end of the own tunnel",
    side: "ours",
    codes: ["link-blocked"],
    concerned: [],
    isForParticipants: false,
    isQuick: true,
    plant: ({ inOther }) =>
      inOther(`wg set ${ownTunnel.other} peer $(wg show ${ownTunnel.other} peers) allowed-ips fe80::/64`),
    remove: ({ inOther }) =>
      inOther(
        `wg set ${ownTunnel.other} peer $(wg show ${ownTunnel.other} peers) allowed-ips 0.0.0.0/0,::/0`,
      ),
  },
];

const participantFaults: readonly Fault[] = [
  {
    id: "allowed-ips",
    title: "AllowedIPs of fe80::/64 on the participant's router",
    concerned: [1],
    ...blockedWay,
    ...onRouter(1, setAllowedIps("fe80::/64"), setAllowedIps(allNetworks)),
  },
  {
    id: "nft-router-input",
    title: "an nft rule on the participant's router (input)",
    concerned: [1],
    ...blockedWay,
    ...onRouter(1, chainWith("input", `iifname ${tunnel} ip6 saddr fd00::/8 drop`)),
  },
  {
    id: "nft-router-output",
    title: "an nft rule on the participant's router (output)",
    concerned: [4],
    ...blockedWay,
    ...onRouter(4, chainWith("output", `oifname ${tunnel} ip6 daddr fd00::/8 drop`)),
  },
  {
    id: "nft-router-forward",
    title: "an nft rule on the participant's router (forward)",
    side: "theirs",
    codes: ["network-silent"],
    concerned: [2],
    isQuick: true,
    ...onRouter(2, chainWith("forward", "", "drop")),
  },
  {
    id: "icmp",
    title: "the participant's router drops ICMP",
    side: "either",
    codes: ["no-ping-reply"],
    concerned: [3],
    isQuick: true,
    ...onRouter(3, [
      ...chainWith("input", `iifname ${tunnel} icmpv6 type echo-request drop`),
      `nft 'add rule inet planted input iifname ${tunnel} icmp type echo-request drop'`,
    ]),
  },
  {
    id: "one-family",
    title: "the participant's router negotiates one of two families",
    side: "theirs",
    codes: ["family-not-announced"],
    concerned: [3],
    disturbed: [3],
    plant: ({
      participants: {
        3: { router },
      },
    }) => configureFrr(router, 3, activation("no ")),
    remove: ({
      participants: {
        3: { router },
      },
    }) => configureFrr(router, 3, activation("")),
  },
];

const activation = (no: string) => [
  "address-family ipv4 unicast",
  `${no}neighbor fe80::2227 activate`,
  "exit-address-family",
];

const holdTimerEnds = 3;
/** Longer than the hold time of participant 4. */
const silenceSeconds = 11;

const lineFaults: readonly Fault[] = [
  {
    id: "loss-5",
    title: "5% loss on one line",
    side: "either",
    codes: ["packet-loss"],
    concerned: [4],
    mayPass: true,
    isQuick: true,
    ...loseOf(4, 5),
  },
  {
    id: "loss-25",
    title: "25% loss on one line",
    side: "either",
    codes: ["packet-loss"],
    concerned: [4],
    isQuick: true,
    ...loseOf(4, 25),
  },
  {
    id: "loss-60",
    title: "60% loss on one line",
    side: "either",
    codes: ["packet-loss", "no-ping-reply"],
    concerned: [4],
    disturbed: [4],
    ...loseOf(4, 60),
  },
  {
    id: "mtu",
    title: "packets above 1460 bytes are dropped on the way while 1,002 routes are sent",
    side: "either",
    codes: ["session-stuck", "session-flapping"],
    concerned: [1],
    disturbed: [1],
    plant: async (scene) => {
      await scene.inRouter(1, ...chainWith("input", "iifname eth0 meta l4proto udp meta length > 1460 drop"));
      await setManyRoutes(scene, 1002);
    },
    remove: async (scene) => {
      await setManyRoutes(scene, 0);
      await scene.inRouter(1, removeChain);
    },
  },
  {
    id: "hold-timer",
    title: "the hold timer ends a session three times",
    side: "either",
    codes: ["session-flapping"],
    concerned: [4],
    disturbed: [4],
    plant: async (scene) => {
      for (let end = 0; end < holdTimerEnds; end += 1) {
        await scene.inRouter(
          4,
          ...chainWith("input", `iifname ${tunnel} tcp dport 179 drop`),
          `nft 'add rule inet planted input iifname ${tunnel} tcp sport 179 drop'`,
          `sleep ${silenceSeconds}`,
          removeChain,
        );
        await eventually(
          () => scene.connections(4),
          (sessions) => sessions.every(({ since }) => since !== null),
        );
      }
    },
    remove: async () => {},
  },
];

/** The node sends so many routes to all participants. BIRD loads them without a restart of any session. */
async function setManyRoutes(scene: Scene, count: number): Promise<void> {
  await scene.setRoutes(Array.from({ length: count }, (_, n) => `10.${64 + (n >> 8)}.${n & 255}.0/24`));
}

export const faults: readonly Fault[] = [...nodeFaults, ...linkFaults, ...participantFaults, ...lineFaults];
