import type { NetworkProxy } from "../e2e/network-proxy.ts";
import type { Participant } from "../integration/server/participant.ts";
import type { EngineName } from "./engine.ts";
import type { Screen } from "./screen.ts";

/** What a scenario has of its own: a participant, a tab, and a network between tab and server. */
export interface Scene {
  readonly engine: EngineName;
  readonly screen: Screen;
  /** Has no peerings. */
  readonly participant: Participant;
  readonly password: string;
  readonly proxy: NetworkProxy;
  /**
   * Allows console errors that match.
   *
   * @param reason why the app cannot avoid them; for the reader of the scenario.
   */
  readonly allowConsoleErrors: (pattern: RegExp, reason: string) => void;
}

export interface Scenario {
  /** The name of the test. */
  readonly name: string;
  /** The AS of its participant. */
  readonly asn: string;
  readonly run: (scene: Scene) => Promise<void>;
}
