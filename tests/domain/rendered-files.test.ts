/**
 * The files of both sides of a peering describe the same tunnel and the same sessions.
 * tests/lab/real-parsers.test.ts has BIRD and WireGuard parse them.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderBirdPeering } from "../../src/agent/drivers/bird/render.ts";
import { tunnelAddresses } from "../../src/agent/drivers/wireguard/addresses.ts";
import { renderWireguard as renderNodeWireguard } from "../../src/agent/drivers/wireguard/render.ts";
import { isLinkLocal, shareLinkLocalSubnet } from "../../src/domain/address-ranges.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { checkPeering } from "../../src/domain/peering/check-peering.ts";
import { renderBird, renderWireguard } from "../../src/domain/peering/participant-config.ts";
import { participantInterface } from "../../src/domain/peering/participant-names.ts";
import { arbitraryPeering, providerAsn, type RandomPeering } from "../support/fixtures/arbitrary-peering.ts";
import { validKey } from "../support/fixtures/hostile-input.ts";

const runs = 1000;

function firstMatch(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[1] ?? "";
}

/** The sessions of one side's BIRD file, with the addresses and AS numbers as that side sees them. */
function readSessions(bird: string) {
  const blocks = bird.split(/^protocol bgp /m).slice(1);
  return blocks.map((block) => ({
    own: [firstMatch(block, /source address (\S+);/), firstMatch(block, /local as (\d+);/)],
    far: [firstMatch(block, /neighbor (\S+)/), firstMatch(block, /neighbor .* as (\d+);/)],
    interface: firstMatch(block, /(?: % '|interface ")(\w+)['"]/),
    channels: block.match(/^ {4}ipv[46] \{\n( {8}extended next hop on;)?/gm),
  }));
}

/** The values of one side's WireGuard file by their names. */
function readTunnel(wireguard: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    wireguard.split("\n").flatMap((line) => {
      const [name = "", value] = line.split(" = ");
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The lines of wg-quick that set the addresses of the other end, from one end's `tunnelAddresses`. */
function addressesOfOtherEnd(addresses: readonly string[], peerIpv6: string | null): readonly string[] {
  return addresses.map((address) => {
    const [own, far] = address.split(" peer ");
    if (far === undefined) return `Address = ${peerIpv6}/64`;
    return `PostUp = ip address add ${far} peer ${own}/${far.split("/")[1]} dev %i`;
  });
}

function portOf(endpoint: string | undefined): string | undefined {
  return endpoint?.split(":").at(-1);
}

function expectMirroredFiles({ routed, sides }: RandomPeering): void {
  const { peering } = routed;
  const nodeSessions = readSessions(renderBirdPeering(routed, { providerAsn }));
  const participantSessions = readSessions(renderBird(sides));
  expect(participantSessions).toEqual(
    nodeSessions.map(({ own, far, channels }) => ({
      own: far,
      far: own,
      interface: participantInterface(providerAsn, sides.node),
      channels,
    })),
  );
  expect(new Set(nodeSessions.map((session) => session.interface))).toEqual(
    new Set([interfaceName(peering.asn)]),
  );

  const nodeTunnel = readTunnel(renderNodeWireguard(routed, validKey));
  const wireguard = renderWireguard(sides);
  const participantTunnel = readTunnel(wireguard);
  expect([portOf(participantTunnel["Endpoint"]), participantTunnel["ListenPort"]]).toEqual([
    nodeTunnel["ListenPort"],
    portOf(nodeTunnel["Endpoint"]),
  ]);
  expect([nodeTunnel["PublicKey"], participantTunnel["PublicKey"]]).toEqual([
    sides.peer.peer_publickey,
    sides.provider.public_key,
  ]);
  expect(participantTunnel["AllowedIPs"]).toBe(nodeTunnel["AllowedIPs"]);
  expect(wireguard.match(/^(Address = .*|PostUp = ip .*)$/gm)).toEqual(
    addressesOfOtherEnd(tunnelAddresses(peering), peering.peerIpv6),
  );
}

function pairOf(own: string, far: string): string {
  const ranges = [own, far].map((address) => (isLinkLocal(address) ? "link-local" : "routed"));
  const isOutside = ranges.every((range) => range === "link-local") && !shareLinkLocalSubnet(own, far);
  return isOutside ? "link-local outside" : ranges.join(" to ");
}

/** The kinds of peerings that the renderers distinguish, and boundary values. */
function kindsOf({ routed, sides }: RandomPeering): readonly string[] {
  const { peering, endpointAddress } = routed;
  const { addressFamily, extendedNextHop, peerIpv6, localIpv6, endpointHost } = peering;
  const families = extendedNextHop ? "extended next hop" : addressFamily;
  return [
    families,
    ...(peerIpv6 === null ? [] : [`${families}, ${pairOf(peerIpv6, localIpv6 ?? "")}`]),
    endpointHost === endpointAddress ? "literal" : "name",
    endpointAddress?.includes(":") === true ? "IPv6 endpoint" : "IPv4 endpoint",
    /[a-z]$/.test(sides.provider.public_ip) ? "node's name" : "node's address",
    ...[peering.endpointPort, peering.listenPort].map((port) => `port ${port}`),
    `AS number of ${Number(peering.asn) < 2 ** 16 ? 16 : 32} bits`,
  ];
}

const pairs = [
  "link-local to link-local",
  "link-local outside",
  "link-local to routed",
  "routed to link-local",
  "routed to routed",
];
const expectedKinds = [
  "IPv4",
  ...["IPv6", "Both", "extended next hop"].flatMap((families) => pairs.map((pair) => `${families}, ${pair}`)),
  "literal",
  "name",
  "IPv6 endpoint",
  "IPv4 endpoint",
  "node's name",
  "node's address",
  "port 1",
  "port 1023",
  "port 65535",
  "AS number of 16 bits",
  "AS number of 32 bits",
];

test("both sides' files describe one tunnel and the same sessions, for every valid peering", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(arbitraryPeering, (random) => {
      const { peering } = random.routed;
      const nodeKey = random.sides.provider.public_key;
      expect(checkPeering(peering, { ...random.context, nodeKeys: [nodeKey] })).toBeNull();
      expectMirroredFiles(random);
      for (const kind of kindsOf(random)) seen.add(kind);
    }),
    { numRuns: runs },
  );
  expect([...seen]).toEqual(expect.arrayContaining(expectedKinds));
});
