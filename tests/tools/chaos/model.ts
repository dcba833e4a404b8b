/** The state that the app is expected to have after the steps so far. */
import { participants, type ChaosParticipant, identifyingTexts } from "./participants.ts";

export type Network = "online" | "offline" | "hang";

/** Typed values of an unsent form, by the labels of their fields. */
export type Draft = Readonly<Record<string, string>>;

export interface StartedTask {
  readonly taskID: string;
  readonly node: string;
}

/** What the server must have at the end. */
export interface Sent {
  /** How many submits started a deployment, by "AS node". */
  readonly deployments: Map<string, number>;
  /** The outcome of a deployment that the app showed, by task. */
  readonly outcomes: Map<string, "success" | "failed">;
  /** The texts of messages that the app reported as submitted. */
  readonly messages: string[];
}

export interface Model {
  network: Network;
  hasTwoTabs: boolean;
  readonly sent: Sent;
  isServerUp: boolean;
  /** The participant that the device shows, or null. */
  participant: ChaosParticipant | null;
  /** Whether the login session is still valid on the server. */
  hasLoginSession: boolean;
  wizard: Draft | null;
  contact: Draft | null;
  /** Deployments that the current participant started on this device. */
  tasks: readonly StartedTask[];
  /** Nodes with a peering, by AS number. */
  readonly peeredNodes: ReadonlyMap<string, Set<string>>;
  /** Unique texts that each participant has typed on this device, by AS number. */
  readonly typedTexts: ReadonlyMap<string, Set<string>>;
}

export function createModel(): Model {
  return {
    network: "online",
    hasTwoTabs: false,
    // The peerings that exist from the start.
    sent: {
      deployments: new Map(participants.map(({ asn, node }) => [`${asn} ${node}`, 1])),
      outcomes: new Map(),
      messages: [],
    },
    isServerUp: true,
    participant: null,
    hasLoginSession: false,
    wizard: null,
    contact: null,
    tasks: [],
    peeredNodes: new Map(participants.map(({ asn, node }) => [asn, new Set([node])])),
    typedTexts: new Map(participants.map(({ asn }) => [asn, new Set()])),
  };
}

export function isReachable({ network, isServerUp }: Model): boolean {
  return network === "online" && isServerUp;
}

export function isLoggedIn({ participant, hasLoginSession }: Model): boolean {
  return participant !== null && hasLoginSession;
}

/** Records that these texts belong to the current participant, and must not appear for another one. */
export function recordTyped({ participant, typedTexts }: Model, draft: Draft): void {
  for (const value of Object.values(draft)) if (participant) typedTexts.get(participant.asn)?.add(value);
}

/** Removes the current participant and all their state. */
export function clearParticipant(model: Model): void {
  Object.assign(model, { participant: null, hasLoginSession: false, wizard: null, contact: null, tasks: [] });
}

/** The typed texts that were neither sent nor discarded. */
export function draftTexts({ wizard, contact }: Model): readonly string[] {
  return [...Object.values(wizard ?? {}), ...Object.values(contact ?? {})];
}

/** Texts that identify participants other than the current one. */
export function otherParticipantsTexts({ participant, typedTexts }: Model): readonly string[] {
  const others = participants.filter((each) => each !== participant);
  return [
    ...others.flatMap(identifyingTexts),
    ...others.flatMap(({ asn }) => Array.from(typedTexts.get(asn) ?? [])),
  ];
}
