import { EventEmitter } from "node:events";
import type { Server } from "node:https";
import type { TLSSocket } from "node:tls";
import { expect, test, vi } from "vitest";
import { connectionLimits, limitConnections } from "./connection-limits.ts";

/** A connection as the limits see it. */
class FakeSocket extends EventEmitter {
  static #ports = 0;
  readonly remotePort = (FakeSocket.#ports += 1);
  readonly remoteAddress: string;
  isOpen = true;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.emit("close");
  }
}

function scene(listed: readonly string[] = []) {
  const server = new EventEmitter();
  const limiter = limitConnections(server as Server, {
    toClientKey: (address) => address,
    isServerAddress: (address) => listed.includes(address),
    onEnded: () => {},
  });
  const connect = (address: string) => {
    const socket = new FakeSocket(address);
    server.emit("connection", socket);
    return socket;
  };
  const handshake = (socket: FakeSocket, fingerprint: string | null) =>
    limiter.finishHandshake(socket as unknown as TLSSocket, fingerprint);
  /** One connection from each of as many addresses. */
  const attack = (addresses: number) =>
    Array.from({ length: addresses }, (_, index) => connect(`192.0.2.${index}`));
  const request = (socket: FakeSocket) => {
    const response = new EventEmitter();
    server.emit("request", { socket }, response);
    return { finish: () => response.emit("close") };
  };
  return { connect, handshake, attack, request };
}

const openOf = (sockets: readonly FakeSocket[]) => sockets.filter(({ isOpen }) => isOpen);

test("beyond the limit of an address its oldest pending connections end, and those of no other address", () => {
  const { connect } = scene();
  const other = connect("198.51.100.1");
  const own = Array.from({ length: connectionLimits.pendingPerAddress + 3 }, () => connect("192.0.2.1"));
  expect(other.isOpen).toBe(true);
  expect(openOf(own)).toEqual(own.slice(3));
});

test("beyond the limit of all other addresses, the address with the most gives way", () => {
  const { connect, attack } = scene();
  const single = connect("198.51.100.1");
  const many = Array.from({ length: 10 }, () => connect("198.51.100.2"));
  attack(connectionLimits.pendingOfOthers - 5);
  expect(single.isOpen).toBe(true);
  expect(openOf(many)).toHaveLength(4);
});

test("other addresses cannot end the pending connections of a listed server or one that has connected before", () => {
  const { connect, handshake, attack } = scene(["198.51.100.1"]);
  handshake(connect("198.51.100.2"), "pinned");
  const servers = [connect("198.51.100.1"), connect("198.51.100.2")];
  // Its certificate was not pinned.
  handshake(connect("198.51.100.3"), null);
  const unknown = connect("198.51.100.3");
  const others = attack(1_000);
  expect(openOf(servers)).toHaveLength(2);
  expect(unknown.isOpen).toBe(false);
  expect(openOf(others)).toHaveLength(connectionLimits.pendingOfOthers);
});

test("a pinned client's connection that has been idle longest ends, never one with a request in progress", () => {
  const { connect, handshake, request } = scene();
  const admit = (fingerprint = "pinned") => {
    const socket = connect("198.51.100.1");
    handshake(socket, fingerprint);
    return socket;
  };
  const other = admit("other");
  const admitted = Array.from({ length: connectionLimits.perCertificate }, () => admit());
  const [busy, becameIdle, idle, ...rest] = admitted;
  if (!busy || !becameIdle || !idle) throw new Error("too few connections");
  request(busy);
  request(becameIdle).finish();
  admit();
  expect([busy, becameIdle, idle, other].map(({ isOpen }) => isOpen)).toEqual([true, true, false, true]);
  for (const socket of [becameIdle, ...rest]) request(socket);
  // The new connection ends if no other one is idle.
  const last = admit();
  expect(openOf([busy, becameIdle, ...rest])).toHaveLength(connectionLimits.perCertificate - 1);
  expect(last.isOpen).toBe(true);
  request(last);
  expect(admit().isOpen).toBe(false);
});

test("a handshake has a deadline", () => {
  vi.useFakeTimers();
  try {
    const { connect, handshake } = scene();
    const [slow, finished] = [connect("192.0.2.1"), connect("192.0.2.1")];
    handshake(finished, "pinned");
    vi.advanceTimersByTime(connectionLimits.handshakeMs);
    expect([slow.isOpen, finished.isOpen]).toEqual([false, true]);
  } finally {
    vi.useRealTimers();
  }
});
