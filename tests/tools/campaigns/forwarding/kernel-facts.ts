/** What the node's self-check reads of the kernel, recorded so that the check can run without it. */
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { tmpdir } from "node:os";
import path from "node:path";
import { createForwardingCheck, type ForwardingState } from "#agent/drivers/forwarding/forwarding-check.ts";
import { routed } from "#agent/fixtures/peerings.ts";
import type { Peering } from "#contract/agent.ts";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { type ProcessResult, type Run, runProcess } from "#system/processes.ts";
import { nodeAddresses, ownTunnel } from "./plan.ts";

interface RecordedCall {
  readonly command: readonly string[];
  /** The lines of standard input. */
  readonly input: readonly string[];
  readonly result: ProcessResult;
}

type Interfaces = NonNullable<Parameters<typeof createForwardingCheck>[0]["interfaces"]>;

export interface KernelFacts {
  readonly calls: readonly RecordedCall[];
  /** As Node.js lists them. */
  readonly interfaces: ReturnType<Interfaces>;
  /** Files below /proc. */
  readonly files: Readonly<Record<string, string>>;
}

/** What the check reads on every node. */
const usualFiles = { "sys/net/ipv6/conf/lo/disable_ipv6": "0\n" };
const readInterfaces = 'process.stdout.write(JSON.stringify(require("node:os").networkInterfaces()))';

/** Runs the check on a node, and returns what it read. Files are not read: in a namespace, they are those of another network. */
export async function recordKernel(node: LabHost, peerings: readonly Peering[]): Promise<KernelFacts> {
  const calls: RecordedCall[] = [];
  const interfaces = JSON.parse(
    await node.run(process.execPath, "-e", readInterfaces),
  ) as KernelFacts["interfaces"];
  const enter = ["-t", String(node.pid), "-U", "-n", "-m", "--preserve-credentials"];
  await check(peerings, { interfaces, files: {} }, async (program, args, options = {}) => {
    const result = await runProcess("nsenter", [...enter, program, ...args], options);
    calls.push({ command: [program, ...args], input: linesOf(options.input), result });
    return result;
  });
  return { calls, interfaces, files: {} };
}

/** Runs the check on what was recorded. It fails if it asks something else than then. */
export function checkRecorded(peerings: readonly Peering[], facts: KernelFacts): Promise<ForwardingState> {
  return check(peerings, facts, async (program, args, { input } = {}) => {
    const found = facts.calls.find(
      (call) =>
        isDeepStrictEqual(call.command, [program, ...args]) && isDeepStrictEqual(call.input, linesOf(input)),
    );
    if (!found) throw new Error(`not recorded, so record again: ${program} ${args.join(" ")}`);
    return found.result;
  });
}

const linesOf = (input: unknown) => (typeof input === "string" ? input.trimEnd().split("\n") : []);

async function check(
  peerings: readonly Peering[],
  { interfaces, files }: Pick<KernelFacts, "interfaces" | "files">,
  run: Run,
): Promise<ForwardingState> {
  const proc = await mkdtemp(path.join(tmpdir(), "peerdeck-proc-"));
  try {
    for (const [name, text] of Object.entries({ ...usualFiles, ...files })) {
      await mkdir(path.dirname(path.join(proc, name)), { recursive: true });
      await writeFile(path.join(proc, name), text);
    }
    const checking = createForwardingCheck({
      run,
      addresses: [`${nodeAddresses.IPv4}/32`, `${nodeAddresses.IPv6}/128`],
      ownTunnels: [ownTunnel.node],
      ownInterfaces: [ownTunnel.node],
      leftOut: () => new Map(),
      proc,
      interfaces: () => interfaces,
    });
    return await checking.run(new Map(peerings.map((peering) => [peering.asn, routed(peering)])));
  } finally {
    await rm(proc, { recursive: true });
  }
}
