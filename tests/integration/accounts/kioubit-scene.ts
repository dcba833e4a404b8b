/** Visitors that start at the server and come back from Kioubit's authentication service. */
import type { KioubitPurpose } from "#contract/call-tables/accounts/kioubit-calls.ts";
import { type AccountServer, serveAccounts, type AccountServerOptions } from "./account-server.ts";
import { confirm, createKioubitService, respond, type ResponseParams } from "./kioubit-service.ts";
import type { TestDatabase } from "../../support/databases.ts";

export const service = createKioubitService();
export const asn = "4242420001";

export function serveWithKioubit(at: TestDatabase, options: AccountServerOptions = {}) {
  return serveAccounts(at, { kioubit: service.profile, ...options });
}

/** A browser that was sent to the service. */
export interface Visitor {
  readonly purpose: KioubitPurpose;
  /** The address at the service. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function start(
  server: AccountServer,
  purpose: KioubitPurpose,
  { entered, headers = {} }: { readonly entered?: string; readonly headers?: Visitor["headers"] } = {},
): Promise<Visitor> {
  const body = { purpose, ...(entered !== undefined && { asn: entered }) };
  const started = await server.post("/api/startKioubit", body, headers);
  const [cookie = ""] = started.headers.getSetCookie().map((set) => set.split(";")[0]);
  return { purpose, url: (started.body as { url: string }).url, headers: { ...headers, cookie } };
}

/** Comes back with a query, and follows no redirect. */
export function comeBack(
  server: AccountServer,
  { purpose, headers }: Visitor,
  query: URLSearchParams | string,
) {
  const address = `${server.url}/api/kioubit/${purpose}?${query.toString()}`;
  return fetch(address, { headers, redirect: "manual" });
}

/** Comes back with what the service confirms, and returns where the server sends the browser. */
export async function comeBackAs(
  server: AccountServer,
  visitor: Visitor,
  changes: Partial<ResponseParams> = {},
): Promise<string | null> {
  const params = { ...confirm(asn, visitor.url, server.clock()), ...changes };
  const response = await comeBack(server, visitor, respond(service, params));
  return response.headers.get("location");
}
