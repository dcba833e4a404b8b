/** BGP speakers of the participants, each a process in its host. */
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { startHostProcess } from "../../lab/host-process.ts";
import type { Capability, Open } from "./speaker/messages.ts";
import type { SpeakerCall } from "./speaker/process.ts";
import type { BgpSpeaker, BgpSpeakerOptions } from "./speaker/speaker.ts";
import { linkLocalPeering, routedPeering, separatePeering, tunnel } from "./network.ts";

/** The session that a speaker takes part in. */
export type Transport = "link-local" | "IPv4" | "IPv6 over link-local" | "routed IPv6";

const asn = (n: number) => Number(linkLocalPeering(n).asn);

/** What the speaker supports by default, by its session. */
const families: Readonly<Record<Transport, readonly Capability[]>> = {
  "link-local": [
    { kind: "multiprotocol", family: "IPv4" },
    { kind: "multiprotocol", family: "IPv6" },
    { kind: "extended-next-hop" },
  ],
  IPv4: [{ kind: "multiprotocol", family: "IPv4" }],
  "IPv6 over link-local": [{ kind: "multiprotocol", family: "IPv6" }],
  "routed IPv6": [{ kind: "multiprotocol", family: "IPv6" }],
};

/** Returns the OPEN message of a participant that supports everything that its session uses. */
export function openOf(n: number, transport: Transport): Open {
  return {
    asn: asn(n),
    holdTimeSeconds: 90,
    routerId: `172.21.${n}.1`,
    capabilities: [...families[transport], { kind: "route-refresh" }, { kind: "four-octet-as", asn: asn(n) }],
  };
}

/** The methods of a speaker in another process: each returns a promise. */
export type RemoteSpeaker = {
  readonly [Name in Extract<keyof BgpSpeaker, string>]: (
    ...args: Parameters<BgpSpeaker[Name]>
  ) => Promise<Awaited<ReturnType<BgpSpeaker[Name]>>>;
} & AsyncDisposable;

/** Starts a speaker, which neither listens nor connects yet. It ends when it is disposed. */
export function startSpeaker(
  host: LabHost,
  n: number,
  transport: Transport,
  changed: Partial<Open> = {},
): RemoteSpeaker {
  const options: BgpSpeakerOptions = {
    address: addressOf(n, transport),
    open: { ...openOf(n, transport), ...changed },
  };
  const program = startHostProcess(host, "../tools/record-bird/speaker/process.ts", options);
  const call =
    <Name extends SpeakerCall["call"]>(name: Name) =>
    (...args: Parameters<BgpSpeaker[Name]>) =>
      program.call({ call: name, args }) as Promise<Awaited<ReturnType<BgpSpeaker[Name]>>>;
  return {
    listen: call("listen"),
    refuse: call("refuse"),
    connect: call("connect"),
    setMode: call("setMode"),
    stopReading: call("stopReading"),
    setOpen: call("setOpen"),
    waitFor: call("waitFor"),
    announce: call("announce"),
    withdraw: call("withdraw"),
    endOfRib: call("endOfRib"),
    notify: call("notify"),
    sendRaw: call("sendRaw"),
    sendOpen: call("sendOpen"),
    close: call("close"),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

function addressOf(n: number, transport: Transport): string {
  switch (transport) {
    case "IPv4":
      return separatePeering(n).peerIpv4 ?? "";
    case "routed IPv6":
      return routedPeering(n).peerIpv6 ?? "";
    case "link-local":
    case "IPv6 over link-local":
      return `${linkLocalPeering(n).peerIpv6}%${tunnel}`;
  }
}
