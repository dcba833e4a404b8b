/** Recordings of what a driver observes while a fault is planted, for `recorded-faults.test.ts`. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { PeeringObservation, RouterHealth } from "#agent/drivers/router.ts";
import type { Finding } from "#domain/findings/findings.ts";
import type { NodeLink, Peering } from "#contract/agent.ts";
import { repository } from "#tests/support/repository.ts";
import type { Fault } from "./faults.ts";
import { type KernelFacts, recordKernel } from "./kernel-facts.ts";
import type { Scene, ScenePart } from "./scene.ts";

export interface Recording {
  /** Null: nothing was wrong. */
  readonly fault: string | null;
  readonly peerings: readonly Peering[];
  readonly observed: readonly PeeringObservation[];
  /** What the node's self-check found. */
  readonly findings: readonly Finding[];
  readonly links: readonly NodeLink[];
  /** What the node's self-check reads. */
  readonly kernel: KernelFacts;
}

export const recordings = path.join(repository, "tests/fixtures/forwarding");

/** Keys differ from run to run, and nothing depends on them. */
function withFixedKey({ number, peering }: ScenePart): Peering {
  return { ...peering, publicKey: Buffer.alloc(32, number).toString("base64") };
}

export async function record({ agent, node, participants }: Scene, fault: Fault | null): Promise<void> {
  const peerings = Object.values(participants).map(withFixedKey);
  const [observed, { findings }, links, kernel] = await Promise.all([
    agent.ask<readonly PeeringObservation[]>("observe"),
    agent.ask<RouterHealth>("health"),
    agent.ask<readonly NodeLink[]>("links"),
    recordKernel(node, peerings),
  ]);
  const recording: Recording = {
    fault: fault?.id ?? null,
    peerings,
    observed,
    findings,
    links,
    kernel,
  };
  await mkdir(recordings, { recursive: true });
  await writeFile(
    path.join(recordings, `${fault?.id ?? "nothing"}.json`),
    `${JSON.stringify(recording, null, 2)}\n`,
  );
}
