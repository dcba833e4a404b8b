/**
 * Tunnels that the node cannot set up, or not completely: why, and when each is tried again.
 *
 * Invariant: a tunnel whose change was requested is never left out. It is refused instead, so that its participant hears
 * of it.
 */
import type { Finding } from "#domain/findings/findings.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { ProcessError } from "#system/processes.ts";
import { toOutput } from "../../router-output.ts";
import { type PeeringObservation, type RoutedPeering, RouterRefusedError } from "../router.ts";
import { endpointInUse, handshakeAge, type WireguardInterface } from "../wireguard/parse-dump.ts";

/**
 * `port`: another program uses its UDP port. `name`: another program's interface has its name. `ipv6`: the kernel's IPv6 is
 * disabled; the tunnel runs without its IPv6 addresses. `key`: the node does not have its WireGuard key. `wireguard-go`: it did
 * not start. `command`: another command failed.
 */
export type LeftOutCause =
  | { readonly kind: "port" }
  | { readonly kind: "name" }
  | { readonly kind: "ipv6" }
  | { readonly kind: "key"; readonly publicKey: string }
  | { readonly kind: "wireguard-go" | "command"; readonly error: ProcessError };

export interface LeftOutTunnel {
  readonly routed: RoutedPeering;
  readonly cause: LeftOutCause;
}

/** By AS. */
export type LeftOutTunnels = ReadonlyMap<string, LeftOutTunnel>;

/** Returns why one tunnel could not be set up. Throws what concerns all tunnels. */
export function causeOfFailure(error: unknown): LeftOutCause {
  if (!(error instanceof ProcessError)) throw error;
  const { message } = error;
  // The program is missing, or the agent lacks a permission.
  const isForAll = isMissingProgram(error) || /Operation not permitted/.test(message);
  if (isForAll) throw error;
  if (/Address already in use/.test(message)) return { kind: "port" };
  if (/File exists/.test(message)) return { kind: "name" };
  return { kind: message.startsWith("wireguard-go") ? "wireguard-go" : "command", error };
}

function isMissingProgram({ cause }: ProcessError): boolean {
  return (cause as NodeJS.ErrnoException | undefined)?.syscall?.startsWith("spawn") === true;
}

/** Why a requested change is refused. */
export function refusalOf({ routed: { peering }, cause }: LeftOutTunnel): RouterRefusedError {
  switch (cause.kind) {
    case "port":
      return new RouterRefusedError({ code: "port-taken", facts: { port: peering.listenPort } });
    case "name":
      return new RouterRefusedError(
        { code: "interface-taken", facts: {} },
        { detail: interfaceName(peering.asn) },
      );
    case "ipv6":
      return new RouterRefusedError(nodeWithoutIpv6);
    case "key":
      return new RouterRefusedError({ code: "node-key-missing", facts: { publicKey: cause.publicKey } });
    case "wireguard-go":
    case "command":
      return new RouterRefusedError({ code: "tunnel-not-set-up", facts: {} }, { cause: cause.error });
  }
}

const nodeWithoutIpv6 = { code: "node-without-ipv6", facts: {} } as const satisfies Finding;

/** What the participant reads about the tunnel. */
function observationOf({ routed: { peering }, cause: { kind } }: LeftOutTunnel): Finding {
  if (kind === "port") return { code: "port-in-use", facts: { port: peering.listenPort } };
  return kind === "ipv6" ? nodeWithoutIpv6 : { code: "tunnel-cannot-start", facts: {} };
}

/** Whether nothing of the tunnel runs: what has its port or its name is another program's. */
function isForeign({ cause: { kind } }: LeftOutTunnel): boolean {
  return kind === "port" || kind === "name";
}

/** Returns what is observed of a peering; null if its tunnel neither runs nor is left out. */
export function observePeering(
  state: WireguardInterface | undefined,
  leftOut: LeftOutTunnel | undefined,
  other: Pick<PeeringObservation, "asn" | "probes" | "isNotForwarded" | "sessions">,
): PeeringObservation | null {
  if (!state && !leftOut) return null;
  const peer = leftOut && isForeign(leftOut) ? undefined : state?.peers[0];
  return {
    ...other,
    ...(leftOut && { leftOut: observationOf(leftOut) }),
    rxBytes: peer?.rxBytes ?? 0,
    txBytes: peer?.txBytes ?? 0,
    handshakeAgeSeconds: handshakeAge(peer),
    endpoint: endpointInUse(peer),
    ...(peer?.waitingSeconds !== undefined && { waitingSeconds: peer.waitingSeconds }),
  };
}

/** The ports that other programs use. */
export function foreignPorts(leftOut: LeftOutTunnels): readonly number[] {
  return Array.from(leftOut.values())
    .filter(isForeign)
    .map(({ routed }) => routed.peering.listenPort);
}

/** The most tunnels that are named: an operator who reads so many looks for one cause. */
const maxNamed = 20;

/** What the operator reads about the tunnels. */
export function findLeftOut(leftOut: LeftOutTunnels): readonly Finding[] {
  const named = Array.from(leftOut.values()).flatMap(({ routed, cause }) =>
    cause.kind === "ipv6" ? [] : { routed, cause },
  );
  const withoutIpv6 = leftOut.size - named.length;
  const more = Math.max(0, named.length - maxNamed);
  const counts: Finding[] = [
    { code: "tunnels-without-ipv6", facts: { tunnels: withoutIpv6 } },
    { code: "tunnels-left-out", facts: { tunnels: more } },
  ];
  return [
    ...named.slice(0, maxNamed).map(describeOne),
    ...counts.filter(({ facts }) => "tunnels" in facts && facts.tunnels !== 0),
  ];
}

interface NamedTunnel {
  readonly routed: RoutedPeering;
  readonly cause: Exclude<LeftOutCause, { readonly kind: "ipv6" }>;
}

function describeOne({ routed: { peering }, cause }: NamedTunnel): Finding {
  const { asn, listenPort: port } = peering;
  switch (cause.kind) {
    case "port":
      return { code: "tunnel-left-out", facts: { asn, port } };
    case "wireguard-go":
      return { code: "wireguard-go-failed", facts: { asn, output: toOutput(cause.error.message) } };
    case "command":
      return { code: "tunnel-command-failed", facts: { asn, output: toOutput(cause.error.message) } };
    case "name":
      return { code: "tunnel-name-taken", facts: { asn, interface: interfaceName(asn) } };
    case "key":
      return { code: "tunnel-key-missing", facts: { asn, publicKey: cause.publicKey } };
  }
}
