/** The benchmark's side of the probe in the server. */
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import type { Measured } from "./server-probe.ts";

export interface Probe {
  /** Runs the work and returns what the server measured meanwhile. */
  readonly measure: (work: () => Promise<unknown>) => Promise<Measured>;
}

export function openProbe(socketPath: string): Probe {
  async function send(command: "start" | "stop"): Promise<unknown> {
    const socket = connect(socketPath);
    const lines = createInterface({ input: socket });
    socket.write(`${command}\n`);
    const [line] = (await once(lines, "line")) as [string];
    socket.destroy();
    return JSON.parse(line);
  }

  return {
    measure: async (work) => {
      await send("start");
      try {
        await work();
      } catch (error) {
        await send("stop");
        throw error;
      }
      return (await send("stop")) as Measured;
    },
  };
}
