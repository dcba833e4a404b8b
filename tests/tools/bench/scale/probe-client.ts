/** The benchmark's side of the probe in the server. */
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import type { Measured, ProbeCommand } from "./server-probe.ts";

export interface Probe {
  /** Runs the work, whose requests come one after the other, and returns what each of them cost. */
  readonly measureRequests: (work: () => Promise<unknown>) => Promise<Measured["requests"]>;
  /** Runs the work and returns the longest turn of the event loop meanwhile, in milliseconds. */
  readonly measureStall: (work: () => Promise<unknown>) => Promise<number>;
}

export function openProbe(socketPath: string): Probe {
  async function send(command: ProbeCommand): Promise<unknown> {
    const socket = connect(socketPath);
    const lines = createInterface({ input: socket });
    socket.write(`${command}\n`);
    const [line] = (await once(lines, "line")) as [string];
    socket.destroy();
    return JSON.parse(line);
  }

  async function measure(start: ProbeCommand, work: () => Promise<unknown>): Promise<Measured> {
    await send(start);
    try {
      await work();
    } catch (error) {
      await send("stop");
      throw error;
    }
    return (await send("stop")) as Measured;
  }

  return {
    measureRequests: async (work) => (await measure("requests", work)).requests,
    measureStall: async (work) => (await measure("stall", work)).stallMs,
  };
}
