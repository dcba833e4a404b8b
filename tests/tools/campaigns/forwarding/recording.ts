/**
 * Recordings of what a driver observes while a fault is planted, for `recorded-faults.test.ts`. A file has only what differs from
 * the recording of nothing wrong, which comes first.
 */
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
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

type StoredRecording = Omit<Recording, "peerings" | "kernel"> & {
  readonly peerings?: Recording["peerings"];
  readonly kernel: Partial<KernelFacts>;
};

export const recordings = path.join(repository, "tests/fixtures/forwarding");
export const nothing = "nothing";
const fileOf = (name: string) => path.join(recordings, `${name}.json`);
const readFile = (name: string): unknown => JSON.parse(readFileSync(fileOf(name), "utf8"));

export function readRecording(name: string): Recording {
  const usual = readFile(nothing) as Recording;
  const { kernel, ...stored } = readFile(name) as StoredRecording;
  const calls = [...(kernel.calls ?? []), ...usual.kernel.calls];
  return { peerings: usual.peerings, ...stored, kernel: { ...usual.kernel, ...kernel, calls } };
}

function withoutUsual({ peerings, kernel, ...recording }: Recording, usual: Recording): StoredRecording {
  const isUsual = (call: KernelFacts["calls"][number]) =>
    usual.kernel.calls.some((other) => isDeepStrictEqual(other, call));
  const hasInterfaces = !isDeepStrictEqual(kernel.interfaces, usual.kernel.interfaces);
  return {
    ...recording,
    ...(!isDeepStrictEqual(peerings, usual.peerings) && { peerings }),
    kernel: {
      calls: kernel.calls.filter((call) => !isUsual(call)),
      ...(hasInterfaces && { interfaces: kernel.interfaces }),
    },
  };
}

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
  const recording = { fault: fault?.id ?? null, peerings, observed, findings, links, kernel };
  await mkdir(recordings, { recursive: true });
  await writeFile(
    fileOf(fault?.id ?? nothing),
    `${JSON.stringify(fault ? withoutUsual(recording, readRecording(nothing)) : recording, null, 2)}\n`,
  );
}
