import { afterAll, beforeAll } from "vitest";
import { type DemoServer, demoServer, type DemoServerOptions } from "../integration/server/demo-server.ts";
import { deployPeering, type Participant, signUp } from "../integration/server/participant.ts";

export interface DemoScene {
  readonly url: string;
  readonly dataDir: string;
  readonly participant: Participant;
}

export interface DemoSceneOptions extends DemoServerOptions {
  readonly asn?: string;
  /** The nodes with which the participant has a peering. */
  readonly peerings?: readonly string[];
}

/** Starts a demo with a participant for the tests of a file. Its properties are set before the file's `beforeAll`. */
export function useDemo({ asn = "4242420001", peerings = [], ...options }: DemoSceneOptions = {}): DemoScene {
  const scene = {} as { -readonly [K in keyof DemoScene]: DemoScene[K] };
  let server: DemoServer;
  beforeAll(async () => {
    server = await demoServer(options);
    scene.url = server.url;
    scene.dataDir = server.dataDir;
    scene.participant = await signUp(server.url, asn);
    for (const node of peerings) await deployPeering(scene.participant, node);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  return scene;
}
