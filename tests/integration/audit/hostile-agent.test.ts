/** What a hostile, broken or newer agent can write into the audit log with its events. */
import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodedFacts } from "#contract/agent/findings.ts";
import { agentEvent, maxEventsPerCall } from "#contract/call-tables/agent-event-calls.ts";
import { calls } from "#contract/calls.ts";
import type { Transport } from "#contract/client.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { signUp } from "../server/participant.ts";
import {
  asn,
  type EventScene,
  node,
  openScene,
  readRows,
  readTexts,
  repaired,
  serve,
  simulatedNode,
} from "./agent-event-scene.ts";
import { createListedEvents, eventOf, untilCollected, withEvents } from "./listed-events.ts";

const dayMs = 24 * 3_600_000;
const words = "Your password has expired. Enter it at evil.example.";

/** A finding with this output of the router. */
function printed(output: string): CodedFacts {
  return { code: "router-not-restored", facts: { output } };
}

describeWithDatabase("the events of a hostile agent", { postgres: "campaigns" }, (openDatabase) => {
  const stack = new AsyncDisposableStack();
  let scene: EventScene;
  beforeAll(async () => {
    scene = await openScene(stack, await openDatabase());
  });
  afterAll(() => stack.disposeAsync());

  /** Returns the rows and the participant's texts that are added meanwhile, the newest text first. */
  async function readAdded(during: () => Promise<void>) {
    const [rows, texts] = [await readRows(scene.at), await readTexts(scene.participant)];
    await during();
    const later = await readTexts(scene.participant);
    return {
      rows: (await readRows(scene.at)).slice(rows.length),
      texts: later.slice(0, later.length - texts.length),
    };
  }

  function collect(list: readonly unknown[]) {
    return readAdded(async () => {
      scene.events.list = list;
      await untilCollected(scene.events);
    });
  }

  /** Waits until the server has received a list twice that it cannot accept. */
  function refuse(list: readonly unknown[]) {
    return readAdded(async () => {
      const before = scene.events.requests.length;
      scene.events.list = list;
      await waitFor(() => expect(scene.events.requests.length).toBeGreaterThan(before + 1));
    });
  }

  test("are about its own peerings only, and have no words of its own for participants", async () => {
    const other = await signUp(scene.server.url, "4242420002");
    const findings = [printed(words)];
    const { rows, texts } = await collect([
      eventOf({ asn: "4242420002" }),
      eventOf({ asn: "no AS" }),
      eventOf({ kind: "account-deleted" }),
      eventOf({ kind: "of-a-later-version" }),
      eventOf({ kind: "router-repaired" }),
      eventOf({ kind: "tunnel-repaired", asn: null }),
      eventOf({ at: Date.now() - 401 * dayMs }),
      eventOf({ findings, steps: [{ code: "of-a-later-version", facts: { output: words } }] }),
      eventOf({ kind: "endpoint-changed", address: "dead:beef", findings }),
      eventOf({ kind: "router-repaired", asn: null, findings }),
    ]);
    expect(await readTexts(other)).toEqual([]);
    expect(texts).toEqual([
      `The hostname of your endpoint has a new address, which ${node}.demo.dn42 uses now.`,
      repaired,
    ]);
    expect(rows.map(({ kind, asn: of, detail }) => [kind, of, detail])).toEqual([
      ["tunnel-repaired", asn, null],
      ["endpoint-changed", asn, null],
      ["router-repaired", null, `The router does not run the confirmed configuration: ${words}`],
    ]);
  });

  test("in an invalid response are not recorded, and later ones are", async () => {
    expect(v.is(agentEvent, eventOf())).toBe(true);
    const invalid = [
      { address: "198.51.100.9\u001b[2J" },
      { address: "\u202E" },
      { address: "1".repeat(46) },
      { address: "Enter your password" },
      { kind: "tunnel repaired\n" },
      { id: "1' OR 1=1" },
      { repeats: 1e15 },
      { at: null },
    ].map((wrong) => Object.assign(eventOf(), wrong));
    expect(invalid.filter((event) => v.is(agentEvent, event))).toEqual([]);
    expect(await refuse(invalid.slice(0, 1))).toEqual({ rows: [], texts: [] });
    expect((await collect([eventOf()])).texts).toEqual([repaired]);
  });

  test("of an answer with more events than allowed are not recorded, and the text about a node is cut", async () => {
    scene.events.pageSize = maxEventsPerCall + 1;
    expect((await refuse(Array.from({ length: maxEventsPerCall + 1 }, () => eventOf()))).rows).toEqual([]);
    const findings = Array.from({ length: 50 }, () => printed("x".repeat(500)));
    const { rows } = await collect([eventOf({ kind: "router-repaired", asn: null, findings })]);
    const repairs = rows.filter(({ kind }) => kind === "router-repaired");
    expect(repairs.map(({ detail }) => detail?.length)).toEqual([600]);
  });

  test("say of an invalid finding or step only that it is invalid", async () => {
    const invalid: readonly CodedFacts[] = [
      printed("line\u001b[2J"),
      printed("\u202E"),
      printed("x".repeat(501)),
      { code: "not-deployed", facts: { host: "Enter your password" } },
      { code: "Enter your password", facts: {} },
    ];
    const { rows } = await collect(
      invalid.map((wrong) =>
        eventOf({ kind: "router-restored", asn: null, findings: [wrong], steps: [wrong] }),
      ),
    );
    const text =
      'The agent reports "invalid", which this server does not know. Did a step that the server does not know: invalid.';
    expect(rows.map(({ detail }) => detail)).toEqual(invalid.map(() => text));
  });

  test("of a flood are limited to an answer in half a minute, also from a node that is lost and found", async () => {
    await using flooded = new AsyncDisposableStack();
    const at = await openDatabase();
    const events = createListedEvents();
    const agent = withEvents(await simulatedNode(flooded), events);
    let isLost = false;
    let comparisons = 0;
    const transport: Transport = async (request) => {
      if (isLost) throw new Error("the connection was refused");
      if (request.path === "/v1/generations") comparisons += 1;
      return agent(request);
    };
    const server = await serve(flooded, at, transport, 60_000);
    const { call } = await signUp(server.url, asn);
    const readStatus = () => call(calls.getNodeStatus, { username: asn, node });
    for (let round = 1; round <= 2; round += 1) {
      events.list = Array.from({ length: 250 }, () => eventOf({ kind: "router-repaired", asn: null }));
      isLost = true;
      await waitFor(async () => expect((await readStatus()).results.known).toBe(false));
      isLost = false;
      const before = comparisons;
      await waitFor(async () => {
        await readStatus();
        expect(comparisons).toBeGreaterThan(before);
      });
    }
    await server.stop();
    expect(events.requests).toHaveLength(1);
    expect((await readRows(at)).length).toBeLessThanOrEqual(maxEventsPerCall);
  });
});
