/** A participant's BGP speaker, told about its neighbours as its owner would tell it. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type PeeringSides, renderBird } from "../domain/participant-config.ts";
import { frrCommands, frrRemoval } from "./frr.ts";
import type { hostAt } from "./namespaces.ts";
import { LabError, type ParticipantPlan } from "./network.ts";

export interface Speaker {
  /** Sets up the sessions with a node, in place of those that it had with it. */
  readonly take: (sides: PeeringSides) => Promise<void>;
  /** Removes the sessions with a node. */
  readonly drop: (node: string) => Promise<void>;
}

type Host = ReturnType<typeof hostAt>;

export function speakerOn(host: Host, plan: ParticipantPlan): Speaker {
  return plan.speaker === "BIRD" ? birdOn(host) : frrOn(host, plan.asn);
}

function birdOn(host: Host): Speaker {
  const file = (node: string) => join(host.folder, "bird/peers", `${node}.conf`);
  const configure = async () => {
    const answer = await host.run("birdc", "configure");
    if (!/Reconfigur/.test(answer)) throw new LabError(`BIRD of ${host.name} refused:\n${answer}`);
  };
  return {
    take: async (sides) => {
      await writeFile(file(sides.node), renderBird(sides));
      await configure();
    },
    drop: async (node) => {
      await rm(file(node));
      await configure();
    },
  };
}

function frrOn(host: Host, asn: string): Speaker {
  const file = (node: string) => join(host.folder, "frr", `${node}.commands`);
  const tell = (commands: readonly string[]) =>
    host.run("vtysh", ...commands.flatMap((command) => ["-c", command]));
  const drop = async (node: string) => {
    const had = await readFile(file(node), "utf8").catch(() => null);
    if (had === null) return;
    await tell(frrRemoval(asn, had.split("\n")));
    await rm(file(node));
  };
  return {
    take: async (sides) => {
      await drop(sides.node);
      const commands = frrCommands(sides);
      await tell(commands);
      await writeFile(file(sides.node), commands.join("\n"));
    },
    drop,
  };
}
