import { expect, onTestFinished, test } from "vitest";
import { createManualClock } from "../../fixtures/manual-clock.ts";
import { processResult } from "../../fixtures/process-result.ts";
import type { silentLog } from "../../fixtures/silent-log.ts";
import type { ProcessResult, Run } from "#system/processes.ts";
import { monitorProbes } from "./probe-monitor.ts";
import type { ProbeTarget } from "./probe-target.ts";

const end = (n: number): ProbeTarget => ({
  kind: "tunnel",
  interfaceName: `dn42_${n}`,
  family: "IPv6",
  source: null,
  address: "fe80::1",
});
const way = (n: number): ProbeTarget => ({ ...end(n), kind: "way", source: "fd42:d42::1" });
const network: ProbeTarget = { ...way(1), kind: "network", address: "fd42:4242:1::5" };
const node = (address: string): ProbeTarget => ({
  kind: "node",
  interfaceName: "wg-per01",
  family: "IPv4",
  source: "172.20.16.1",
  address,
});

interface Fake {
  targets: readonly ProbeTarget[];
  /** Texts of targets that do not reply. */
  readonly silent: Set<string>;
  /** Addresses whose route leads through this interface instead; null: there is none. */
  readonly routes: Map<string, string | null>;
  /** Instead of what fping prints. */
  result: ProcessResult | null;
  changing: Promise<void>;
}

/** Starts a monitor whose targets reply. It ends with the test. */
function start(targets: readonly ProbeTarget[]) {
  const clock = createManualClock();
  const startedAt = clock.now();
  const fake: Fake = {
    targets,
    silent: new Set(),
    routes: new Map(),
    result: null,
    changing: Promise.resolve(),
  };
  /** Each probe: the second, the source if it is not the kernel's choice, and the target. */
  const sent: string[] = [];
  const warnings: unknown[] = [];
  const run: Run = async (program, args, { input } = {}) => {
    if (program === "ip") return printRoutes((input as string).trim().split("\n"), fake);
    const asked = args.slice(args.findLastIndex((arg) => arg.startsWith("-i")) + 1);
    const sources = asked.filter((_, index) => asked[index - 1] === "-S");
    const texts = asked.filter((arg) => arg !== "-S" && !sources.includes(arg));
    const sourceOf = (text: string) =>
      sources.filter((one) => one.includes(":") === text.includes(":")).map((one) => `${one} `);
    const second = (clock.now() - startedAt) / 1000;
    sent.push(...texts.map((text) => [`${second} `, ...sourceOf(text), text].join("")));
    if (fake.result) return fake.result;
    const lines = texts.map((text) =>
      fake.silent.has(text)
        ? `${text} : [0], timed out`
        : `${text} : [0], 24 bytes, 2.5 ms (2.5 avg, 0% loss)`,
    );
    return processResult(lines.join("\n"), fake.silent.size > 0 ? 1 : 0);
  };
  const monitor = monitorProbes({
    run,
    targets: async () => fake.targets,
    waitForIdle: () => fake.changing,
    clock,
    log: { warn: (...args: unknown[]) => void warnings.push(args) } as typeof silentLog,
  });
  onTestFinished(() => monitor[Symbol.asyncDispose]());
  const secondsOf = (text: string) =>
    sent.filter((one) => one.endsWith(` ${text}`)).map((one) => Number(one.split(" ")[0]));
  return { clock, monitor, fake, sent, warnings, secondsOf };
}

/** What `ip -json -force -batch -` prints: nothing for a line that fails, whose number is among the errors. */
function printRoutes(lines: readonly string[], { routes, targets }: Fake): ProcessResult {
  const answers = lines.map((line) => {
    const [, , dst = "", ...rest] = line.split(" ");
    const dev =
      routes.get(dst) ??
      (rest.includes("oif") ? rest.at(-1) : targets.find(({ address }) => address === dst)?.interfaceName);
    return routes.get(dst) === null ? null : [{ dst, dev, prefsrc: "fe80::2227", flags: [], cache: [] }];
  });
  const stderr = answers.flatMap((answer, index) =>
    answer ? [] : `RTNETLINK answers: Network is unreachable\nCommand failed -:${index + 1}\n`,
  );
  return processResult(
    answers.flatMap((answer) => (answer ? `${JSON.stringify(answer)}\n` : [])).join(""),
    stderr.length > 0 ? 1 : 0,
    stderr.join(""),
  );
}

test("ends of tunnels are probed every 15 seconds, everything else once a minute, spread over it", async () => {
  const { clock, monitor, sent, secondsOf } = start([end(1), end(2), way(1), way(2), network]);
  expect(monitor.resultOf(way(1))).toBeNull();
  await clock.advance(0);
  expect(sent).toEqual(["0 fe80::1%dn42_1", "0 fe80::1%dn42_2", "0 fd42:d42::1 fe80::1%dn42_1"]);
  await clock.advance(5 * 60_000);
  // The second round is soon after the first one, which found new tunnels.
  expect(secondsOf("fe80::1%dn42_2").slice(0, 8)).toEqual([0, 17, 17, 32, 47, 62, 77, 77]);
  expect(sent.filter((one) => one.includes("fd42:d42::1"))).toEqual(
    [0, 17, 32, 62, 77, 92, 122, 137, 152, 182, 197, 212, 242, 257, 272].map(
      (second, index) =>
        `${second} fd42:d42::1 ${["fe80::1%dn42_1", "fe80::1%dn42_2", "fd42:4242:1::5"][index % 3]}`,
    ),
  );
  await clock.advance(10_000);
  expect(monitor.resultOf(end(1))).toEqual({
    family: "IPv6",
    source: "fe80::2227",
    target: "fe80::1",
    latencyMs: 2.5,
    sent: 20,
    lost: 0,
    missesInRow: 0,
  });
  expect(monitor.resultOf(way(1))).toMatchObject({ source: "fd42:d42::1", sent: 5 });
});

test("a miss is asked again once, and results count for five minutes", async () => {
  const { clock, monitor, fake, secondsOf } = start([end(1), network]);
  await clock.advance(90_000);
  expect(secondsOf(network.address)).toEqual([0, 62]);
  fake.silent.add(network.address);
  await clock.advance(5 * 60_000);
  expect(secondsOf(network.address).slice(2)).toEqual([122, 137, 197, 257, 317, 377]);
  expect(monitor.resultOf(network)).toMatchObject({ latencyMs: null, sent: 6, lost: 6, missesInRow: 6 });
  fake.silent.clear();
  await clock.advance(60_000);
  expect(monitor.resultOf(network)).toMatchObject({ latencyMs: 2.5, sent: 5, lost: 4, missesInRow: 0 });
});

test("an address whose route leads elsewhere, or nowhere, is sent nothing", async () => {
  const own = node("172.20.16.2");
  const routed = node("172.20.16.3");
  const further = node("172.20.16.4");
  const { clock, monitor, fake, sent } = start([own, routed, further, network, end(1)]);
  fake.routes.set(own.address, null).set(network.address, "dn42_2");
  await clock.advance(5 * 60_000);
  expect(new Set(sent.map((one) => one.split(" ").at(-1)))).toEqual(
    new Set([routed.address, "fe80::1%dn42_1"]),
  );
  expect([own, routed, network].map(monitor.isRouted)).toEqual([false, true, false]);
  expect(monitor.resultOf(network)).toBeNull();
  expect(monitor.resultOf(routed)).toMatchObject({ sent: 4, lost: 0 });
  // A route that is back is used within a minute.
  fake.routes.delete(network.address);
  await clock.advance(60_000);
  expect(monitor.resultOf(network)).toMatchObject({ sent: 1 });
});

test("a target that is gone is forgotten, and a changed address starts again but is not asked sooner", async () => {
  const { clock, monitor, fake, secondsOf } = start([end(1), network]);
  await clock.advance(1_000);
  const changed = { ...network, address: "fd42:4242:1::6" };
  fake.targets = [end(1), changed];
  await clock.advance(59_000);
  expect([monitor.resultOf(network), monitor.resultOf(changed)]).toEqual([null, null]);
  await clock.advance(5_000);
  expect(secondsOf(changed.address)).toEqual([62]);
  fake.targets = [];
  await clock.advance(15_000);
  expect([monitor.resultOf(end(1)), monitor.isRouted(changed)]).toEqual([null, null]);
});

test("nothing is sent while the router is being changed, and interrupted targets come first", async () => {
  const { clock, monitor, fake, sent, secondsOf } = start([end(1), end(2)]);
  // The second one was not asked before the process was ended.
  fake.result = processResult("fe80::1%dn42_1 : [0], 24 bytes, 1 ms (1 avg, 0% loss)\n");
  await clock.advance(0);
  monitor.interrupt();
  expect([monitor.resultOf(end(1)), monitor.resultOf(end(2))]).toMatchObject([{ latencyMs: 1 }, null]);
  const change = Promise.withResolvers<void>();
  fake.changing = change.promise;
  fake.result = null;
  await clock.advance(60_000);
  expect(sent).toHaveLength(2);
  change.resolve();
  await clock.advance(0);
  expect(sent.slice(2)).toEqual(["60 fe80::1%dn42_2", "60 fe80::1%dn42_1"]);
  await monitor[Symbol.asyncDispose]();
  await clock.advance(60_000);
  expect(secondsOf("fe80::1%dn42_1")).toEqual([0, 60]);
  expect(clock.sleepers()).toBe(0);
});

test("without fping everything is unknown, and why is known until a round works", async () => {
  const { clock, monitor, fake, warnings } = start([end(1)]);
  fake.result = processResult("", 4, "fping: can't create socket (must run as root?)");
  await clock.advance(40_000);
  expect(monitor.resultOf(end(1))).toBeNull();
  expect(monitor.problem()).toBe("fping: can't create socket (must run as root?)");
  expect(warnings).toEqual([[{ problem: monitor.problem(), omitted: 0 }, "could not send probes"]]);
  fake.result = null;
  await clock.advance(15_000);
  expect([monitor.problem(), monitor.resultOf(end(1))?.sent]).toEqual([null, 1]);
});
