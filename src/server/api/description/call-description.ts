import type { Call, CallInput, CallResponse, ErrorStatus } from "#contract/call.ts";
import type { CallName, Calls } from "#contract/calls.ts";
import type { LimitName } from "../rate-limits.ts";

/** The groups of calls, in the order of the API page. */
export const tags = {
  Nodes: "The provider and its nodes, and whether they accept new peerings.",
  Peerings:
    "Create, change and delete peerings, and follow their deployment. A script needs these calls and those of the nodes.",
  "Status and history": "The state of peerings and nodes, now and in the past.",
  "Router output":
    "What the node's WireGuard and BIRD report about a peering. These calls wait for the router, up to 25 seconds.",
  Login: "Log in and out, register, and set a password.",
  Account: "The account of the AS, its login sessions and its activity.",
  Push: "Push messages to the browser of a login session.",
  Agents: "Calls of the nodes' agents. Scripts of participants do not need them.",
} as const;
export type Tag = keyof typeof tags;

/** What the API page and the OpenAPI document say of a call. */
export interface CallDescription<C extends Call = Call> {
  readonly tag: Tag;
  /** Without a full stop. */
  readonly summary: string;
  /** Sentences for the author of a script: what it is for, and how often it may be called. */
  readonly description: string;
  /** Rate limits, each with what it counts: "changes of a peering". */
  readonly limits?: Readonly<Partial<Record<LimitName, string>>>;
  /** Error statuses that callers may have to distinguish, each with its meaning. */
  readonly errors?: Readonly<Partial<Record<ErrorStatus, string>>>;
  /** A body that is not only `username` and `node` needs one. */
  readonly request?: CallInput<C>;
  readonly response?: CallResponse<C>;
}

type Rows<Name extends CallName> = { readonly [N in Name]: Omit<CallDescription<Calls[N]>, "tag"> };

/** Describes the calls of a tag. */
export function describeCalls<Name extends CallName>(
  tag: Tag,
  rows: Rows<Name>,
): Readonly<Record<Name, CallDescription>> {
  const described = Object.entries<Omit<CallDescription, "tag">>(rows);
  return Object.fromEntries(described.map(([name, row]) => [name, Object.assign({ tag }, row)])) as Record<
    Name,
    CallDescription
  >;
}
