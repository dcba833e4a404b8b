/** Participants with peerings and open pages, and others who only log in. */
import { createECDH, createHash, randomBytes } from "node:crypto";
import { calls } from "#contract/calls.ts";
import type { Call } from "#contract/call.ts";
import type { Task } from "#contract/entities.ts";
import { storePasswordHash } from "#server/features/accounts/accounts.ts";
import { deriveArgon2id, hashPassword } from "#server/features/accounts/password-hash.ts";
import { peerUpdate } from "#tests/integration/server/participant.ts";
import type { HttpResponse, Sender } from "./client.ts";
import type { Installation } from "./installation.ts";
import { openPageStream, type PageStream } from "./streams.ts";

export interface Participant {
  readonly asn: string;
  readonly sender: Sender;
  readonly key: string;
  readonly streams: PageStream[];
  /** The path of its browser at the push service. */
  readonly browser: string;
}

/** A peering of a participant, which is changed again and again. */
export interface Place {
  readonly participant: Participant;
  readonly node: string;
}

export interface Population {
  readonly participants: readonly Participant[];
  readonly places: readonly Place[];
  /** Accounts without anything else: each login may end an earlier login session of its AS. */
  readonly accounts: readonly Account[];
  /** Called at the end of a task that an event reported. */
  readonly onTaskEnd: Set<(task: Task) => void>;
}

export interface Account {
  readonly asn: string;
  readonly sender: Sender;
}

export interface PopulationSize {
  readonly participants: number;
  readonly peeringsEach: number;
  readonly streamsEach: number;
}

const password = "a sentence for the benchmark";
const firstAsn = 4_242_421_000;
const firstAccountAsn = 4_242_425_000;
const accountCount = 40;

/** An unusual response of the server. */
export class ResponseError extends Error {
  override readonly name = "ResponseError";
  readonly status: number;

  constructor(path: string, { status, text }: HttpResponse) {
    super(`${path} responded with ${status}: ${text.slice(0, 200)}`);
    this.status = status;
  }
}

/** Sends a call and returns the parsed response. Rejects with `ResponseError` unless its status is 200. */
export async function sendCall(
  installation: Installation,
  call: Call,
  sender: Sender,
  body?: unknown,
): Promise<unknown> {
  const response = await installation.client().send(call.path, sender, body);
  if (response.status !== 200) throw new ResponseError(call.path, response);
  return JSON.parse(response.text) as unknown;
}

/** Logs in from a browser that the server does not know, and returns its cookies. */
export async function logIn(installation: Installation, { asn, sender }: Account): Promise<string> {
  const { address } = sender;
  const { path } = calls.login;
  const response = await installation.client().send(path, { address }, { username: asn, password });
  if (response.status !== 200) throw new ResponseError(path, response);
  return (response.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
}

/** Changes the endpoint's port of a peering, or creates it. */
export function submitPort(
  installation: Installation,
  { participant: { asn, sender, key }, node }: Place,
  port: number,
): Promise<Task> {
  const update = peerUpdate({
    node,
    remote_port: String(port),
    public_key: key,
    peer_ipv6: `fe80::1:${asn.slice(-4)}`,
  });
  return sendCall(installation, calls.updatePeerConfig, sender, [{ username: asn }, update]) as Promise<Task>;
}

/** Rate limits are for a minute and more, and each phase has its own. */
export async function resetRateLimits({ database }: Installation): Promise<void> {
  await database.db.deleteFrom("rate_limits").execute();
}

function asnsFrom(first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(first + index));
}

/** Creates the accounts in the database, logs in, and subscribes a browser of each to push messages. */
export async function populate(installation: Installation, size: PopulationSize): Promise<Population> {
  const hash = await hashPassword(deriveArgon2id, password);
  const asns = asnsFrom(firstAsn, size.participants);
  const accounts = asnsFrom(firstAccountAsn, accountCount).map((asn) => ({ asn, sender: senderOf(asn) }));
  const { db } = installation.database;
  for (const asn of [...asns, ...accounts.map((account) => account.asn)])
    await storePasswordHash(db, { asn, holder: "" }, hash, Date.now());
  const participants: Participant[] = [];
  for (const asn of asns) participants.push(await join(installation, asn));
  const { nodes } = installation;
  const places = participants.flatMap((participant, index) =>
    Array.from({ length: size.peeringsEach }, (_, offset) => {
      return { participant, node: nodes[(index + offset) % nodes.length] ?? "" };
    }),
  );
  return { participants, places, accounts, onTaskEnd: new Set() };
}

/** Opens the pages of all participants. */
export async function openPages(
  installation: Installation,
  { participants, onTaskEnd }: Population,
  streamsEach: number,
): Promise<void> {
  for (const { asn, sender, streams } of participants) {
    const options = {
      asn,
      sender,
      onTaskEnd: (task: Task) => onTaskEnd.forEach((listener) => listener(task)),
    };
    for (let count = 0; count < streamsEach; count += 1)
      streams.push(await openPageStream(() => installation.client(), options));
  }
}

/** Closes them all, and forgets what they have received. */
export async function closePages({ participants }: Population): Promise<void> {
  for (const { streams } of participants) await Promise.all(streams.splice(0).map(({ close }) => close()));
}

async function join(installation: Installation, asn: string): Promise<Participant> {
  const { address } = senderOf(asn);
  const sender = { address, cookie: await logIn(installation, { asn, sender: { address } }) };
  const browser = `/${asn}`;
  const subscription = {
    endpoint: `https://${installation.pushService.host}${browser}`,
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  };
  const body = { username: asn, ...subscription, alerts: false };
  await sendCall(installation, calls.savePushSubscription, sender, body);
  return { asn, sender, key: keyOf(asn), streams: [], browser };
}

function senderOf(asn: string): Sender {
  const number = Number(asn);
  return { address: `198.18.${(number >> 8) & 255}.${number & 255}` };
}

function keyOf(asn: string): string {
  const key = createHash("sha256").update(asn).digest();
  // Without the form of a private key.
  key.writeUInt8(key.readUInt8(31) | 0x80, 31);
  return key.toString("base64");
}
