/**
 * A session that a participant ends with an error whose text contains the name of a state: no part of the product may
 * show it as Established.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { metricsPort } from "../../src/lab/config-files.ts";
import { type RunningLab, startLab } from "../../src/lab/lab.ts";
import { launchBrowser } from "../e2e/browser.ts";
import { visit } from "../e2e/visit.ts";
import { type RemoteSpeaker, startRemoteSpeaker } from "../support/bgp-speaker-client.ts";
import { eventually } from "./eventually.ts";
import { createPeering, findHost, type LoggedInParticipant, logInToLab } from "./peering.ts";

const node = "syd01";
const error = "Received: Unexpected message in Established state";
/** Finite state machine error, in Established (RFC 6608). */
const notification = { code: 5, subcode: 3, data: "" };

let lab: RunningLab;
let browser: Browser;
let participant: LoggedInParticipant;

beforeAll(async () => {
  [lab, browser] = await Promise.all([startLab({ port: 0, onMail: () => {} }), launchBrowser("shell")]);
  participant = await logInToLab(lab, "4242420001");
  await createPeering(lab, participant, node);
});
afterAll(async () => {
  await browser.close();
  await lab[Symbol.asyncDispose]();
});

async function readStatus() {
  const { username, call } = participant;
  const [status] = await call(calls.getPeerStatus, { username });
  return status;
}

/** Replaces the participant's BGP daemon by a speaker that follows no protocol. */
async function startSpeaker(): Promise<RemoteSpeaker> {
  const { host } = participant.participant;
  const { username } = participant;
  await host.run("birdc", "down");
  const speaker = startRemoteSpeaker(host, {
    address: "::",
    open: {
      asn: Number(username),
      holdTimeSeconds: 90,
      routerId: "172.20.1.1",
      capabilities: [
        { kind: "four-octet-as", asn: Number(username) },
        { kind: "multiprotocol", family: "IPv4" },
        { kind: "multiprotocol", family: "IPv6" },
      ],
    },
  });
  onTestFinished(() => speaker[Symbol.asyncDispose]());
  return speaker;
}

async function openPage(path: string) {
  const visitor = await visit(browser, lab.url, { viewport: { width: 1280, height: 900 } });
  onTestFinished(() => visitor[Symbol.asyncDispose]());
  const { page } = visitor;
  await page.goto("/login");
  await page.getByLabel("ASN").fill(participant.username);
  await page.getByLabel("Password").fill(participant.participant.plan.password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  await page.goto(path);
  // The speaker announces no routes, which the dashboard says instead.
  await page
    .getByText("Established ✅")
    .or(page.getByText("Your router announces no routes"))
    .first()
    .waitFor();
  return page;
}

const readMetrics = () =>
  findHost(lab, node).run(
    process.execPath,
    "-e",
    `fetch("http://127.0.0.1:${metricsPort}/metrics").then((r) => r.text()).then(console.log)`,
  );

test("dashboard, peer overview, status and metrics show it as Idle, with the whole error, within 10 s", async () => {
  await eventually(readStatus, (status) => status?.bgp_status === "OK");
  const speaker = await startSpeaker();
  const established = async () => {
    const { events } = await speaker.status();
    return events.includes("established") && !events.includes("closed");
  };
  await speaker.listen();
  await eventually(established, Boolean);
  await eventually(readStatus, (status) => status?.bgp_status === "OK");
  const [dashboard, overview] = [await openPage("/manager"), await openPage(`/manager?node=${node}`)];

  // After each error the node waits in Idle, longer each time, up to 10 s. So a slow machine has more than one chance.
  const ended = new AbortController();
  const repeating = (async () => {
    while (!ended.signal.aborted) {
      if (await established()) {
        await speaker.notify(notification);
        await speaker.waitFor("closed");
      }
      await pause(50);
    }
  })();

  try {
    const status = await eventually(readStatus, (now) => now?.sessions[0]?.state === "Idle");
    expect(status).toMatchObject({
      bgp_status: "Down",
      sessions: [{ state: "Idle", detail: error }],
      findings: [{ code: "session-not-established", facts: { state: "Idle", output: error } }],
    });
    await eventually(readMetrics, (text) =>
      text.includes('bgp_sessions_by_state{node="syd01",state="Idle"} 1\n'),
    );
    // Between two errors the session is established for a moment, and a screen may have read just then.
    const patiently = { timeout: 60_000 };
    await dashboard.getByRole("listitem").getByText("The session is Idle").waitFor(patiently);
    await overview.getByText(error).first().waitFor(patiently);
    await expect.poll(() => overview.getByText("Idle").count()).toBeGreaterThan(0);
  } finally {
    ended.abort();
    await repeating;
  }
});
