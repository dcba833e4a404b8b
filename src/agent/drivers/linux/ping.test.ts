import { expect, test } from "vitest";
import { processResult } from "../../fixtures/process-result.ts";
import type { ProcessResult, Run } from "#system/processes.ts";
import { endpointRoundTripMs } from "./ping.ts";

const statistics = `\
PING 198.51.100.7 (198.51.100.7) 56(84) bytes of data.

--- 198.51.100.7 ping statistics ---
2 packets transmitted, 2 received, 0% packet loss, time 201ms
rtt min/avg/max/mdev = 11.402/15.731/20.060/4.329 ms
`;

async function measure(address: string, result: ProcessResult) {
  const commands: string[] = [];
  const run: Run = async (program, args) => {
    commands.push([program, ...args].join(" "));
    return result;
  };
  return { latency: await endpointRoundTripMs(run, address), commands };
}

test("an endpoint gets two probes, through no certain interface, and the shorter round trip counts", async () => {
  expect(await measure("198.51.100.7", processResult(statistics))).toEqual({
    latency: 11.402,
    commands: ["ping -n -q -c 2 -i 0.2 -W 1 198.51.100.7"],
  });
});

test.each([
  ["no reply", processResult("2 packets transmitted, 0 received, 100% packet loss, time 201ms\n", 1)],
  ["no route", processResult("", 2, "ping: connect: Network is unreachable\n")],
])("%s is no round trip", async (_, result) => {
  expect((await measure("2001:db8::7", result)).latency).toBeNull();
});
