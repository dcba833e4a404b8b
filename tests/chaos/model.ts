/** What a person may expect of the app after what was done to it. */
import type { Network } from "./gate.ts";
import { people, type Person, tracesOf } from "./people.ts";

/** Something half written: by the label of its field, what was typed. */
export type Draft = Readonly<Record<string, string>>;

export interface BegunTask {
  readonly taskID: string;
  readonly node: string;
}

export interface Model {
  network: Network;
  serverUp: boolean;
  /** Whom the device shows; null: nobody. */
  who: Person | null;
  /** Whether the server still knows the session. */
  sessionAlive: boolean;
  wizard: Draft | null;
  contact: Draft | null;
  /** Deployments that were begun here by who is signed in. */
  tasks: readonly BegunTask[];
  /** Nodes with a peering, by AS number. */
  readonly peered: ReadonlyMap<string, Set<string>>;
  /** What a person has typed here, by AS number, where it is like nothing else. */
  readonly words: ReadonlyMap<string, Set<string>>;
}

export function freshModel(): Model {
  return {
    network: "online",
    serverUp: true,
    who: null,
    sessionAlive: false,
    wizard: null,
    contact: null,
    tasks: [],
    peered: new Map(people.map(({ asn, node }) => [asn, new Set([node])])),
    words: new Map(people.map(({ asn }) => [asn, new Set()])),
  };
}

export function isReachable({ network, serverUp }: Model): boolean {
  return network === "online" && serverUp;
}

export function isSignedIn({ who, sessionAlive }: Model): boolean {
  return who !== null && sessionAlive;
}

/** From now on it is theirs, and to be found with nobody else. */
export function remember({ who, words }: Model, draft: Draft): void {
  for (const value of Object.values(draft)) if (who) words.get(who.asn)?.add(value);
}

/** Whoever was here is gone, with everything. */
export function forget(model: Model): void {
  Object.assign(model, { who: null, sessionAlive: false, wizard: null, contact: null, tasks: [] });
}

/** What was typed and neither sent nor given up. */
export function halfWritten({ wizard, contact }: Model): readonly string[] {
  return [...Object.values(wizard ?? {}), ...Object.values(contact ?? {})];
}

/** What gives away anybody but the person who is signed in. */
export function strangeTexts({ who, words }: Model): readonly string[] {
  const strangers = people.filter((person) => person !== who);
  return [
    ...strangers.flatMap(tracesOf),
    ...strangers.flatMap(({ asn }) => Array.from(words.get(asn) ?? [])),
  ];
}
