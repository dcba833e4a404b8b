/** An agent whose events a test chooses, as a hostile or broken one could. */
import { randomUUID } from "node:crypto";
import { type AgentEvent, maxEventsPerCall } from "#contract/call-tables/agent-event-calls.ts";
import type { Transport } from "#contract/client.ts";
import { expect } from "vitest";
import { agentResponse } from "../../support/agent-response.ts";
import { waitFor } from "../../support/wait-for.ts";

export interface ListedEvents {
  /** What the agent has. */
  list: readonly unknown[];
  /** How many it returns at once. */
  pageSize: number;
  /** By the agent's clock. */
  readonly now: () => number;
  /** The bodies of the requests so far. */
  readonly requests: Array<{ readonly after: string | null }>;
}

export function createListedEvents(now: () => number = Date.now): ListedEvents {
  return { list: [], pageSize: maxEventsPerCall, now, requests: [] };
}

let lastNumber = 0;

export function eventOf(changes: Partial<AgentEvent> = {}): AgentEvent {
  lastNumber += 1;
  const asn = "4242420001";
  const event = { id: randomUUID(), number: lastNumber, at: Date.now(), asn, repeats: 0 };
  const facts = { address: null, findings: [], steps: [] };
  return { kind: "tunnel-repaired", ...event, ...facts, ...changes };
}

/** The agent, with these events in place of its own. */
export function withEvents(agent: Transport, events: ListedEvents): Transport {
  return async (request) => {
    if (request.path !== "/v1/events") return agent(request);
    const body = JSON.parse(request.body ?? "") as { readonly after: string | null };
    const start = events.list.findIndex((event) => (event as AgentEvent).id === body.after) + 1;
    const response = { now: events.now(), events: events.list.slice(start, start + events.pageSize) };
    events.requests.push(body);
    return agentResponse(response);
  };
}

/** Waits until the server has read all events, and has asked once more. */
export async function untilCollected({ list, requests }: ListedEvents): Promise<void> {
  const { id } = list.at(-1) as { readonly id: string };
  await waitFor(() => expect(requests.at(-1)?.after).toBe(id));
}
