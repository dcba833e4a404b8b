/** Accounts of a server, and clients that log in as one of them: its owner and strangers. */
import { expect } from "vitest";
import { createPasswordHasher } from "#server/features/accounts/passwords.ts";
import { deriveFast } from "../../support/fast-passwords.ts";
import { type AccountServer, goodPassword, type JsonResponse } from "./account-server.ts";

export const owner = "4242420001";
export const mailAddress = "ada@example.org";

export function accountRow(asn: string, hash: string) {
  return { asn, password_hash: hash, created_at: 0, verified_holder: "ADA-MNT", checked_at: 0 };
}

/** Creates accounts with the good password. */
export async function createAccounts(server: AccountServer, asns: readonly string[]): Promise<void> {
  const hash = await createPasswordHasher({ derive: deriveFast }).hash(goodPassword, ["test"]);
  const rows = asns.map((asn) => accountRow(asn, hash));
  await server.database.db.insertInto("accounts").values(rows).execute();
}

interface From {
  readonly address?: string;
  readonly cookie?: string;
}

export function send(server: AccountServer, path: string, body: unknown, { address, cookie }: From) {
  return server.post(path, body, {
    ...(address !== undefined && { "x-forwarded-for": address }),
    ...(cookie !== undefined && { cookie }),
  });
}

export const logIn = (server: AccountServer, asn: string, password: string, from: From = {}) =>
  send(server, "/api/login/", { username: asn, password }, from);

export const requestReset = (server: AccountServer, from: From = {}) =>
  send(server, "/api/sendEmailVerification", { asn: owner, password_reset: "Yes" }, from);

/** Returns the cookies of a response by name, as `name=value`. */
export function readCookie({ headers }: JsonResponse, name: string): string {
  const pairs = headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  return pairs.find((pair) => pair.startsWith(`${name}=`)) ?? "";
}

/** Logs in from an address that is not used again, and returns the cookie of a known client. */
export async function becomeKnown(server: AccountServer, asn = owner): Promise<string> {
  const response = await logIn(server, asn, goodPassword, { address: "192.0.2.200" });
  expect(response.status).toBe(200);
  return readCookie(response, "peerdeck-known");
}

export const stranger = (index: number) => `198.51.100.${index}`;

/** Tries one password more than an AS allows, from as many addresses. */
export async function guess(server: AccountServer, from: From = {}): Promise<void> {
  for (let count = 0; count < 11; count += 1)
    await logIn(server, owner, "a guess", { address: stranger(count), ...from });
}
