/**
 * A minimal BGP-4 speaker: it establishes a session, announces routes, and misbehaves on demand. It reads no routes.
 *
 * Invariant: at most one connection is in use. A new connection replaces the one before it, without collision
 * detection (RFC 4271, section 6.8): call either `listen` or `connect`.
 */
import { once } from "node:events";
import { createServer, connect as connectTcp, type Server, type Socket } from "node:net";
import {
  createMessageReader,
  encodeMessage,
  encodeNotification,
  encodeOpen,
  type Message,
  messageTypes,
  type Notification,
  type Open,
} from "./messages.ts";
import { type Announcement, encodeAnnouncement, encodeEndOfRib, encodeWithdrawal } from "./updates.ts";

export interface BgpSpeakerOptions {
  /** The source address. A link-local address needs its interface: `fe80::1%eth0`. */
  readonly address: string;
  readonly open: Open;
}

/** A muted speaker accepts and holds connections, and sends nothing by itself. */
export type SpeakerMode = "speaking" | "muted";

/** The events of a connection, in the order in which they happen. */
export type SpeakerEvent = "connected" | "open" | "established" | "route-refresh" | "notification" | "closed";

/** All arguments are JSON, so that `process.ts` can pass them on. */
export interface BgpSpeaker extends AsyncDisposable {
  /** Accepts connections from now on. */
  readonly listen: () => Promise<void>;
  /** Closes all connections and refuses new ones. */
  readonly refuse: () => Promise<void>;
  /** Opens a connection. Rejects if the neighbour refuses it. */
  readonly connect: (address: string) => Promise<void>;
  /** Applies to the current connection and to later ones. */
  readonly setMode: (mode: SpeakerMode) => void;
  /** Stops reading from the current connection, so that the neighbour cannot send any more. */
  readonly stopReading: () => void;
  /** Changes the OPEN message of later connections. */
  readonly setOpen: (changed: Partial<Open>) => void;
  /** Resolves when the last connection has had this event; rejects after 30 s. */
  readonly waitFor: (event: SpeakerEvent) => Promise<void>;
  readonly announce: (...announcements: Announcement[]) => void;
  readonly withdraw: (prefixes: readonly string[]) => void;
  readonly endOfRib: (family: "IPv4" | "IPv6") => void;
  /** Sends a NOTIFICATION and closes the connection. */
  readonly notify: (notification: Notification) => void;
  /** Sends octets in hexadecimal, such as a malformed message or a second OPEN. */
  readonly sendRaw: (octets: string) => void;
  /** Sends a second OPEN, which no state allows. */
  readonly sendOpen: () => void;
  /** Closes the connection without a NOTIFICATION. */
  readonly close: () => void;
}

const port = 179;
const eventTimeoutMs = 30_000;

export function createBgpSpeaker({ address, open: firstOpen }: BgpSpeakerOptions): BgpSpeaker {
  let open = firstOpen;
  let mode: SpeakerMode = "speaking";
  let server: Server | null = null;
  let socket: Socket | null = null;
  /** The events of the last connection. */
  let events: readonly SpeakerEvent[] = [];
  let keepalives: NodeJS.Timeout | undefined;
  const watchers = new Set<() => void>();

  function record(event: SpeakerEvent): void {
    events = [...events, event];
    for (const watcher of watchers) watcher();
  }

  function send(...messages: readonly Buffer[]): void {
    if (!socket) throw new Error("there is no connection");
    socket.write(Buffer.concat(messages));
  }

  function sendUnlessMuted(message: Buffer): void {
    if (mode === "speaking" && socket?.writable === true) socket.write(message);
  }

  function use(connection: Socket): void {
    socket?.destroy();
    clearInterval(keepalives);
    socket = connection;
    events = [];
    const reader = createMessageReader();
    connection.on("data", (chunk: Buffer) => {
      for (const message of reader.push(chunk)) if (socket === connection) receive(message);
    });
    // A reset connection also emits "close".
    connection.on("error", () => {});
    connection.on("close", () => {
      if (socket !== connection) return;
      socket = null;
      clearInterval(keepalives);
      record("closed");
    });
    record("connected");
    sendUnlessMuted(encodeOpen(open));
  }

  /** RFC 4271, section 8.2.2, without the checks. */
  function receive({ type, body }: Message): void {
    if (type === messageTypes.open) {
      record("open");
      const holdTimeSeconds = Math.min(open.holdTimeSeconds, body.readUInt16BE(3));
      sendUnlessMuted(encodeMessage(messageTypes.keepalive));
      if (holdTimeSeconds > 0) {
        const intervalMs = (holdTimeSeconds * 1000) / 3;
        keepalives = setInterval(() => sendUnlessMuted(encodeMessage(messageTypes.keepalive)), intervalMs);
      }
    }
    if (type === messageTypes.keepalive && !events.includes("established")) record("established");
    if (type === messageTypes.routeRefresh) record("route-refresh");
    if (type === messageTypes.notification) record("notification");
  }

  async function refuse(): Promise<void> {
    socket?.destroy();
    if (!server) return;
    const closed = once(server, "close");
    server.close();
    server = null;
    await closed;
  }

  return {
    listen: async () => {
      server = createServer(use);
      server.listen({ host: address, port });
      await once(server, "listening");
    },
    refuse,
    connect: async (neighbour) => {
      const connection = connectTcp({ host: neighbour, port, localAddress: address });
      await once(connection, "connect");
      use(connection);
    },
    setMode: (next) => {
      mode = next;
    },
    stopReading: () => void socket?.pause(),
    setOpen: (changed) => {
      open = { ...open, ...changed };
    },
    waitFor: (event) =>
      new Promise((resolve, reject) => {
        const settle = (finish: () => void) => {
          watchers.delete(check);
          clearTimeout(timer);
          finish();
        };
        const check = () => {
          if (events.includes(event)) settle(resolve);
        };
        const timer = setTimeout(
          () => settle(() => reject(new Error(`no ${event} event after: ${events.join(", ")}`))),
          eventTimeoutMs,
        );
        watchers.add(check);
        check();
      }),
    announce: (...announcements) => send(...announcements.flatMap(encodeAnnouncement)),
    withdraw: (prefixes) => send(...encodeWithdrawal(prefixes)),
    endOfRib: (family) => send(encodeEndOfRib(family)),
    notify: (notification) => {
      send(encodeNotification(notification));
      socket?.end();
    },
    sendRaw: (octets) => send(Buffer.from(octets, "hex")),
    sendOpen: () => send(encodeOpen(open)),
    close: () => socket?.destroy(),
    [Symbol.asyncDispose]: refuse,
  };
}
