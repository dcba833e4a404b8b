/**
 * What becomes of a participant's update in the rules and the renderers. Nothing that the rules accept may change more in
 * a router's files than a value: their shape is that of the same kind of peering with harmless values.
 */
import { renderBirdPeering } from "../../src/agent/drivers/bird/render.ts";
import type { RoutedPeering } from "../../src/agent/drivers/router.ts";
import { renderWireguard as renderNodeWireguard } from "../../src/agent/drivers/wireguard/render.ts";
import type { Peering } from "../../src/contract/agent.ts";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { interfaceName, sessionsOf } from "../../src/domain/peering/bgp-sessions.ts";
import { checkPeering } from "../../src/domain/peering/check-peering.ts";
import { checkPeerUpdate } from "../../src/domain/peering/check-peer-update.ts";
import { completePeering } from "../../src/domain/peering/complete-peering.ts";
import { renderBird, renderWireguard } from "../../src/domain/peering/participant-config.ts";
import { toPeerConfig } from "../../src/domain/peering/peer-config.ts";
import type { CheckedFieldError } from "../../src/domain/peering/invalid-field.ts";
import { parseAddress } from "../../src/domain/prefix.ts";
import { nodeKey, validKey } from "./fixtures/hostile-input.ts";
import { peeringContext, validPeering, validUpdate } from "./fixtures/peering-context.ts";
import { noRequestOptions } from "./fixtures/no-options.ts";

export interface UpdateOutcome {
  readonly isAccepted: boolean;
  /** What must not be, a sentence each. */
  readonly problems: readonly string[];
}

const nothingTaken = {
  ports: new Set<number>(),
  peerAddresses: new Set<string>(),
  publicKeys: new Set<string>(),
};

/** Checks, completes and renders an update of AS4242420001 in `peeringContext`. */
export function takeUpdate(update: PeerUpdate): UpdateOutcome {
  const checked = checkPeerUpdate(update, peeringContext);
  const outcome = checked.ok
    ? completePeering(checked.request, peeringContext.node, nothingTaken, null)
    : checked;
  if (!outcome.ok) return { isAccepted: false, problems: unknownFields(outcome.errors) };
  const { peering } = outcome;
  const problems = [...foreignCharacters(peering), ...refusedByAgent(peering), ...changedShapes(peering)];
  return { isAccepted: true, problems };
}

const fields = Object.keys(validUpdate);

function unknownFields(errors: readonly CheckedFieldError[]): readonly string[] {
  if (errors.length === 0) return ["rejected without an error"];
  return errors.flatMap(({ field }) => (fields.includes(field) ? [] : [`no field ${field}`]));
}

const alphabets = {
  asn: /^[1-9][0-9]{0,9}$/,
  endpointHost: /^[a-z0-9.-]{1,253}$/,
  publicKey: /^[A-Za-z0-9+/]{43}=$/,
  peerIpv4: /^[0-9.]{7,15}$/,
  localIpv4: /^[0-9.]{7,15}$/,
  peerIpv6: /^[0-9a-f:]{2,39}$/,
  localIpv6: /^[0-9a-f:]{2,39}$/,
} as const;

function foreignCharacters(peering: Peering): readonly string[] {
  const texts = Object.entries(alphabets).flatMap(([name, alphabet]) => {
    const text = peering[name as keyof typeof alphabets];
    return text === null || alphabet.test(text) ? [] : [`${name} is ${JSON.stringify(text)}`];
  });
  const ports = [peering.endpointPort, peering.listenPort].filter(
    (port) => port === null || !Number.isInteger(port) || port < 1 || port > 65_535,
  );
  const names = [interfaceName(peering.asn), ...sessionsOf(peering).map(({ name }) => name)].filter(
    (name) => !/^dn42_[0-9]{1,10}(_v[46])?$/.test(name),
  );
  const sameAddress = peering.peerIpv6 !== null && peering.peerIpv6 === peering.localIpv6;
  return [
    ...texts,
    ...ports.map((port) => `${port} is no port`),
    ...names.map((name) => `${JSON.stringify(name)} is no name`),
    ...(sameAddress ? ["both sides have one address"] : []),
  ];
}

/** The agent has to accept every peering that the server completes. */
function refusedByAgent(peering: Peering): readonly string[] {
  const error = checkPeering(peering, { ...peeringContext, nodeKeys: [nodeKey] });
  return error ? [`${error.field}: ${error.message}`] : [];
}

/** The shapes of harmless files by the kind of the peering, as JSON. */
const expectedShapes = new Map<string, readonly string[]>();

function changedShapes(peering: Peering): readonly string[] {
  const harmless = withHarmlessValues(peering);
  const kind = JSON.stringify(harmless);
  const expected = expectedShapes.get(kind) ?? shapesOf(harmless);
  expectedShapes.set(kind, expected);
  const shapes = shapesOf(peering);
  return shapes.flatMap((shape, index) =>
    shape === expected[index]
      ? []
      : [`file ${index} has the shape\n${shape}\ninstead of\n${expected[index]}`],
  );
}

function withHarmlessValues(peering: Peering): Peering {
  const { endpointHost, peerIpv4, peerIpv6, localIpv4, localIpv6 } = peering;
  return {
    ...peering,
    endpointHost: parseAddress(endpointHost ?? "") ? "9.9.9.9" : "a.example.org",
    endpointPort: 1,
    publicKey: validKey,
    listenPort: validPeering.listenPort,
    peerIpv4: peerIpv4 && "172.20.0.1",
    localIpv4: localIpv4 && "172.20.0.2",
    peerIpv6: peerIpv6 && harmlessIpv6(peerIpv6, 1),
    localIpv6: localIpv6 && harmlessIpv6(localIpv6, 2),
  };
}

function harmlessIpv6(address: string, host: number): string {
  return address.startsWith("fe80:") ? `fe80::${host}` : `fd00::${host}`;
}

/** The four files of a peering, with every value and every word replaced by "x". */
function shapesOf(peering: Peering): readonly string[] {
  return renderFiles(peering).map((file) => file.replaceAll(/[\w.:+/=-]+/g, "x"));
}

const provider = { asn: "4242422227", node: "syd01" } as const;

function renderFiles(peering: Peering): readonly string[] {
  const endpointAddress = parseAddress(peering.endpointHost ?? "") ? peering.endpointHost : "9.9.9.9";
  const routed: RoutedPeering = { peering, endpointAddress };
  const sides = {
    node: provider.node,
    peer: toPeerConfig(
      { peering, options: noRequestOptions, customLocalIpv6: null, generation: 1 },
      provider.asn,
    ),
    provider: {
      public_ip: "syd01.example.net",
      local_ipv4: peering.localIpv4 ?? "",
      local_ipv6: peering.localIpv6 ?? "",
      public_key: nodeKey,
    },
  };
  return [
    renderBirdPeering(routed, { providerAsn: provider.asn }),
    renderNodeWireguard(routed, validKey),
    renderBird(sides),
    renderWireguard(sides),
  ];
}
