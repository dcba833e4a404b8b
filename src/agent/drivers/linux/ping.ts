import type { PingResult } from "#contract/diagnostics.ts";
import { isLinkLocal } from "#domain/address-ranges.ts";
import type { ProcessResult, Run } from "#system/processes.ts";

const probes = 4;
const timeoutMs = 15_000;
const outputLimitBytes = 64 * 1024;

/** Pings an address through one interface only. */
export async function pingThrough(
  run: Run,
  interfaceName: string,
  address: string,
  signal: AbortSignal,
): Promise<PingResult> {
  const args = [
    "-n",
    "-c",
    String(probes),
    "-i",
    "0.5",
    "-W",
    "2",
    ...targetArguments(interfaceName, address),
  ];
  const { code, stdout, stderr } = await run("ping", args, {
    timeoutMs,
    outputLimitBytes,
    signal,
  });
  return { result: code === 0 ? "success" : "failed", output: stdout + stderr };
}

/**
 * Measures the round-trip time to an address as the routing table says, in milliseconds: the shorter one of two probes,
 * because one may be lost or queued. Null without a reply within a second.
 */
export async function endpointRoundTripMs(run: Run, address: string): Promise<number | null> {
  const args = ["-n", "-q", "-c", "2", "-i", "0.2", "-W", "1", address];
  return readShortest(await run("ping", args, { timeoutMs: 3000, outputLimitBytes }));
}

/** The shortest round trip in the statistics of ping; null without a reply. */
function readShortest({ code, stdout }: ProcessResult) {
  const [, shortest] = (code === 0 && /= ([0-9.]+)\//.exec(stdout)) || [];
  return shortest === undefined ? null : Number(shortest);
}

/**
 * A link-local target names the interface as its zone. For any other target, -I binds the probe to the interface, whatever
 * the routing table says.
 */
function targetArguments(interfaceName: string, address: string): readonly string[] {
  return isLinkLocal(address) ? [`${address}%${interfaceName}`] : ["-I", interfaceName, address];
}
