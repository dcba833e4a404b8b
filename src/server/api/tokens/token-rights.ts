/** What a call lets a caller with an API token do. */
import type { CallBody, CallResponse } from "#contract/call.ts";
import type { CallName, Calls } from "#contract/calls.ts";
import { HttpError } from "#contract/http-error.ts";
import type { ApiTokenScope } from "#domain/accounts/api-tokens.ts";
import { findTokenScope, type tokenScopes } from "./token-scopes.ts";

export interface TokenRights {
  readonly scope: ApiTokenScope;
  /** The only node that the token may act on; null: all nodes. */
  readonly node: string | null;
}

type TokenCall = {
  [N in keyof typeof tokenScopes]: (typeof tokenScopes)[N] extends null ? never : N;
}[keyof typeof tokenScopes];

type NamesNode<Body> = Body extends { readonly node: string }
  ? true
  : Body extends readonly [unknown, { readonly node: string }]
    ? true
    : false;

/** The calls that accept a token and whose body names no node. */
type CallOfAllNodes = {
  [N in TokenCall]: NamesNode<CallBody<Calls[N]>> extends true ? never : N;
}[TokenCall];

/**
 * What a token of one node gets of a call of all nodes: `all` of a response that says nothing of the AS, `none`, or the part that is
 * of its node. Null: there is no such part.
 */
type PartOfNode<N extends CallName> =
  | "all"
  | "none"
  | ((response: CallResponse<Calls[N]>, node: string) => CallResponse<Calls[N]> | null);

const partsOfNode: { readonly [N in CallOfAllNodes]: PartOfNode<N> } = {
  getNodesList: "all",
  getNodeSeries: "all",
  getPeeredNodes: (nodes, node) => nodes.filter((each) => each === node),
  getPeerStatus: ofNode,
  getPeeringConfigs: ofNode,
  getTasks: ofNode,
  getTaskStatus: (task, node) => (task.node === node ? task : null),
  getPeeringHistory: "none",
  getSessionChanges: "none",
  getTrafficSeries: "none",
  getEndpointRoundTrips: "none",
  submitContactForm: "none",
};

function ofNode<Item extends { readonly node: string }>(items: Item[], node: string): Item[] {
  return items.filter((item) => item.node === node);
}

/** Throws `HttpError` 403 if the call needs a login session, or another scope. */
export function assertScope(name: CallName, { scope }: TokenRights): void {
  const needed = findTokenScope(name);
  if (needed === null) throw loginSessionNeededError();
  if (needed === "change" && scope === "read") {
    throw new HttpError(
      403,
      { message: "This API token may only read. Nothing was changed; use one that may read and change." },
      { challenge: 'Bearer error="insufficient_scope"' },
    );
  }
}

export function loginSessionNeededError(): HttpError {
  return new HttpError(403, {
    message: "This needs a login session, and no API token opens it. Nothing was changed; log in to the app.",
  });
}

/** Throws `HttpError` 403 if the body names another node than the token's, or the call is of all nodes. */
export function assertNode(name: CallName, body: unknown, { node }: TokenRights): void {
  if (node === null) return;
  const named = readNode(body);
  const isAllowed = named === undefined ? findPart(name) !== "none" : named === node;
  if (isAllowed) return;
  const message =
    named === undefined
      ? `This API token is for ${node} only, and this call is of all nodes. Use a token for all nodes.`
      : `This API token is for ${node} only. Nothing was changed; use a token for this node.`;
  throw new HttpError(403, { message, field: "node" });
}

/** Returns the part of a response that a token may read. Throws `HttpError` 404 if there is none. */
export function limitToNode(name: CallName, response: object, { node }: TokenRights): object {
  const part = findPart(name);
  if (node === null || typeof part !== "function") return response;
  const limited: object | null = part(response, node);
  if (limited === null) throw new HttpError(404, { message: `There is no such task of ${node}.` });
  return limited;
}

function findPart(name: CallName): PartOfNode<CallName> | undefined {
  return (partsOfNode as Partial<Record<CallName, PartOfNode<CallName>>>)[name];
}

/** Returns the node in the request body; in a tuple it is in the second item. */
function readNode(body: unknown): unknown {
  const holder: unknown = Array.isArray(body) ? body[1] : body;
  return typeof holder === "object" && holder !== null && "node" in holder ? holder.node : undefined;
}
