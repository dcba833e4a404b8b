/** A node gets another WireGuard key, on real routers: each participant reacts in another way. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { participantInterface } from "../../src/domain/peering/participant-names.ts";
import { runServerCommand } from "../../src/lab/add-node.ts";
import { type RunningLab, startLab } from "../../src/lab/lab.ts";
import { findNodePlan, participants as plans, provider } from "../../src/lab/network.ts";
import { type ServerDatabase, sqliteIn } from "../integration/provider/database.ts";
import { waitForTask } from "../integration/server/participant.ts";
import { startPing } from "./continuous-ping.ts";
import { eventually } from "./eventually.ts";
import { createPeering, findHost, type LoggedInParticipant, logInToLab, waitUntilUp } from "./peering.ts";
import { behindNat } from "./peering-tests.ts";
import { connectionState, findDisruptions, isSameSession } from "./router-state.ts";

const node = "syd01";
const otherNode = "per01";
let lab: RunningLab;
let database: ServerDatabase;
const mails: string[] = [];
/** Changes its line, and switches. */
let ada: LoggedInParticipant;
/** Does nothing until the date. */
let bram: LoggedInParticipant;
/** Switches without changing its line. */
let celia: LoggedInParticipant;
let oldKey = "";
let newKey = "";

beforeAll(async () => {
  lab = await startLab({
    port: 0,
    nodes: [node, otherNode].map(findNodePlan),
    participants: [...plans, { ...behindNat, isBehindNat: false }],
    onMail: (text) => mails.push(text),
  });
  database = sqliteIn(lab.serverEnvironment["DATA_DIR"] ?? "");
  const loggedIn: LoggedInParticipant[] = [];
  for (const { plan } of lab.participants) {
    const participant = await logInToLab(lab, plan.asn);
    await createPeering(lab, participant, node);
    loggedIn.push(participant);
  }
  const [first, second, third] = loggedIn;
  if (!first || !second || !third) throw new Error("the lab has three participants");
  [ada, bram, celia] = [first, second, third];
  await createPeering(lab, bram, otherNode, { remote_port: "51821" });
  for (const participant of loggedIn) await waitUntilUp(participant, node);
  await waitUntilUp(bram, otherNode);
  oldKey = await keyOf(ada);
  const rekey = await runServerCommand(lab.server, "nodes", "rekey", node, "--in", "1d", "--json");
  newKey = (JSON.parse(rekey) as { readonly new_key: string }).new_key;
});
afterAll(() => lab[Symbol.asyncDispose]());

/** The public key of the node's end of a tunnel. */
async function keyOf({ asn }: LoggedInParticipant): Promise<string> {
  return (await findHost(lab, node).run("wg", "show", interfaceName(asn), "public-key")).trim();
}

function stateOf({ asn }: LoggedInParticipant, at = node) {
  const name = interfaceName(asn);
  return connectionState(findHost(lab, at), name, name, "/run/bird/bird.ctl");
}

/** The participant replaces the line of the node's key, as announced. */
async function changeLine({ host }: LoggedInParticipant): Promise<void> {
  const name = participantInterface(provider.asn, node);
  const file = path.join(host.folder, "wireguard", `${name}.conf`);
  const before = await readFile(file, "utf8");
  await writeFile(file, before.replace(`PublicKey = ${oldKey}`, `PublicKey = ${newKey}`));
  await host.run(
    "sh",
    "-ec",
    `wg-quick strip ${file} > ${file}.stripped; wg syncconf ${name} ${file}.stripped`,
  );
}

async function pressSwitch(participant: LoggedInParticipant): Promise<void> {
  const { taskID } = await participant.call(calls.switchNodeKey, { username: participant.asn, node });
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
}

/** Pings through a peering, from its node. */
function pingThrough({ asn }: LoggedInParticipant, at: string) {
  return startPing(findHost(lab, at), `fe80::${asn.slice(-4)}%${interfaceName(asn)}`);
}

/** Runs an action during which peerings are pinged from their nodes. None of them may lose a packet or its session. */
async function expectUndisturbed(
  peerings: ReadonlyArray<readonly [LoggedInParticipant, string]>,
  action: () => Promise<void>,
): Promise<void> {
  const before = await Promise.all(peerings.map(([participant, at]) => stateOf(participant, at)));
  const pings = peerings.map(([participant, at]) => pingThrough(participant, at));
  await action();
  // What the action has done to a tunnel would be seen now.
  await pause(1_000);
  const after = await Promise.all(peerings.map(([participant, at]) => stateOf(participant, at)));
  for (const stop of pings) {
    const { sent, received } = await stop();
    expect(sent).toBeGreaterThan(20);
    expect(received).toBe(sent);
  }
  for (const [index, state] of before.entries())
    expect(findDisruptions(state, after[index] ?? state)).toEqual([]);
}

test("a participant changes its line and switches: the same session goes on, and no other tunnel is touched", async () => {
  await expectUndisturbed(
    [
      [bram, node],
      [bram, otherNode],
      [celia, node],
    ],
    async () => {
      const { since } = await stateOf(ada);
      await changeLine(ada);
      await pressSwitch(ada);
      await waitUntilUp(ada, node);
      expect(isSameSession(since, (await stateOf(ada)).since)).toBe(true);
    },
  );
  expect([await keyOf(ada), await keyOf(bram), await keyOf(celia)]).toEqual([newKey, oldKey, oldKey]);
});

test("a switch whose router did not follow goes back after five minutes, and its session comes up again", async () => {
  await expectUndisturbed(
    [
      [ada, node],
      [bram, node],
      [bram, otherNode],
    ],
    async () => {
      await pressSwitch(celia);
      expect(await keyOf(celia)).toBe(newKey);
      // A server observes the nodes when it starts, otherwise once a minute.
      await lab.restartServer({});
      await eventually(
        () =>
          database.query(
            `SELECT seen_at FROM node_key_switches WHERE asn = '${celia.asn}' AND seen_at IS NOT NULL`,
          ),
        (rows) => rows.length === 1,
      );
      // As observed for five minutes without a handshake.
      await database.query(
        `UPDATE node_key_switches SET watched_from = watched_from - 300000 WHERE asn = '${celia.asn}'`,
      );
      await eventually(
        () => keyOf(celia),
        (key) => key === oldKey,
      );
      await waitUntilUp(celia, node);
    },
  );
  await eventually(
    async () => mails.filter((text) => /Old public key again[^]*AS4242420003/.test(text)),
    (found) => found.length === 1,
  );
});

test("at the date the server switches the rest, and their participants change their lines later", async () => {
  await expectUndisturbed(
    [
      [ada, node],
      [bram, otherNode],
    ],
    async () => {
      await database.query(`UPDATE node_rekeys SET switch_at = ${Date.now()}`);
      for (const participant of [bram, celia]) await expect.poll(() => keyOf(participant)).toBe(newKey);
      for (const participant of [bram, celia]) {
        await changeLine(participant);
        await waitUntilUp(participant, node);
      }
    },
  );
  await eventually(
    () => database.query("SELECT node FROM node_rekeys"),
    (rows) => rows.length === 0,
  );
});
