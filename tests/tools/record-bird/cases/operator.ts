/** What the operator configures beside our sessions: other protocols, and other formats of times. */
import { timeFormats } from "#tests/fixtures/router-outputs/operator.ts";
import { establish, waitForReply } from "../actions.ts";
import { linkLocalPeering, separatePeering } from "../network.ts";
import { acceptedRoutes, linkLocalRoutes, refusedRoutes } from "../routes.ts";
import { type RecorderCase, situation } from "../scene.ts";

const peerSession = (name: string, ...lines: readonly string[]) =>
  `protocol bgp ${name} from peerdeck_peer { local fe80::2227 as OWN_AS; ${lines.join(" ")} ipv6 { import none; export none; }; }`;

const otherProtocols: RecorderCase = situation("other-protocols", {
  withRoutes: true,
  also: ["show protocols all"],
  operatorLines: [
    "ipv4 table operator4;",
    // Other BGP sessions, with names like ours.
    peerSession("dn42_42424200010", "neighbor fe80::2 % 'dn42_4242420002' as 4242420010; disabled;"),
    peerSession("'dn42_4242420001.old'", "neighbor fe80::3 % 'dn42_4242420003' as 4242420001;"),
    peerSession(
      "my_dn42_4242420001",
      "neighbor fe80::9 % 'dn42_4242420009' as 4242420001;",
      'description "  BGP state:          Established";',
    ),
    // Protocols of other types, with the names that sessions of this participant could have.
    'protocol static dn42_4242420001_v4 { ipv4; description "BGP  ---  up  10:00:00.000  Established"; }',
    "protocol static BGP { ipv6; }",
    "protocol static Established { ipv4; }",
    'protocol direct dn42_4242420001_direct { ipv4; interface "none"; }',
    "protocol pipe dn42_4242420001_pipe { table master4; peer table operator4; export none; }",
    'protocol ospf v2 dn42_4242420001_ospf { ipv4; area 0 { interface "eth0" { type ptp; }; }; }',
    'protocol rip dn42_4242420001_rip { ipv4; interface "eth0"; }',
    'protocol babel dn42_4242420001_babel { ipv6; interface "eth0"; }',
    'protocol bfd dn42_4242420001_bfd { interface "eth0"; }',
    'protocol radv dn42_4242420001_radv { ipv6 { table master6; }; interface "eth0"; }',
    "protocol rpki dn42_4242420001_rpki { roa4 { table dn42_roa4; }; remote 192.0.2.11 port 3323; }",
  ],
  act: async (scene) => {
    const neighbour = await establish(scene, 1, "link-local");
    await neighbour.announce(linkLocalRoutes(acceptedRoutes(0, 2)));
  },
});

/** A session in each state that has another line: Established, after an error, disabled, connecting, shut down. */
const timeFormatCases: readonly RecorderCase[] = timeFormats.map(({ name, lines }) =>
  situation(name, {
    also: [
      "show route all protocol dn42_4242420001_v4",
      "show route all filtered protocol dn42_4242420001_v4 where net.type = NET_IP4",
    ],
    peerings: [separatePeering(1), linkLocalPeering(3), { ...linkLocalPeering(4), addressFamily: "IPv6" }],
    operatorLines: [
      ...lines,
      "protocol bgp dn42_4242420002_v4 from peerdeck_peer {",
      "    local 172.20.16.1 as OWN_AS;",
      "    neighbor 172.21.2.1 as 4242420002;",
      "    connect delay time 1;",
      "    ipv4 { import all; export none; import limit 1 action disable; };",
      "}",
    ],
    act: async (scene) => {
      const ipv4 = await establish(scene, 1, "IPv4");
      const ipv6 = await establish(scene, 1, "IPv6 over link-local");
      const limited = await establish(scene, 2, "IPv4");
      const routes = { path: [4_242_420_001], nextHop: "172.21.1.1" };
      await ipv4.announce({ ...routes, prefixes: [...acceptedRoutes(0, 2), ...refusedRoutes(0, 1)] });
      await limited.announce({
        path: [4_242_420_002],
        nextHop: "172.21.2.1",
        prefixes: acceptedRoutes(100, 2),
      });
      await scene.bird.send("disable dn42_4242420004_v6");
      await waitForReply(scene.bird, "show protocols all dn42_4242420002_v4", /BGP state: +Down/);
      await waitForReply(scene.bird, "show protocols all dn42_4242420003", /BGP state: +Connect/);
      await ipv6.setMode("muted");
      await ipv6.notify({ code: 5, subcode: 3, data: "" });
    },
  }),
);

export const operatorCases: readonly RecorderCase[] = [otherProtocols, ...timeFormatCases];
