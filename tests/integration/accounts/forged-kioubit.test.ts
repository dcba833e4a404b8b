/** Forged and stale returns from Kioubit's authentication service: all are refused, and nothing changes. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { describeWithDatabase } from "../../support/databases.ts";
import { register } from "./account-server.ts";
import { confirm, respond, type ResponseParams, signText } from "./kioubit-service.ts";
import { asn, comeBack, comeBackAs, serveWithKioubit, service, start } from "./kioubit-scene.ts";

const innerHost = "peering.example.dn42";
const encode = (params: unknown) => Buffer.from(JSON.stringify(params)).toString("base64");
const strangersKey = generateKeyPairSync("ec", { namedCurve: "P-521" }).privateKey;
const otherCurve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

type Forge = (params: ResponseParams) => URLSearchParams | string;

const withParams = (changes: object): Forge => {
  return (params) => respond(service, { ...params, ...changes });
};
const without = (field: keyof ResponseParams): Forge => {
  return (params) => respond(service, { ...params, [field]: undefined });
};
const withSignature = (createSignature: (params: string) => string): Forge => {
  return (params) =>
    new URLSearchParams({ params: encode(params), signature: createSignature(encode(params)) });
};

const { privateKey } = service;
const unverified: ReadonlyArray<readonly [string, Forge]> = [
  ["another key", (params) => respond({ privateKey: strangersKey }, params)],
  ["a key on another curve", (params) => respond({ privateKey: otherCurve }, params)],
  [
    "other params than the signed ones",
    (params) => signText(privateKey, encode({ ...params, asn: "4242420002" }), encode(params)),
  ],
  ["a signature over the JSON", (params) => signText(privateKey, encode(params), JSON.stringify(params))],
  [
    "another hash",
    withSignature((params) => sign("sha256", Buffer.from(params), privateKey).toString("base64")),
  ],
  [
    "a hash instead of a signature",
    withSignature((params) => createHash("sha512").update(params).digest("base64")),
  ],
  [
    "a signature of another encoding",
    withSignature((params) =>
      sign("sha512", Buffer.from(params), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64"),
    ),
  ],
  ["a signature that is no base64", withSignature(() => "%00🙂")],
  ["an empty signature", withSignature(() => "")],
  ["a signature of zeros", withSignature(() => Buffer.alloc(139).toString("base64"))],
  ["no signature", (params) => `params=${encodeURIComponent(encode(params))}`],
  [
    "no params",
    (params) => `signature=${encodeURIComponent(respond(service, params).get("signature") ?? "")}`,
  ],
  ["no query", () => ""],
  ["a broken query", () => "params=%E0%A4%A&signature=%"],
  ["params that are no JSON", () => signText(privateKey, Buffer.from("asn=4242420001").toString("base64"))],
  ["params that are no object", () => respond(service, [asn])],
  ["params that are null", () => respond(service, null)],
  ["10 kB of params", withParams({ mnt: ["A".repeat(7_500)] })],
  ["no AS number", without("asn")],
  ["a number as AS number", withParams({ asn: Number(asn) })],
  ["a list as AS number", withParams({ asn: [asn] })],
  ["an AS number with a prefix", withParams({ asn: `AS${asn}` })],
  ["an AS number with a blank", withParams({ asn: ` ${asn}` })],
  ["the AS number 0", withParams({ asn: "0" })],
  ["an AS number beyond 32 bits", withParams({ asn: "4294967296" })],
  ["no time", without("time")],
  ["a text as time", (params) => respond(service, { ...params, time: String(params.time) })],
  ["no domain", without("domain")],
  ["no state", without("user_token")],
  ["a number as state", withParams({ user_token: 1 })],
];
const refused: ReadonlyArray<readonly [string, Forge, string]> = [
  ["another domain", withParams({ domain: "peering.example.org" }), "other-host"],
  ["the domain of another public URL", withParams({ domain: innerHost }), "other-host"],
  ["a URL as domain", withParams({ domain: "http://peering.example.net" }), "other-host"],
  ["a domain below ours", withParams({ domain: "evil.peering.example.net" }), "other-host"],
  ["a time 61 s ago", (params) => respond(service, { ...params, time: params.time - 61 }), "late"],
  ["a time 11 s ahead", (params) => respond(service, { ...params, time: params.time + 11 }), "late"],
  ["a time in milliseconds", (params) => respond(service, { ...params, time: params.time * 1000 }), "late"],
  ["a state that was never given", withParams({ user_token: "0".repeat(32) }), "unknown-request"],
  ["another AS than entered", withParams({ asn: "4242420002" }), "other-as"],
];

describeWithDatabase("forged returns", { postgres: "share" }, (openDatabase) => {
  test("each is refused with its code, changes nothing, and leaves the request usable", async () => {
    const urls = { publicUrl: "http://peering.example.net", otherPublicUrls: [`http://${innerHost}`] };
    await using server = await serveWithKioubit(await openDatabase(), urls);
    const { db } = server.database;
    const visitor = await start(server, "registration", { entered: asn });
    const rows = [...unverified.map(([what, forge]) => [what, forge, "unverified"] as const), ...refused];
    for (const [what, forge, code] of rows) {
      const query = forge(confirm(asn, visitor.url, server.clock()));
      const { status, headers } = await comeBack(server, visitor, query);
      const seen = [what, status, headers.get("location"), headers.getSetCookie()];
      expect(seen).toEqual([what, 303, `/register?kioubit=${code}`, []]);
    }
    for (const table of ["account_tokens", "accounts", "login_sessions", "audit_events"] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    expect(await comeBackAs(server, visitor)).toContain("/setPassword?token=");
  });

  test("a request of another browser, of another purpose, used or expired is unknown", async () => {
    await using server = await serveWithKioubit(await openDatabase());
    const visitor = await start(server, "login");
    const other = await start(server, "login");
    const unknown = "/login?kioubit=unknown-request";
    expect(await comeBackAs(server, { ...visitor, headers: {} })).toBe(unknown);
    expect(await comeBackAs(server, { ...visitor, headers: other.headers })).toBe(unknown);
    expect(await comeBackAs(server, { ...visitor, headers: { cookie: "peerdeck-challenge=x" } })).toBe(
      unknown,
    );
    expect(await comeBackAs(server, { ...visitor, purpose: "registration" })).toBe(
      "/register?kioubit=unknown-request",
    );
    const registration = await start(server, "registration");
    expect(await comeBackAs(server, { ...registration, purpose: "reset" })).toBe(
      "/forgotPassword?kioubit=unknown-request",
    );
    const first = await comeBackAs(server, registration);
    expect(first).toContain("/setPassword?token=");
    expect(await comeBackAs(server, registration)).toBe("/register?kioubit=unknown-request");
    server.pass(15 * 60_000);
    expect(await comeBackAs(server, visitor)).toBe(unknown);
  });

  test.each(["registration", "login"] as const)(
    "of several returns at once for a %s, and later ones, one is accepted",
    async (purpose) => {
      await using server = await serveWithKioubit(await openDatabase());
      if (purpose === "login") await register(server);
      const visitor = await start(server, purpose);
      const locations = await Promise.all(Array.from({ length: 8 }, () => comeBackAs(server, visitor)));
      locations.push(await comeBackAs(server, visitor));
      const refusals = locations.filter((location) => location?.endsWith("?kioubit=unknown-request"));
      expect([locations.length, refusals.length]).toEqual([9, 8]);
    },
  );
});
