/** The events of the audit log, and the sentences that describe them to a participant and to the operator. */
import type { PeeringChange } from "./peering/fields/peering-changes.ts";

/** Every kind of event, with its sentence. */
export const auditSentences = {
  // What a participant does, or another person who acts as the participant.
  login: "{You} logged in.",
  "login-failed": "Someone tried to log in as {you} with a wrong password.",
  "login-failed-no-account": "Someone tried to log in as {you}, but there was no account.",
  logout: "{You} logged out.",
  "login-session-ended": "{You} ended a login session.",
  "login-sessions-ended": "{You} ended all login sessions and API tokens.",
  "registration-link": "A registration link was mailed to the addresses in the registry.",
  "reset-link": "A link to reset the password was mailed to the addresses in the registry.",
  "password-set": "A password was set with a mailed link. All login sessions ended.",
  "password-set-by-proof":
    "A password was set after a proof that the AS is {yours}. All login sessions ended.",
  "ownership-proved": "A proof that the AS is {yours} was accepted, so a password can be set.",
  "password-changed": "{You} changed the password.",
  "passkey-added": "{You} added a passkey.",
  "passkey-removed": "{You} removed a passkey.",
  "passkey-copied":
    "A login as {you} with a passkey was refused, because its counter went back: another device may have a copy of it.",
  "password-turned-off": "{You} turned the password off.",
  "api-token-created": "{You} created an API token.",
  "api-token-revoked": "{You} revoked an API token.",
  "account-exported": "{You} exported the data of the account.",
  "account-deletion-started": "{You} started the deletion of the account.",
  "account-deletion-cancelled": "{You} cancelled the deletion of the account.",
  "account-deleted": "{You} deleted the account.",
  "peering-created": "{You} created the peering on {node}.",
  "peering-changed": "{You} changed the peering on {node}.",
  "peering-deleted": "{You} deleted the peering on {node}.",
  "node-key-switched": "{You} switched the tunnel to the new public key of {node}.",
  // What the server, an agent or the operator does.
  "login-session-replaced": "{Your} login session ended because its browser logged in again.",
  "login-session-displaced": "{Your} oldest login session ended because there were too many.",
  "login-session-expired": "{Your} login session expired.",
  "passkeys-removed-by-operator": "The operator removed all passkeys of {you}.",
  "api-token-expired": "{Your} API token expired.",
  "api-token-ended": "{Your} API token ended.",
  "login-sessions-ended-by-operator": "The operator ended all login sessions of {you}.",
  "account-blocked": "The operator blocked {you}.",
  "account-unblocked": "The operator unblocked {you}.",
  "account-flagged":
    "The registry names another holder of the AS. No links are mailed until the operator decides.",
  "account-released": "The operator accepted the new holder of the AS. Links are mailed again.",
  "deployment-succeeded": "The peering was deployed on {node}.",
  "deployment-failed": "The peering was not deployed on {node}.",
  "deletion-succeeded": "The peering was removed from {node}.",
  "deletion-failed": "The peering was not removed from {node}.",
  "peering-repaired":
    "The server deployed the peering again, because {node} did not run its current version.",
  "unwanted-peering-removed": "The server removed a peering that was deleted earlier from {node}.",
  "probe-address-removed":
    "The server removed the address to probe from the peering on {node}, because it is no longer registered to {you}.",
  "peering-conflict": "{node} has a version of the peering that the database does not know.",
  "peering-recovered": "The operator took the peering on {node} over into the database.",
  "peering-forgotten": "The operator removed the peering from the database, because {node} has deleted it.",
  "node-forgotten":
    "The operator removed the peering on {node} from the database, because the node is out of service.",
  "join-line-created": "The operator created a line with which {node} can join.",
  "node-joined": "{node} joined. It is closed to new peerings until the operator opens it.",
  "peering-removed": "The operator removed the peering from {node}.",
  "value-conflict": "A participant entered a value for {node} that another AS uses.",
  "node-key-changed": "The public key of {node} changed. {Your} configuration needs the new one.",
  "node-address-changed": "The address of {node} changed. {Your} configuration needs the new one.",
  "node-changed": "The operator changed {node}.",
  "node-recovered": "The operator took {node} over from a list of nodes.",
  "node-removed": "The operator removed {node}.",
  "node-cleared": "The server took the peerings down on {node}, which the operator had removed.",
  "server-addresses-changed": "The operator changed where agents expect servers.",
  "node-rekey-started": "The operator requested a new WireGuard key of {node}.",
  "node-rekey-announced": "{node} gets a new public key.",
  "node-rekey-cancelled": "The operator cancelled the new public key of {node}. The present one stays.",
  "node-rekey-ended": "All tunnels on {node} have its new public key.",
  "node-key-switched-by-server":
    "The server switched the tunnel to the new public key of {node}, because its date had come. {Your} configuration needs it.",
  "node-key-returned":
    "The server switched the tunnel back to the previous public key of {node}, because no handshake with the new one came.",
  "backup-restored": "The operator restored a backup of the server.",
  "secrets-reset": "The operator deleted the secrets that the server's keys do not open.",
  // What an agent does by itself (`agentEventKinds`, src/contract/call-tables/agent-event-calls.ts).
  "tunnel-repaired": "{node} repaired {your} tunnel, which was missing or had been changed.",
  "tunnel-restored":
    "When its agent started, {node} repaired {your} tunnel, which was missing or had been changed.",
  "endpoint-changed": "The hostname of {your} endpoint has a new address, which {node} uses now.",
  "endpoint-change-failed":
    "The hostname of {your} endpoint has a new address, but {node} could not apply it and still uses the previous one.",
  "router-repaired": "{node} did not run its confirmed configuration, and its agent repaired it.",
  "router-restored":
    "When its agent started, {node} did not run its confirmed configuration, and the agent restored it.",
  "router-repair-failed":
    "{node} does not run its confirmed configuration. Its agent could not repair it and tries again at least every minute.",
  "agent-events-missed":
    "Events of {node} are missing, because its agent had dropped them before the server collected them.",
};

export type AuditKind = keyof typeof auditSentences;

/** Changes that a deployment carries out, as they are described if it failed. */
const failedSentences = {
  "peering-created": "{You} tried to create the peering on {node}.",
  "peering-changed": "{You} tried to change the peering on {node}.",
  "peering-deleted": "{You} tried to delete the peering on {node}.",
  "peering-removed": "The operator tried to remove the peering from {node}.",
  "probe-address-removed":
    "The server tried to remove the address to probe from the peering on {node}, because it is no longer registered to {you}.",
  "node-key-switched": "{You} tried to switch the tunnel to the new public key of {node}.",
  "node-key-switched-by-server":
    "The server tried to switch the tunnel to the new public key of {node}, because its date had come.",
  "node-key-returned":
    "The server tried to switch the tunnel back to the previous public key of {node}, because no handshake with the new one came.",
} as const satisfies Partial<Record<AuditKind, string>>;

const outcomeTexts = {
  "deployment-succeeded": "Deployed.",
  "deployment-failed": "Not deployed.",
  "deletion-succeeded": "Removed from the node.",
  "deletion-failed": "Not removed.",
} as const satisfies Partial<Record<AuditKind, string>>;

export type ChangeKind = keyof typeof failedSentences;
export type OutcomeKind = keyof typeof outcomeTexts;

/** Whether an event is a change that a deployment carries out. */
export function isChange(kind: AuditKind): kind is ChangeKind {
  return Object.hasOwn(failedSentences, kind);
}

/** Whether an event is the end of a deployment. */
export function isOutcome(kind: AuditKind): kind is OutcomeKind {
  return Object.hasOwn(outcomeTexts, kind);
}

/** Describes how a change ended, below its sentence: "Deployed.", or "Not deployed." with the reason. */
export function describeOutcome(kind: OutcomeKind, detail: string): string {
  return detail === "" ? outcomeTexts[kind] : `${outcomeTexts[kind]} ${detail}`;
}

const suspectKinds: ReadonlySet<AuditKind> = new Set([
  "login",
  "login-session-ended",
  "login-sessions-ended",
  "password-set",
  "password-set-by-proof",
  "password-changed",
  "passkey-added",
  "passkey-removed",
  "passkey-copied",
  "password-turned-off",
  "api-token-created",
  "api-token-revoked",
  "account-exported",
  "account-deletion-started",
  "peering-created",
  "peering-changed",
  "peering-deleted",
  "node-key-switched",
] as const);

/** Whether an event could be the act of an intruder who is, or was, logged in. */
export function isSuspect(kind: AuditKind): boolean {
  return suspectKinds.has(kind);
}

export interface DescribedEvent {
  readonly kind: AuditKind;
  readonly asn: string | null;
  /** The node's host name; empty if the event concerns no node. */
  readonly host: string;
  readonly changes: readonly PeeringChange[];
  /** A further sentence, such as why a node refused a change; empty without one. */
  readonly detail: string;
  /** The name of the API token that acted; null without one. */
  readonly apiToken?: string | null;
  /** Whether the deployment of a change failed, so that it did not happen. */
  readonly hasFailed?: boolean;
}

/** Describes an event to the participant ("You logged in.") or to the operator ("AS4242420001 logged in."). */
export function describeAuditEvent(event: DescribedEvent, reader: "participant" | "operator"): string {
  const name = event.asn === null ? "an unknown AS" : `AS${event.asn}`;
  const words: Readonly<Record<string, string>> =
    reader === "participant"
      ? { You: "You", you: "you", Your: "Your", your: "your", yours: "yours", node: event.host }
      : { You: name, you: name, Your: `${name}'s`, your: `${name}'s`, yours: `${name}'s`, node: event.host };
  const sentence = findTemplate(event).replaceAll(/\{(\w+)\}/g, (_, word: string) => words[word] ?? "");
  const detail = event.hasFailed === true ? "" : event.detail;
  const actor =
    (event.apiToken ?? null) === null ? "" : `This was done with the API token “${event.apiToken}”.`;
  return [sentence, detail, actor].filter((part) => part !== "").join(" ");
}

/** A change of one value needs no list. */
function findTemplate({ kind, changes, hasFailed = false }: DescribedEvent): string {
  const [change] = changes;
  if (kind !== "peering-changed" || !change || changes.length > 1)
    return hasFailed && isChange(kind) ? failedSentences[kind] : auditSentences[kind];
  return `{You} ${hasFailed ? "tried to change" : "changed"} the ${change.field} of {node} from ${change.before ?? "none"} to ${change.after ?? "none"}.`;
}
