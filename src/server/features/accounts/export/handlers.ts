import type { AccountExport } from "#contract/call-tables/accounts/account-calls.ts";
import type { Handlers, LoggedInContext } from "#server/api/handlers.ts";
import { readEvents } from "#server/audit/read-events.ts";
import { recordEvent, toIdTime } from "#server/audit/record-event.ts";
import type { AppContext } from "#server/context.ts";
import type { Db } from "#server/db/open.ts";
import { contactSubject } from "#server/mail/contact-subject.ts";
import { presentTask } from "../../peerings/deployment/task-store.ts";
import { findDesiredOfAs } from "../../peerings/desired-peerings.ts";
import { findHalfHours } from "../../peerings/observed/half-hours.ts";
import { findSessionStates } from "../../peerings/observed/sessions.ts";
import { findTraffic } from "../../peerings/observed/traffic.ts";
import { readAccount } from "../deletion/read-account.ts";
import { listApiTokens } from "../tokens/token-store.ts";
import { listLoginSessions } from "../login-sessions/list-login-sessions.ts";
import { findPasskeys, presentPasskey } from "../passkeys/passkey-rows.ts";

export type ExportContext = Pick<
  AppContext,
  "db" | "profile" | "registry" | "mailOutbox" | "rateLimits" | "clock"
>;

export function exportHandlers(context: ExportContext): Pick<Handlers, "exportAccount"> {
  return {
    exportAccount: async (_requestBody, request) => {
      await context.rateLimits.exportPerAs.take(request.asn);
      return exportAccount(context, request);
    },
  };
}

async function exportAccount(
  context: ExportContext,
  { asn, origin }: Pick<LoggedInContext, "asn" | "origin">,
): Promise<AccountExport> {
  const { db, profile, mailOutbox, clock } = context;
  const account = await readAccount(context, asn);
  const now = clock();
  await db.transaction().execute((tx) => recordEvent(tx, { kind: "account-exported", asn }, origin, now));
  const contactMail = { to: profile.supportAddress, subject: contactSubject(asn, profile.name) };
  const messages = await mailOutbox.findMails(contactMail, account.created);
  return {
    username: asn,
    exported: now,
    account,
    login_sessions: await listLoginSessions(db, asn, origin.loginSession, now),
    passkeys: (await findPasskeys(db, asn)).map((row) => presentPasskey(row, origin.publicUrl)),
    api_tokens: await listApiTokens(db, asn, now),
    peerings: await listPeerings(db, asn),
    tasks: await listTasks(db, asn, account.created),
    push_subscriptions: await listPushSubscriptions(db, asn),
    traffic: await listTraffic(db, asn),
    half_hours: await listHalfHours(db, asn),
    sessions: await listSessions(db, asn),
    contact_messages: [...messages],
    activity: await listActivity(db, asn, account.created),
  };
}

async function listPeerings(db: Db, asn: string): Promise<AccountExport["peerings"]> {
  const peerings = await findDesiredOfAs(db, asn);
  return peerings.map(
    ({ node, request, peering: { presharedKey: _key, ...peering }, generation, present }) => ({
      node,
      request: { ...request },
      peering: { ...peering },
      generation,
      deleting: !present,
    }),
  );
}

/** Tasks from before `since` belong to an earlier account of the AS. */
async function listTasks(db: Db, asn: string, since: number): Promise<AccountExport["tasks"]> {
  const tasks = await db
    .selectFrom("tasks")
    .selectAll()
    .where("asn", "=", asn)
    .where("created_at", ">=", since)
    .orderBy("created_at")
    .execute();
  return tasks.map((task) =>
    Object.assign(presentTask(task), {
      created: task.created_at,
      ended: task.ended_at,
      request: task.request === null ? null : (JSON.parse(task.request) as Record<string, unknown>),
    }),
  );
}

/** Without address and keys: with these, others could send messages to the browser. */
async function listPushSubscriptions(db: Db, asn: string): Promise<AccountExport["push_subscriptions"]> {
  const subscriptions = await db
    .selectFrom("push_subscriptions")
    .select(["endpoint", "alerts", "created_at"])
    .where("asn", "=", asn)
    .orderBy("created_at")
    .execute();
  return subscriptions.map(({ endpoint, alerts, created_at: created }) => ({
    push_service: new URL(endpoint).host,
    alerts: alerts === 1,
    created,
  }));
}

async function listTraffic(db: Db, asn: string): Promise<AccountExport["traffic"]> {
  const traffic = await findTraffic(db, asn, 0);
  return Array.from(traffic, ([node, own]) =>
    own.map((counters) => Object.assign({ node }, counters)),
  ).flat();
}

async function listHalfHours(db: Db, asn: string): Promise<AccountExport["half_hours"]> {
  const halfHours = await findHalfHours(db, asn);
  return Array.from(halfHours, ([node, own]) =>
    own.map(([from, up, down, latency, accepted, refused, bytes]) => ({
      node,
      from,
      up,
      down,
      latency,
      accepted,
      refused,
      bytes,
    })),
  ).flat();
}

async function listSessions(db: Db, asn: string): Promise<AccountExport["sessions"]> {
  const states = await findSessionStates(db, asn);
  return Array.from(states, ([node, own]) =>
    own.map(({ families, up, since, changes }) => ({
      node,
      families: [...families],
      up,
      since,
      changes: changes.map(([at, isUp]) => ({ at, up: isUp })),
    })),
  ).flat();
}

const maxEvents = 5_000;

/** The newest events of the account, the oldest first. */
async function listActivity(db: Db, asn: string, since: number): Promise<AccountExport["activity"]> {
  const events = await readEvents(db, { asn, from: toIdTime(since), limit: maxEvents });
  return events
    .toReversed()
    .map(({ at, kind, node, task, before, after, detail, login_session, api_token, prefix }) => ({
      at,
      kind,
      node,
      task,
      before: before === null ? null : (JSON.parse(before) as unknown),
      after: after === null ? null : (JSON.parse(after) as unknown),
      detail,
      login_session,
      api_token,
      network: prefix,
    }));
}
