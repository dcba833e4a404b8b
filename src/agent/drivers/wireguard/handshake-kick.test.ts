import { expect, test } from "vitest";
import { createManualClock } from "../../fixtures/manual-clock.ts";
import { peeringOf, routed } from "../../fixtures/peerings.ts";
import { processResult } from "../../fixtures/process-result.ts";
import { silentLog as log } from "../../fixtures/silent-log.ts";
import { createHandshakeKick } from "./handshake-kick.ts";
import type { InterfaceCommands } from "./interface-commands.ts";

test("restarts the handshake of a peer with an endpoint, and of no other", async () => {
  const clock = createManualClock();
  const done: string[] = [];
  const commands = {
    removePeer: async (name: string) => void done.push(`remove ${name}`),
    configure: async (name: string, config: string) =>
      void done.push(`configure ${name}`, ...config.split("\n").slice(1, 2)),
  };
  await using kick = createHandshakeKick({
    run: async () => processResult("PEER=\t0\n"),
    commands: commands as unknown as InterfaceCommands,
    keys: { privateKeyOf: ({ peering }) => `KEY OF ${peering.asn}=` },
    clock,
    log,
  });
  kick.watch([routed(peeringOf(1, { endpointHost: null, endpointPort: null })), routed(peeringOf(2))]);
  await clock.advance(300);
  await expect.poll(kick.isBusy).toBe(false);
  expect(done).toEqual([
    "remove dn42_4242420002",
    "configure dn42_4242420002",
    "PrivateKey = KEY OF 4242420002=",
  ]);
});
