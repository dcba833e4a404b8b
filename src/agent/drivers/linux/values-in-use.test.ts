import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { addressesInUse, parsePorts, readListeningPorts, readValuesInUse } from "./values-in-use.ts";

test("reads the local port of each UDP socket of both families, and only lines of sockets", () => {
  const lines = [
    "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref",
    " 1234: 00000000:4E21 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 81 2 0 0",
    "12: 00000000000000000000000000000000:CA6C 00000000000000000000000000000000:0000 07 0 0 0 0 0 0",
    "  3: xyz00000:0035 00000000:0000 07 0 0 0 0 0 0",
    "  4: 00000000:35 00000000:0000 07 0 0 0 0 0 0",
    "local_address 5: 00000000:0036 ",
    "  6: 00000000:0037",
  ];
  expect(parsePorts(lines.join("\n"))).toEqual([20_001, 51_820]);
});

async function listen(type: "udp4" | "udp6", address: string): Promise<number> {
  const socket: Socket = createSocket(type).bind(0, address);
  onTestFinished(() => void socket.close());
  await once(socket, "listening");
  return socket.address().port;
}

test("finds this machine's sockets of both families, in order, without the agent's own", async () => {
  const listening = [await listen("udp4", "127.0.0.1"), await listen("udp6", "::1")];
  const own = await listen("udp4", "127.0.0.1");
  expect(Array.from(await readListeningPorts())).toEqual(expect.arrayContaining([...listening, own]));
  const { ports } = await readValuesInUse(new Set([own]), () => true);
  expect(ports).toEqual(expect.arrayContaining(listening));
  expect(ports).not.toContain(own);
  expect(ports).toEqual([...ports].toSorted((a, b) => a - b));
});

const addresses = (...all: readonly string[]) => all.map((address) => ({ address }));

test("the addresses of other interfaces are in use, once each and canonical", () => {
  const interfaces = {
    eth0: addresses("203.0.113.9", "2001:DB8:0:0::1", "203.0.113.9"),
    dn42_4242420001: addresses("172.20.0.9"),
    dummy0: addresses("172.20.0.1", "2001:db8::1"),
    gone: undefined,
  };
  expect(addressesInUse(interfaces, (name) => name.startsWith("dn42_"))).toEqual([
    "203.0.113.9",
    "2001:db8::1",
    "172.20.0.1",
  ]);
});

test("addresses that several interfaces may have are not in use", () => {
  const loopback = ["127.0.0.1", "127.255.0.1", "::1"];
  const shared = [...loopback, "fe80::1", "fe9f::1", "feaa::1", "febf::1", "no address"];
  const others = ["128.0.0.1", "12.7.0.1", "::12", "fe70::1", "fec0::1", "10.127.0.1", "2001:db8::1"];
  expect(addressesInUse({ eth0: addresses(...shared, ...others) }, () => false)).toEqual(others);
});

test("at most 4,096 addresses are in use", () => {
  const many = Array.from({ length: 5_000 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
  expect(addressesInUse({ eth0: addresses(...many) }, () => false)).toEqual(many.slice(0, 4_096));
});
