/** Packets between hosts of the lab, which a packet filter passes or drops. */
import path from "node:path";
import { createInterface } from "node:readline";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import type { Probe, ProbePort } from "./packet-probe.ts";

const script = path.join(import.meta.dirname, "packet-probe.ts");

/** Listens on all addresses of a host. Returns the labels of the datagrams that arrived so far. */
export async function receive(host: LabHost, ports: readonly ProbePort[]): Promise<() => readonly string[]> {
  const child = host.start(process.execPath, script, "listen", JSON.stringify(ports));
  if (!child.stdout) throw new Error("no output");
  const labels: string[] = [];
  await new Promise<void>((resolve) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      const value = JSON.parse(line) as string | object;
      if (typeof value === "string") labels.push(value);
      else resolve();
    });
  });
  return () => labels;
}

/** Sends datagrams in order and opens connections; returns the labels of the accepted connections. */
export async function send(host: LabHost, probes: readonly Probe[]): Promise<readonly string[]> {
  return JSON.parse(
    await host.run(process.execPath, script, "send", JSON.stringify(probes)),
  ) as readonly string[];
}
