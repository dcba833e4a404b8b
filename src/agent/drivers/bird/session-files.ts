/**
 * The files of participants' sessions, which disable what the operator disabled (`disabled-sessions.ts`).
 *
 * BIRD knows which of its sessions are disabled, and the confirmed files which of the others were. If an edit replaces the
 * sessions of a peering, the new ones are disabled if one that they replace was, or all were: the operator disabled the
 * participant, who must not get around it.
 */
import type { Finding } from "#domain/findings/findings.ts";
import { interfaceName, sessionsOf } from "#domain/peering/bgp-sessions.ts";
import type { Clock } from "../../clock.ts";
import { memoizeByObject } from "../memoize-by-object.ts";
import { RouterBusyError, type RoutedPeering } from "../router.ts";
import type { BirdControl } from "./control-socket.ts";
import { type DisabledStates, readDisabled } from "./disabled-sessions.ts";
import type { BirdFiles, Generations } from "./generations.ts";
import { readSessionStates, renderBirdPeering } from "./render.ts";
import type { UnloadedChanges } from "./unloaded-changes.ts";

export interface SessionFiles {
  /** The names of a peering's sessions. */
  readonly protocolsOf: (routed: RoutedPeering) => readonly string[];
  /** Decides how BIRD gets the sessions of these peerings. Rejects with `RouterBusyError` if they must wait. */
  readonly plan: (desired: readonly RoutedPeering[]) => Promise<BirdPlan>;
  /** Whether the confirmed files disable what is disabled in BIRD. */
  readonly areCurrent: () => Promise<boolean>;
  /** The peerings with disabled sessions; null if there are none. */
  readonly findDisabled: () => Promise<Finding | null>;
}

export interface BirdPlan {
  readonly files: BirdFiles;
  /** Whether BIRD has to load the files now. */
  readonly hasChanges: boolean;
  /** Whether only sessions are removed, and BIRD cannot load its configuration now. */
  readonly isPostponed: boolean;
}

export interface SessionFilesOptions {
  readonly bird: BirdControl;
  readonly generations: Pick<Generations, "readConfirmed" | "isCurrent" | "onlyRemoves">;
  readonly unloadedChanges: UnloadedChanges;
  readonly providerAsn: string;
  readonly clock: Pick<Clock, "sleep">;
}

/** The sessions of each file. */
type StatesByFile = ReadonlyMap<string, DisabledStates>;

/** The finding names the first of them. */
const maxNamed = 20;

export function createSessionFiles(options: SessionFilesOptions): SessionFiles {
  const { bird, generations, unloadedChanges, providerAsn, clock } = options;

  const rendered = memoizeByObject((routed: RoutedPeering) => ({
    text: renderBirdPeering(routed, { providerAsn }),
    protocols: sessionsOf(routed.peering).map(({ name }) => name),
  }));
  const statesIn = createStateReader();

  /** The sessions of each file, as BIRD has them; as the files say if BIRD does not have them, or is not to be asked. */
  async function readStates(asksBird: boolean): Promise<StatesByFile> {
    const inFiles = statesIn(await generations.readConfirmed());
    if (!asksBird) return inFiles;
    const disabled = disabledIn(inFiles);
    const inBird = await readDisabled(bird, disabled, clock);
    if (disabled.size === 0 && !Array.from(inBird.values()).includes(true)) return inFiles;
    const asInBird = (states: DisabledStates) =>
      new Map(Array.from(states, ([name, isDisabled]) => [name, inBird.get(name) ?? isDisabled]));
    return new Map(Array.from(inFiles, ([file, states]) => [file, asInBird(states)]));
  }

  function renderWith(desired: readonly RoutedPeering[], statesByFile: StatesByFile): BirdFiles {
    return new Map(
      desired.map((routed) => {
        const { text, protocols } = rendered(routed);
        const file = `${interfaceName(routed.peering.asn)}.conf`;
        const disabled = disabledOf(protocols, statesByFile.get(file) ?? new Map());
        return [file, disabled.size === 0 ? text : renderBirdPeering(routed, { providerAsn, disabled })];
      }),
    );
  }

  async function plan(desired: readonly RoutedPeering[]): Promise<BirdPlan> {
    const followed = renderWith(desired, await readStates(true));
    if (generations.isCurrent(followed)) return { files: followed, hasChanges: false, isPostponed: false };
    const unloaded = await unloadedChanges.find();
    if (unloaded === null) return { files: followed, hasChanges: true, isPostponed: false };
    // BIRD loads no files now, so they need not follow it yet.
    const files = renderWith(desired, await readStates(false));
    const isPostponed = !generations.isCurrent(files);
    if (isPostponed && !generations.onlyRemoves(files)) throw new RouterBusyError(unloaded);
    return { files, hasChanges: false, isPostponed };
  }

  return {
    protocolsOf: (routed) => rendered(routed).protocols,
    plan,
    areCurrent: async () => {
      const inBird = disabledIn(await readStates(true));
      const inFiles = disabledIn(await readStates(false));
      return inBird.size === inFiles.size && Array.from(inBird).every((name) => inFiles.has(name));
    },
    findDisabled: async () => {
      const names = Array.from(disabledIn(await readStates(true)));
      const asns = [...new Set(names.map((name) => name.split("_")[1] ?? ""))];
      if (asns.length === 0) return null;
      return { code: "sessions-disabled", facts: { asns: asns.slice(0, maxNamed), peerings: asns.length } };
    },
  };
}

/** Creates a function that reads only those files again that have changed. */
function createStateReader(): (files: BirdFiles) => StatesByFile {
  let read: ReadonlyMap<string, { readonly text: string; readonly states: DisabledStates }> = new Map();
  return (files) => {
    read = new Map(
      Array.from(files, ([file, text]) => {
        const before = read.get(file);
        return [file, before?.text === text ? before : { text, states: readSessionStates(text) }];
      }),
    );
    return new Map(Array.from(read, ([file, { states }]) => [file, states]));
  };
}

function disabledIn(states: StatesByFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const ofFile of states.values())
    for (const [name, isDisabled] of ofFile) if (isDisabled) names.add(name);
  return names;
}

/** Returns the names of a peering's desired sessions to disable, from the states of its present ones. */
function disabledOf(desired: readonly string[], present: DisabledStates): ReadonlySet<string> {
  const states = Array.from(present);
  if (!states.some(([, isDisabled]) => isDisabled)) return new Set();
  const replaced = states.filter(([name]) => !desired.includes(name));
  const isInherited =
    replaced.some(([, isDisabled]) => isDisabled) || states.every(([, isDisabled]) => isDisabled);
  return new Set(desired.filter((name) => present.get(name) ?? isInherited));
}
