import { expect, test } from "vitest";
import { processResult } from "../../fixtures/process-result.ts";
import { ProcessError, type ProcessResult, type Run } from "#system/processes.ts";
import { probe } from "./fping.ts";

const never = new AbortController().signal;

async function probeWith(
  job: Parameters<typeof probe>[1],
  result: ProcessResult | Error,
  signal: AbortSignal = never,
) {
  const commands: string[] = [];
  const run: Run = async (program, args) => {
    commands.push([program, ...args].join(" "));
    if (result instanceof Error) throw result;
    return result;
  };
  const { roundTrips, problem } = await probe(run, job, signal);
  return { commands, roundTrips: Object.fromEntries(roundTrips), problem };
}

/** Printed by fping 5.1: a reply, a timeout, and packets that could not be sent (no route, and a rule that drops them). */
const replies = `\
172.20.1.1 : [0], 24 bytes, 0.051 ms (0.051 avg, 0% loss)
172.20.2.1 : [0], timed out (NaN avg, 100% loss)
`;
const summary = `

172.20.1.1 : xmt/rcv/%loss = 1/1/0%, min/avg/max = 0.051/0.051/0.051
172.20.2.1 : xmt/rcv/%loss = 1/0/100%
10.9.9.9   : xmt/rcv/%loss = 1/0/100%
127.0.0.6  : xmt/rcv/%loss = 1/0/100%
`;
const ipv4 = {
  sources: [],
  targets: ["172.20.1.1", "172.20.2.1", "10.9.9.9", "127.0.0.6"],
} as const;

test("one process asks all targets, and a packet that could not be sent is lost", async () => {
  expect(await probeWith(ipv4, processResult(replies, 1, summary))).toEqual({
    commands: ["fping -4 -c1 -b16 -t1000 -i20 172.20.1.1 172.20.2.1 10.9.9.9 127.0.0.6"],
    roundTrips: { "172.20.1.1": 0.051, "172.20.2.1": null, "10.9.9.9": null, "127.0.0.6": null },
    problem: null,
  });
});

test("a missing interface makes a result unknown, and targets are not asked all at once", async () => {
  const targets = ["fe80::1%dn42_1", "fe80::1%dn42_2", "fd42:1::1", "fe80::1%dn42_9"];
  const printed = `
fe80::1%dn42_1 : xmt/rcv/%loss = 1/1/0%, min/avg/max = 0.099/0.099/0.099
fe80::1%dn42_2 : xmt/rcv/%loss = 1/0/100%
fd42:1::1      : xmt/rcv/%loss = 1/0/100%
`;
  const job = { sources: ["fd42:d42::1"], targets };
  const { commands, ...result } = await probeWith(job, processResult("", 2, printed));
  expect(result).toEqual({
    roundTrips: { "fe80::1%dn42_1": 0.099, "fe80::1%dn42_2": null, "fd42:1::1": null },
    problem: null,
  });
  expect(commands).toEqual([`fping -6 -c1 -b16 -t1000 -i20 -S fd42:d42::1 ${targets.join(" ")}`]);
  const both = { sources: ["fd42:d42::1", "172.20.16.1"], targets: ["172.20.1.1", "fd42:1::1"] };
  expect((await probeWith(both, processResult(""))).commands).toEqual([
    "fping -c1 -b16 -t1000 -i20 -S fd42:d42::1 -S 172.20.16.1 172.20.1.1 fd42:1::1",
  ]);
  const many = Array.from({ length: 400 }, (_, n) => `fe80::1%dn42_${n}`);
  expect((await probeWith({ ...job, targets: many }, processResult(""))).commands[0]).toContain(" -i5 ");
  const tooMany = [...many, ...many].flatMap((target) => Array.from({ length: 20 }, () => target));
  expect((await probeWith({ ...job, targets: tooMany }, processResult(""))).commands[0]).toContain(" -i1 ");
});

test.each([
  [
    "the source is gone",
    processResult("", 4, "fping: cannot bind source address : Cannot assign requested address\n"),
    null,
  ],
  ["no interface exists", processResult("", 2), null],
  [
    "an option is unknown",
    processResult("", 1, "fping: invalid option -- 'Z'\nsee 'fping -h'\n"),
    "fping: invalid option -- 'Z'\nsee 'fping -h'",
  ],
  [
    "it may not send",
    processResult("", 4, "fping: can't create socket (must run as root?)\n"),
    "fping: can't create socket (must run as root?)",
  ],
  ["it was ended", processResult("", null as unknown as number), "fping exited with a signal"],
  [
    "it is not installed",
    new ProcessError("fping cannot be started: spawn fping ENOENT"),
    "fping cannot be started: spawn fping ENOENT",
  ],
])("nothing is known when %s", async (_, result, problem) => {
  const { roundTrips, problem: found } = await probeWith(ipv4, result);
  expect({ roundTrips, found }).toEqual({ roundTrips: {}, found: problem });
});

test("what replied before it was ended counts", async () => {
  const aborted = AbortSignal.abort();
  const { roundTrips, problem } = await probeWith(ipv4, processResult(replies, null as never), aborted);
  expect({ roundTrips, problem }).toEqual({
    roundTrips: { "172.20.1.1": 0.051, "172.20.2.1": null },
    problem: null,
  });
  await expect(probe(() => Promise.reject(new TypeError("a bug")), ipv4, aborted)).rejects.toThrow("a bug");
});
