import { ProcessError } from "#system/processes.ts";
import { finding } from "../sentences/sentences.ts";
import { callLimitMs, type Check } from "../doctor-context.ts";

export const checkClock: Check = {
  name: "the clock",
  run: async ({ machine }) => {
    const args = ["show", "--property=NTPSynchronized", "--value"];
    try {
      const { code, stdout } = await machine.run("timedatectl", args, { timeoutMs: callLimitMs });
      if (code !== 0) return [finding("clock-unknown")];
      return [stdout.trim() === "yes" ? finding("clock-ok") : finding("clock-unsynchronized")];
    } catch (error) {
      if (error instanceof ProcessError) return [finding("clock-unknown")];
      throw error;
    }
  },
};
