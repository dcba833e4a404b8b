/** What the mock backend reports as activity: a login, a failed one, and the creation of every peering. */
import type { ActivityEntry } from "../contract/call-tables/activity-calls.ts";
import type { CallResponse } from "../contract/call.ts";
import type { Calls } from "../contract/calls.ts";
import {
  describeAuditEvent,
  describeOutcome,
  isChange,
  isSuspect,
  type AuditKind,
} from "../domain/audit-events.ts";
import { listPeeringChanges } from "../domain/peering/fields/peering-changes.ts";
import { toPeeringRequest } from "../domain/peering/fields/peering-request.ts";
import { hostOf } from "./provider.ts";
import type { MockPeering, MockState } from "./state.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const pageSize = 50;

interface MockEvent {
  readonly kind: AuditKind;
  readonly at: number;
  readonly network: string | null;
  readonly own?: boolean;
  readonly peering?: MockPeering;
  readonly changes?: ActivityEntry["changes"];
}

export function activityOf(
  state: MockState,
  asn: string,
  before: string | null,
  now: number,
): CallResponse<Calls["getActivity"]> {
  const peerings = state.peerings.filter((each) => each.asn === asn);
  const events = [
    { kind: "login", at: now - minuteMs, network: "198.51.100.0/24", own: true },
    { kind: "login-failed", at: now - 5 * minuteMs, network: "2001:db8:7::/48" },
    ...peerings.flatMap((peering, index) => createPeeringEvents(peering, now - (index + 1) * dayMs)),
    { kind: "password-set", at: now - 40 * dayMs, network: null },
    { kind: "registration-link", at: now - 40 * dayMs - 2 * minuteMs, network: null },
  ] satisfies MockEvent[];
  const entries = events.map((event, index) => present(event, asn, events.length - index));
  const older = entries.filter(({ id }) => before === null || id < before);
  const shown = older.slice(0, pageSize);
  return { entries: shown, next: older.length > pageSize ? (shown.at(-1)?.id ?? null) : null };
}

function createPeeringEvents(peering: MockPeering, createdAt: number): MockEvent[] {
  const request = toPeeringRequest(peering.peering, peering.customLocalIpv6, peering.options.presharedKey);
  const changes = [...listPeeringChanges(null, request)];
  return [{ kind: "peering-created", at: createdAt, network: "198.51.100.0/24", peering, changes }];
}

function present(event: MockEvent, asn: string, order: number): ActivityEntry {
  const { kind, at, network, own = false, peering, changes = [] } = event;
  const node = peering?.node ?? null;
  const host = node === null ? "" : hostOf(node);
  return {
    id: `${String(order).padStart(24, "0")}-00000000-0000-4000-8000-000000000000`,
    at,
    kind,
    node,
    text: describeAuditEvent({ kind, asn, host, changes, detail: "" }, "participant"),
    changes: [...changes],
    network,
    own,
    suspect: isSuspect(kind),
    ...(isChange(kind) && {
      outcome: { state: "success", text: describeOutcome("deployment-succeeded", "") },
    }),
  };
}
