/** Sessions that exchange routes, and neighbours that support less than the session needs. */
import { establish } from "../actions.ts";
import { linkLocalPeering, routedPeering, separatePeering } from "../network.ts";
import { acceptedRoutes, linkLocalRoutes, refusedRoutes } from "../routes.ts";
import type { RecorderCase } from "../scene.ts";
import { openOf } from "../speakers.ts";

const ipv6Prefix = "fd42:4242:1::/48";
const own = Number(linkLocalPeering(1).asn);
const ipv4Session = (prefixes: readonly string[]) => ({ prefixes, path: [own], nextHop: "172.21.1.1" });

export const establishedCases: readonly RecorderCase[] = [
  {
    name: "established-dual-stack",
    peerings: [linkLocalPeering(1)],
    run: async (scene) => {
      const speaker = await establish(scene, 1, "link-local");
      await speaker.announce(linkLocalRoutes([...acceptedRoutes(0, 3), ...refusedRoutes(0, 2)]));
      await speaker.announce(linkLocalRoutes([ipv6Prefix, "::/0"]));
      await speaker.endOfRib("IPv4");
      await speaker.endOfRib("IPv6");
      await scene.record("established-dual-stack");
    },
  },
  {
    name: "established-separate",
    peerings: [separatePeering(1)],
    run: async (scene) => {
      const ipv4 = await establish(scene, 1, "IPv4");
      const ipv6 = await establish(scene, 1, "IPv6 over link-local");
      await ipv4.announce(ipv4Session([...acceptedRoutes(0, 3), ...refusedRoutes(0, 2)]));
      await ipv6.announce(linkLocalRoutes([ipv6Prefix, "::/0"]));
      await scene.record("established-separate");
    },
  },
  {
    name: "established-routed",
    peerings: [routedPeering(1)],
    run: async (scene) => {
      const ipv4 = await establish(scene, 1, "IPv4");
      const ipv6 = await establish(scene, 1, "routed IPv6");
      await ipv4.announce(ipv4Session(acceptedRoutes(0, 1)));
      await ipv6.announce({
        prefixes: [ipv6Prefix],
        path: [own],
        nextHop: routedPeering(1).peerIpv6 ?? "",
        linkLocalNextHop: "fe80::1",
      });
      await scene.record("established-routed");
    },
  },
  {
    name: "established-two-neighbours",
    peerings: [linkLocalPeering(1), linkLocalPeering(2)],
    run: async (scene) => {
      const first = await establish(scene, 1, "link-local");
      const second = await establish(scene, 2, "link-local");
      await first.announce(linkLocalRoutes([...acceptedRoutes(0, 1), "172.20.8.0/26"]));
      await second.announce({
        prefixes: [...acceptedRoutes(0, 1), "172.20.8.0/26"],
        path: [Number(linkLocalPeering(2).asn), own],
        nextHop: linkLocalPeering(2).peerIpv6 ?? "",
      });
      await scene.record("established-two-neighbours", {
        // These list both routes of a prefix.
        also: ["show route all table master4", "show route all filtered table master4"],
      });
    },
  },
  {
    name: "neighbour-without-extended-next-hop",
    peerings: [linkLocalPeering(1)],
    run: async (scene) => {
      const capabilities = openOf(1, "link-local").capabilities.filter(
        ({ kind }) => kind !== "extended-next-hop",
      );
      const speaker = await establish(scene, 1, "link-local", { capabilities });
      await speaker.announce(linkLocalRoutes([ipv6Prefix]));
      await scene.record("neighbour-without-extended-next-hop", { commands: "sessions" });
    },
  },
  {
    name: "neighbour-ipv6-only",
    peerings: [linkLocalPeering(1)],
    run: async (scene) => {
      const speaker = await establish(scene, 1, "link-local", {
        capabilities: openOf(1, "IPv6 over link-local").capabilities,
      });
      await speaker.announce(linkLocalRoutes([ipv6Prefix]));
      await scene.record("neighbour-ipv6-only");
    },
  },
  {
    name: "neighbour-without-multiprotocol",
    peerings: [separatePeering(1)],
    run: async (scene) => {
      const capabilities = openOf(1, "IPv4").capabilities.filter(({ kind }) => kind === "four-octet-as");
      const ipv4 = scene.speaker(1, "IPv4", { capabilities });
      const ipv6 = scene.speaker(1, "IPv6 over link-local", { capabilities });
      await ipv4.listen();
      await ipv6.listen();
      await scene.record("neighbour-without-multiprotocol", { commands: "sessions" });
    },
  },
  {
    // Possible with an AS number of two octets only.
    name: "neighbour-without-capabilities",
    peerings: [],
    operatorLines: [
      "protocol bgp dn42_4242420001_v4 from peerdeck_peer {",
      "    local 172.20.16.1 as OWN_AS;",
      "    neighbor 172.21.1.1 as 64700;",
      "    connect delay time 1;",
      "    ipv4 { import filter peerdeck_import; import keep filtered on; export none; };",
      "}",
    ],
    run: async (scene) => {
      await establish(scene, 1, "IPv4", { asn: 64_700, capabilities: [] });
      await scene.record("neighbour-without-capabilities");
    },
  },
];
