/**
 * A provider with one node whose server and agent are processes. One of them is killed before a step, and started again, as systemd
 * does, while an operator changes the node. Meanwhile the invariants of all such changes are checked.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { calls } from "#contract/calls.ts";
import type { TestDatabase } from "../../support/databases.ts";
import { vi } from "vitest";
import { caller, type Participant } from "../server/participant.ts";
import { createServerDatabase, insertNode } from "./database.ts";
import { signUpByMail } from "./mailed-link.ts";
import type { Program } from "./program.ts";
import {
  killBeforeStep,
  serverSource,
  type Settings,
  setUpProvider,
  type StoredPeering,
} from "./provider.ts";

export const node = "syd01";
export const victims = ["server", "agent"] as const;
export type Victim = (typeof victims)[number];

interface Watched {
  /** Whether the node may run peerings that the database does not know. */
  readonly isKept?: boolean;
  /** Returns further violations, from what the node runs. */
  readonly findOthers?: (running: readonly StoredPeering[]) => readonly string[];
}

/** Repeats a check until it passes. Programs that are started again need longer than others, and must not be slowed down. */
export function settle<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 100 });
}

export type KilledPrograms = Awaited<ReturnType<typeof openKilledPrograms>>;

/** @param parts stops and removes everything */
export async function openKilledPrograms(kind: TestDatabase["kind"], parts: AsyncDisposableStack) {
  const provider = parts.use(await setUpProvider([node]));
  const { settings, query } = await createServerDatabase(kind, provider.serverDir, parts);
  let url = "";
  const start = {
    agent: (environment: Settings = {}) => provider.startAgentProcess(node, environment),
    // The program before it is bundled, whose database driver can be watched.
    server: async (environment: Settings = {}) => {
      const server = await provider.startServerProcess({ ...settings, ...environment }, serverSource);
      url = server.url;
      return server.program;
    },
  } satisfies Record<Victim, (environment?: Settings) => Promise<Program>>;
  const programs: Record<Victim, Program> = { agent: await start.agent(), server: await start.server() };

  /** The program that will be killed: until it is replaced or stopped, it is started again. */
  let doomed = { isKilled: false, isReplaced: false, restarted: Promise.resolve() };
  parts.defer(() => {
    doomed.isReplaced = true;
  });

  const participants: Participant[] = [];
  const readRunning = async () => (await provider.readPeerings(node)).filter(({ routed }) => routed !== null);
  const readColumn = async (name: string, table: string) =>
    (await query(`SELECT ${name} FROM ${table}`)).map((row) => String(row[name]));
  const run = (...args: readonly string[]) => provider.runCommand(["nodes", ...args], settings);

  /** Returns the peerings that the node runs and that nothing will remove, and those of nodes that the database does not have. */
  async function findWithoutOwner(): Promise<readonly string[]> {
    // In this order: a removal moves peerings from the first table to the second one, and ends after the node does not run them.
    const known = await readColumn("asn", `peerings WHERE node = '${node}'`);
    const removals = await readColumn("peerings", `removed_nodes WHERE name = '${node}'`);
    const running = await readRunning();
    const stray = await readColumn("asn", "peerings WHERE node NOT IN (SELECT name FROM nodes)");
    return [
      ...running
        .map(({ asn }) => asn)
        .filter((asn) => !known.includes(asn) && !removals.join().includes(asn)),
      ...stray,
    ];
  }

  return {
    query,
    run,
    readColumn,
    readRunning,
    recover: () => provider.runCommand(["recover", "--apply"], settings),
    /** What the nodes file of the data folder says about the node. */
    readNodesFile: async () => {
      const file = await readFile(path.join(provider.serverDir, "nodes.json"), "utf8");
      return (JSON.parse(file) as { readonly nodes: readonly object[] }).nodes[0];
    },
    readPublicNode: async () =>
      (await caller(url)(calls.nodes, undefined)).nodes.find(({ name }) => name === node),
    /** The names of the keys that were added to the node. */
    readKeyIds: async () => {
      const [agent] = provider.agents;
      const file = await readFile(path.join(agent?.stateDir ?? "", "simulated-keys.json"), "utf8");
      return (JSON.parse(file) as { readonly ids: readonly string[] }).ids;
    },
    /** A participant of the server that runs now. */
    participant: (index: number): Participant => {
      const found = participants[index];
      if (!found) throw new Error(`there is no participant ${index}`);
      return Object.assign({}, found, { call: caller(url, found.cookie) });
    },
    signUp: async (asn: string) => participants.push(await signUpByMail(provider.mail, url, asn)),
    /** Adds the row of a node that was removed again, as a join does. */
    joinAgain: async (row: Readonly<Record<string, unknown>>) => {
      await query(insertNode(row));
      await settle(async () => {
        const [first] = participants;
        const { nodes } = await caller(url, first?.cookie)(calls.provider, undefined);
        if (!nodes.some(({ name }) => name === node)) throw new Error(`${node} has not joined`);
      });
    },
    /**
     * Runs an action during which the victim is killed before its n-th step. Returns whether it was killed, and every violation of
     * an invariant that was seen.
     */
    async runKilled(
      victim: Victim,
      step: number,
      action: () => Promise<void>,
      { isKept = false, findOthers }: Watched = {},
    ): Promise<{ readonly isKilled: boolean; readonly violations: readonly string[] }> {
      doomed.isReplaced = true;
      if (doomed.isKilled) await doomed.restarted;
      await programs[victim].end("SIGKILL");
      const program = await start[victim]({ ...killBeforeStep(step), KILL_AFTER_SIGNAL: "1" });
      programs[victim] = program;
      const current = { isKilled: false, isReplaced: false };
      const restart = async () => {
        await program.ended();
        if (current.isReplaced) return;
        current.isKilled = true;
        programs[victim] = await start[victim]();
      };
      const restarted = restart();
      doomed = Object.assign(current, { restarted });
      const violations = new Set<string>();
      const watch = async () => {
        const lost = isKept ? [] : await findWithoutOwner();
        for (const asn of lost) violations.add(`AS${asn} has no owner`);
        for (const other of findOthers?.(await readRunning()) ?? []) violations.add(other);
      };
      const watching = { hasEnded: false };
      const keepWatching = async () => {
        while (!watching.hasEnded) {
          await watch();
          await pause(20);
        }
      };
      const watched = keepWatching();
      process.kill(program.pid, "SIGUSR2");
      try {
        await action();
        if (current.isKilled) await restarted;
      } catch (error) {
        // An invariant that does not hold says more than an action that does not end.
        if (violations.size === 0) throw error;
      } finally {
        watching.hasEnded = true;
        await watched;
      }
      await watch();
      return { isKilled: current.isKilled, violations: [...violations] };
    },
  };
}
