import { type Address, formatAddress } from "../../../domain/prefix.ts";
import { type Run, runOk } from "../../processes.ts";

/**
 * Puts the node's own addresses on the loopback interface, which is always up; BIRD sends from them. Those that
 * are there already stay, and they stay when the agent ends.
 */
export async function addOwnAddresses(run: Run, addresses: readonly Address[]): Promise<void> {
  for (const address of addresses) {
    await runOk(run, "ip", ["address", "replace", `${formatAddress(address)}/${address.bits}`, "dev", "lo"]);
  }
}
