/** Clients that occupy the port of an agent do not keep its server from it. */
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { shareOfCommit } from "../../support/share-of-commit.ts";
import { createAgentHost, waitUntilListening } from "../agent/agent-host.ts";
import { type Attack, startAttack } from "./connection-attack.ts";
import { deployPeering, signUp } from "./participant.ts";
import { profileServer } from "./profile-server.ts";

const node = "syd01";

interface AttackRow {
  readonly attack: Attack;
  readonly connections: number;
  readonly addresses: number;
}

// Every attack with EVERY_CASE=1. The last one, with a pinned key, runs with each commit.
const attacks: readonly AttackRow[] = [
  { attack: "silent", connections: 70, addresses: 1 },
  { attack: "silent", connections: 500, addresses: 1 },
  { attack: "silent", connections: 500, addresses: 100 },
  { attack: "half a handshake", connections: 500, addresses: 100 },
  { attack: "slow handshake", connections: 500, addresses: 100 },
  { attack: "pinned but idle", connections: 500, addresses: 100 },
];

test.each(shareOfCommit(attacks))(
  "a server connects, deploys and observes beside $connections connections from $addresses addresses: $attack",
  { timeout: 60_000 },
  async (row) => {
    await using host = await createAgentHost();
    const { port, fingerprint } = await waitUntilListening(host.start(await host.configure()));
    await using _attack = await startAttack({ ...row, port, identity: host.server });
    await using transport = host.connect(port, fingerprint);
    await using server = await profileServer(
      {},
      { transports: new Map([[node, transport]]), waitMs: 15_000 },
    );
    const participant = await signUp(server.url, "4242420001");
    await deployPeering(participant, node);
    const { asn: username, call } = participant;
    expect((await call(calls.getNodeStatus, { username, node })).results.known).toBe(true);
    expect(await call(calls.getPeerStatus, { username })).toMatchObject([{ node, known: true }]);
  },
);
