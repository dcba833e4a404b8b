/** Sessions that exchange routes, and neighbours that support less than the session needs. */
import { establish } from "../actions.ts";
import { linkLocalPeering, routedPeering, separatePeering } from "../network.ts";
import { acceptedRoutes, linkLocalRoutes, refusedRoutes } from "../routes.ts";
import { type RecorderCase, type Scene, situation } from "../scene.ts";
import type { Capability } from "../speaker/messages.ts";
import { openOf } from "../speakers.ts";

const ipv6Prefix = "fd42:4242:1::/48";
const own = Number(linkLocalPeering(1).asn);
const ipv4Session = (prefixes: readonly string[]) => ({ prefixes, path: [own], nextHop: "172.21.1.1" });

export const establishedCases: readonly RecorderCase[] = [
  situation("established-dual-stack", {
    withRoutes: true,
    act: async (scene) => {
      const speaker = await establish(scene, 1, "link-local");
      await speaker.announce(linkLocalRoutes([...acceptedRoutes(0, 3), ...refusedRoutes(0, 2)]));
      await speaker.announce(linkLocalRoutes([ipv6Prefix, "::/0"]));
      await speaker.endOfRib("IPv4");
      await speaker.endOfRib("IPv6");
    },
  }),
  situation("established-separate", {
    peerings: [separatePeering(1)],
    withRoutes: true,
    act: async (scene) => {
      const ipv4 = await establish(scene, 1, "IPv4");
      const ipv6 = await establish(scene, 1, "IPv6 over link-local");
      await ipv4.announce(ipv4Session([...acceptedRoutes(0, 3), ...refusedRoutes(0, 2)]));
      await ipv6.announce(linkLocalRoutes([ipv6Prefix, "::/0"]));
    },
  }),
  situation("established-routed", {
    peerings: [routedPeering(1)],
    withRoutes: true,
    act: async (scene) => {
      const ipv4 = await establish(scene, 1, "IPv4");
      const ipv6 = await establish(scene, 1, "routed IPv6");
      await ipv4.announce(ipv4Session(acceptedRoutes(0, 1)));
      await ipv6.announce({
        prefixes: [ipv6Prefix],
        path: [own],
        nextHop: routedPeering(1).peerIpv6 ?? "",
        linkLocalNextHop: "fe80::1",
      });
    },
  }),
  situation("established-two-neighbours", {
    peerings: [linkLocalPeering(1), linkLocalPeering(2)],
    withRoutes: true,
    // These list both routes of a prefix.
    also: ["show route all table master4", "show route all filtered table master4"],
    act: async (scene) => {
      const first = await establish(scene, 1, "link-local");
      const second = await establish(scene, 2, "link-local");
      const prefixes = [...acceptedRoutes(0, 1), "172.20.8.0/26"];
      await first.announce(linkLocalRoutes(prefixes));
      const { asn, peerIpv6 } = linkLocalPeering(2);
      await second.announce({ prefixes, path: [Number(asn), own], nextHop: peerIpv6 ?? "" });
    },
  }),
  situation("neighbour-without-extended-next-hop", {
    act: (scene) => announceWith(scene, without("extended-next-hop")),
  }),
  situation("neighbour-ipv6-only", {
    withRoutes: true,
    act: (scene) => announceWith(scene, openOf(1, "IPv6 over link-local").capabilities),
  }),
  situation("neighbour-without-multiprotocol", {
    peerings: [separatePeering(1)],
    act: async (scene) => {
      const capabilities = openOf(1, "IPv4").capabilities.filter(({ kind }) => kind === "four-octet-as");
      await scene.speaker(1, "IPv4", { capabilities }).listen();
      await scene.speaker(1, "IPv6 over link-local", { capabilities }).listen();
    },
  }),
  situation("neighbour-without-capabilities", {
    // Possible with an AS number of two octets only.
    peerings: [],
    operatorLines: [
      "protocol bgp dn42_4242420001_v4 from peerdeck_peer {",
      "    local 172.20.16.1 as OWN_AS;",
      "    neighbor 172.21.1.1 as 64700;",
      "    connect delay time 1;",
      "    ipv4 { import filter peerdeck_import; import keep filtered on; export none; };",
      "}",
    ],
    withRoutes: true,
    act: (scene) => establish(scene, 1, "IPv4", { asn: 64_700, capabilities: [] }),
  }),
];

const without = (omitted: Capability["kind"]) =>
  openOf(1, "link-local").capabilities.filter(({ kind }) => kind !== omitted);

async function announceWith(scene: Scene, capabilities: readonly Capability[]): Promise<void> {
  const speaker = await establish(scene, 1, "link-local", { capabilities });
  await speaker.announce(linkLocalRoutes([ipv6Prefix]));
}
