import type { AuditKind } from "../../domain/audit-events.ts";
import type { PeeringRequest } from "../../domain/peering/fields/peering-request.ts";

/** Something that happened, for the audit log. It must not contain secrets. */
export interface AuditEvent {
  readonly kind: AuditKind;
  /** Null if the event concerns no AS, or a username that is no AS number. */
  readonly asn: string | null;
  readonly node?: string;
  /** The ID of the deployment that the event belongs to. */
  readonly task?: string;
  /** The submitted values of the peering before and after the event; null where it did not exist. */
  readonly before?: PeeringRequest | null;
  readonly after?: PeeringRequest | null;
  /** A sentence that says more, such as why a node refused a change. */
  readonly detail?: string;
}

/** The request that an event came from. */
export interface AuditOrigin {
  /** The client's address, of which only the network is stored. */
  readonly clientAddress: string | null;
  /** `toLoginSessionId` of the login session, or `toApiTokenId` of the API token; null for a caller without either. */
  readonly loginSession: string | null;
  /** The name of the API token; null without one. */
  readonly apiToken: string | null;
  /** The ID of the request in the server's log. */
  readonly requestId: string | null;
}

/** The origin of what the server, an agent or the operator does. */
export const noOrigin: AuditOrigin = {
  clientAddress: null,
  loginSession: null,
  apiToken: null,
  requestId: null,
};
