import { interfaceName } from "../../../domain/bgp-sessions.ts";
import type { PingResult } from "../../../contract/entities.ts";
import type { Run } from "../../processes.ts";

const probes = 4;
const timeLimitMs = 15_000;
const outputLimitBytes = 64 * 1024;

/** Pings an address through the tunnel of its AS, and no other way. */
export async function pingThrough(
  run: Run,
  asn: string,
  address: string,
  signal: AbortSignal,
): Promise<PingResult> {
  const args = ["-n", "-c", String(probes), "-i", "0.5", "-W", "2", ...through(asn, address)];
  const { code, stdout, stderr } = await run("ping", args, { timeLimitMs, outputLimitBytes, signal });
  return { result: code === 0 ? "success" : "failed", output: stdout + stderr };
}

/** One probe's round trip in milliseconds; null where no answer came within a second. */
export async function roundTripMs(
  run: Run,
  asn: string,
  address: string,
  signal: AbortSignal,
): Promise<number | null> {
  const args = ["-n", "-q", "-c", "1", "-W", "1", ...through(asn, address)];
  const { code, stdout } = await run("ping", args, { timeLimitMs: 3000, outputLimitBytes, signal });
  const mean = code === 0 && /= [0-9.]+\/([0-9.]+)\//.exec(stdout)?.[1];
  return mean ? Number(mean) : null;
}

/** A link-local address names its link itself; any other is held to the tunnel whatever the routes say. */
function through(asn: string, address: string): readonly string[] {
  const name = interfaceName(asn);
  return address.startsWith("fe80:") ? [`${address}%${name}`] : ["-I", name, address];
}
