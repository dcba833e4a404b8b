import { expect, onTestFinished, test } from "vitest";
import { prefix } from "#domain/prefix.ts";
import type { BirdControl } from "../bird/control-socket.ts";
import { createManualClock } from "../../fixtures/manual-clock.ts";
import { dualStackOf, routed } from "../../fixtures/peerings.ts";
import { monitorStrictSources, outermost } from "./strict-sources.ts";

const received: Record<string, readonly string[]> = {};
const running = new Map([["4242420001", routed(dualStackOf(1))]]);

/** A BIRD with these routes, and the counter of updates of each session. */
function open() {
  const commands: string[] = [];
  const warnings: object[] = [];
  const state = { updates: 1, isUp: true, isTruncated: false };
  for (const key of Object.keys(received)) delete received[key];
  const answers = (command: string): readonly string[] => {
    if (command.startsWith("show protocols"))
      return ["v4", "v6"].flatMap((kind) => [
        `dn42_4242420001_${kind} BGP        ---        up     16:20:11      Established   `,
        `      Import updates:             ${state.updates}          0          0          0          1`,
        "      Export updates:             7          0          0        ---          7",
      ]);
    if (command.endsWith("roa4"))
      return [
        "Table dn42_roa4:",
        "172.20.1.0/26-29 AS4242420001  [peerdeck_roa4 16:20:11] * (200)",
        "172.20.9.0/26-29 AS4242420009  [peerdeck_roa4 16:20:11] * (200)",
      ];
    return received[command] ?? [];
  };
  const bird: BirdControl = async (command) => {
    commands.push(command);
    const lines = answers(command).map((text) => ({ code: 1007, text }));
    const code = state.isUp ? 0 : 8001;
    return { code, text: "", lines, isTruncated: state.isTruncated };
  };
  const sources = monitorStrictSources({
    bird,
    clock: createManualClock(),
    log: { warn: (detail: unknown) => void warnings.push(detail as object) } as never,
    running: () => running,
  });
  onTestFinished(() => sources[Symbol.asyncDispose]());
  return { sources, commands, warnings, state };
}

test("sources are what was received, rejected or not, and what is registered; only sessions with updates are read again", async () => {
  const { sources, commands, state } = open();
  expect(await sources.refresh(running)).toEqual(new Map());
  expect(commands).toEqual([]);
  sources.setStrict(true);
  received["show route protocol dn42_4242420001_v4"] = [
    "Table master4:",
    "172.21.0.0/24        unicast [dn42_4242420001_v4 16:20:11] * (100) [AS4242420003i]",
    "\tvia 172.21.1.1 on dn42_4242420001",
    "172.21.0.128/25      unicast [dn42_4242420001_v4 16:20:11] * (100) [AS4242420003i]",
    "172.20.2.1/32        unicast [dn42_4242420001_v4 16:20:11] * (100) [AS4242420003i]",
    "0.0.0.0/0            unicast [dn42_4242420001_v4 16:20:11] * (100) [AS4242420003i]",
  ];
  received["show route filtered protocol dn42_4242420001_v6"] = [
    "fd42:9::/32          unicast [dn42_4242420001_v6 16:20:11] * (100) [AS4242420003i]",
  ];
  const expected = ["172.20.1.0/26", "172.20.2.1", "172.21.0.0/24", "fd42:9::/32"];
  expect(await sources.refresh(running)).toEqual(new Map([["dn42_4242420001", expected]]));
  const reads = () => commands.filter((command) => command.includes(" protocol ")).length;
  expect(reads()).toBe(4);
  await sources.refresh(running);
  expect(reads()).toBe(4);
  state.updates = 2;
  await sources.refresh(running);
  expect(reads()).toBe(8);
  sources.setStrict(false);
  expect(sources.current()).toEqual(new Map());
});

test.each([
  ["does not respond", { isUp: false }],
  ["sends too much", { isTruncated: true }],
])("the sources stay as they are while BIRD %s", async (_, failure) => {
  const { sources, warnings, state } = open();
  sources.setStrict(true);
  const before = await sources.refresh(running);
  Object.assign(state, failure);
  expect(await sources.refresh(running)).toBe(before);
  expect(await sources.refresh(running)).toBe(before);
  expect(warnings).toHaveLength(1);
});

test("prefixes inside of others are left out", () => {
  const all = ["10.0.0.0/8", "10.1.0.0/16", "10.0.0.0/9", "11.0.0.0/8", "fd00::/8", "fd00::/8", "a00::/8"];
  expect(outermost(all.map(prefix))).toEqual(["10.0.0.0/8", "11.0.0.0/8", "a00::/8", "fd00::/8"].map(prefix));
});
