/** What a case acts with: a BIRD of one version, the participants' speakers, and the recorder. */
import type { Open } from "./speaker/messages.ts";
import type { Judgement } from "../../fixtures/router-outputs/judgement.ts";
import type { BirdBuild } from "./bird-packages.ts";
import { type BirdConfig, type BirdProcess, startBird } from "./bird-process.ts";
import { linkLocalPeering, type RecordingNetwork } from "./network.ts";
import { type Block, formatBlocks } from "./output-file.ts";
import { recordCase, type RecordOptions } from "./recorder.ts";
import { type RemoteSpeaker, startSpeaker, type Transport } from "./speakers.ts";

/** A situation to record. It may have several recordings, whose names start with the case's name. */
export interface RecorderCase extends BirdConfig {
  readonly name: string;
  /** The versions that it can be provoked in; all if omitted. */
  readonly versions?: RegExp;
  readonly run: (scene: Scene) => Promise<void>;
}

interface Situation extends Partial<BirdConfig>, Pick<RecorderCase, "versions">, RecordOptions {
  /** Brings BIRD into the state that is recorded. */
  readonly act?: (scene: Scene) => Promise<unknown>;
  /** Restores the network. */
  readonly restore?: (scene: Scene) => Promise<unknown>;
}

/** A case with one recording of its name, by default with a link-local session of AS4242420001. */
export function situation(
  name: string,
  {
    act,
    restore,
    peerings = [linkLocalPeering(1)],
    operatorLines = [],
    versions = /./,
    ...options
  }: Situation = {},
): RecorderCase {
  const run = async (scene: Scene) => {
    try {
      await act?.(scene);
      await scene.record(name, options);
    } finally {
      await restore?.(scene);
    }
  };
  return { name, peerings, operatorLines, versions, run };
}

export interface Scene {
  readonly network: RecordingNetwork;
  readonly bird: BirdProcess;
  readonly version: string;
  /** Starts a participant's speaker, which does not listen yet. It ends with the case. */
  readonly speaker: (n: 1 | 2, transport: Transport, open?: Partial<Open>) => RemoteSpeaker;
  /** Records a case as soon as BIRD shows what its judgement says. */
  readonly record: (name: string, options?: RecordOptions) => Promise<void>;
  /** Writes replies that the case has read itself, because the state lasts only milliseconds. */
  readonly write: (name: string, blocks: readonly Block[]) => void;
}

export interface RunCaseOptions {
  readonly network: RecordingNetwork;
  readonly build: BirdBuild;
  readonly save: (version: string, name: string, text: string) => void;
  /** Returns the judgement of a recording. */
  readonly findJudgement: (version: string, name: string) => Judgement;
}

/** Runs a case, and returns what BIRD did not show. */
export async function runCase(each: RecorderCase, options: RunCaseOptions): Promise<readonly string[]> {
  const { network, build } = options;
  const bird = await startBird(network.node, build, each);
  const write = (name: string, blocks: readonly Block[]) =>
    options.save(build.version, name, formatBlocks(blocks, network.node.folder));
  const speakers: RemoteSpeaker[] = [];
  const differences: string[] = [];
  try {
    await each.run({
      network,
      bird,
      version: build.version,
      speaker: (n, transport, open) => {
        const host = network.participants[n - 1];
        if (!host) throw new Error(`there is no participant ${n}`);
        const speaker = startSpeaker(host, n, transport, open);
        speakers.push(speaker);
        return speaker;
      },
      record: async (name, recordOptions = {}) => {
        const judgement = options.findJudgement(build.version, name);
        const target = { write, send: bird.send, judgement };
        const found = await recordCase(name, target, recordOptions);
        differences.push(...found.map((difference) => `${name}: ${difference}`));
      },
      write,
    });
    return differences;
  } finally {
    for (const speaker of speakers) await speaker[Symbol.asyncDispose]();
    await bird.stop();
  }
}
