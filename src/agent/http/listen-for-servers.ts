import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { toClientKey } from "../../domain/client-key.ts";
import { formatEndpoint } from "../../domain/port.ts";
import { contains, type Prefix } from "../../domain/prefix.ts";
import { ConfigError } from "../../system/config/config-error.ts";
import type { ListeningServer } from "../../system/listen.ts";
import { listenPinned } from "../../mtls/pinned-server.ts";
import type { TlsIdentity } from "../../mtls/tls-identity.ts";
import type { Agent } from "../agent.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { parsePeerAddress } from "../servers/server-addresses.ts";
import { createClientLog } from "./client-log.ts";
import { createThrottledWarning } from "../throttled-warning.ts";

export interface ServerListenerOptions {
  readonly host: string;
  /** 0: the system chooses one. */
  readonly port: number;
  readonly identity: TlsIdentity;
  /** Fingerprints of the servers that may connect, canonical. */
  readonly fingerprints: readonly string[];
  /** Where servers connect from; other addresses cannot use up their connections. */
  readonly serverAddresses: () => readonly Prefix[];
  readonly handle: Agent["handle"];
  readonly clock: Clock;
  readonly log: Log;
}

/** Listens for the calls of servers, over pinned TLS. Rejects with `ConfigError` if it cannot listen there. */
export async function listenForServers(options: ServerListenerOptions): Promise<ListeningServer> {
  const { handle, serverAddresses, clock, log, ...server } = options;
  const respond = getRequestListener(
    (request, env) => handle(request, (env as HttpBindings).incoming.socket.remoteAddress),
    { overrideGlobalObjects: false },
  );
  const isServerAddress = (text: string) => {
    const address = parsePeerAddress(text);
    return address !== null && serverAddresses().some((range) => contains(range, address));
  };
  const clients = createClientLog({ log, clock, expected: options.fingerprints, isServerAddress });
  const warnEnded = createThrottledWarning(
    log,
    clock,
    "ended a connection: its handshake took too long, or too many connections wait",
  );
  return listenPinned({
    ...server,
    listener: (incoming, outgoing) => void respond(incoming, outgoing),
    toClientKey,
    isServerAddress,
    onAccepted: (fingerprint, address) => clients.noteAccepted(fingerprint, address),
    onRefused: (fingerprint, address) => clients.noteRefused(fingerprint, address),
    onEnded: (address) => warnEnded({ address }),
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === "listen" ? describeListenError(error, options) : error;
  });
}

function describeListenError(
  error: NodeJS.ErrnoException,
  { host, port }: ServerListenerOptions,
): ConfigError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
    EADDRINUSE: "another program listens there",
  };
  const reason = reasons[error.code ?? ""] ?? error.message;
  const sentence = `The agent cannot listen on ${formatEndpoint(host, port)}: ${reason}. Correct listen in its configuration.`;
  return new ConfigError(sentence, { cause: error });
}
