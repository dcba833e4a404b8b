import fc from "fast-check";
import { expect, test } from "vitest";
import { replyOf } from "../../fixtures/fake-bird.ts";
import type { BirdControl } from "./control-socket.ts";
import { parseProtocols } from "./parse-protocols.ts";
import { createBirdQueries } from "./queries.ts";

test("parses BGP protocols with state and reason", () => {
  const reply = replyOf(
    "2002-Name       Proto      Table      State  Since         Info",
    "1002-device1    Device     ---        up     23:13:45.479  ",
    " dn42_4242420001 BGP        ---        start  23:13:45.479  Idle          ",
    " dn42_4242420002_v4 BGP        ---        up     23:13:45.479  Established   ",
    " dn42_4242420003 BGP        ---        start  2026-11-20 23:13:45  Active        Socket: Connection closed",
    " dn42_4242420004 BGP        ---        start  23:13:45.479  Idle          BGP Error: Bad peer AS",
    " dn42_4242420005 BGP        ---        down   23:13:45.479  ",
    " dn42_4242420006 BGP        ---        start  16:25:37      Idle          Received: Unexpected message in Established state",
    " dn42_4242420007 BGP        ---        start  23:13:45.479  Passive       Socket: Connection closed",
    " dn42_4242420008 BGP        ---        down   23:13:45.479  Received: Unexpected message in Established state",
    "0000 ",
  );
  expect(parseProtocols(reply).map(({ session }) => session)).toEqual([
    { name: "dn42_4242420001", state: "Idle", detail: "" },
    { name: "dn42_4242420002_v4", state: "Established", detail: "" },
    { name: "dn42_4242420003", state: "Active", detail: "Socket: Connection closed" },
    { name: "dn42_4242420004", state: "Idle", detail: "BGP Error: Bad peer AS" },
    { name: "dn42_4242420005", state: "Down", detail: "" },
    { name: "dn42_4242420006", state: "Idle", detail: "Received: Unexpected message in Established state" },
    { name: "dn42_4242420007", state: "Passive", detail: "Socket: Connection closed" },
    null,
  ]);
});

/** With the protocol state beside them. BIRD 3 prints `Flush`, BIRD 2 nothing while a protocol is flushed. */
const protocolStates: Readonly<Record<string, string>> = { Established: "up", Flush: "flush", Down: "down" };
const states = [
  "Idle",
  "Connect",
  "Active",
  "OpenSent",
  "OpenConfirm",
  "Established",
  "Close",
  "Passive",
  "Flush",
];
const stateWords = [...states, "Down", "state", "Error:", "BGP Error:", "Received:", "in", " "];
const errorClasses = ["Error: ", "Socket: ", "Received: ", "BGP Error: ", "Automatic shutdown: "];

/** The formats of BIRD's documentation ("timeformat"): ISO 8601, or strftime, which allows any text. */
const times = fc.oneof(
  fc.constantFrom(
    "23:13:45",
    "23:13:45.479",
    "23:13:45.479123",
    "2026-11-20",
    "2026-11-20 23:13:45",
    "2026-11-20 23:13:45.479123",
    "Fri 20 Nov 2026 11:13:45 PM",
    "1795216425",
  ),
  fc.array(fc.constantFrom(...stateWords, "%", "23:13:45"), { maxLength: 4 }).map((words) => words.join(" ")),
);
const errors = fc.oneof(
  fc.constantFrom("", "Received: Unexpected message in Established state", "Socket: Connection closed"),
  fc
    .tuple(
      fc.constantFrom(...errorClasses),
      fc.array(fc.constantFrom(...stateWords, "message"), { minLength: 1 }),
    )
    .map(([start, words]) => (start + words.join(" ")).trim()),
);

const name = "dn42_4242420001";

/** A BIRD with one protocol, printed as in `bgp_get_status` and `bgp_show_proto_info` of BIRD's proto/bgp/bgp.c. */
function birdWith(state: string, error: string, time: string): BirdControl {
  const isDown = state === "Down";
  const protocolState = protocolStates[state] ?? "start";
  const info = isDown ? error : state.padEnd(14) + error;
  const line = [
    name.padEnd(10),
    "BGP".padEnd(10),
    "---".padEnd(10),
    protocolState.padEnd(6),
    time.padEnd(12),
  ].join(" ");
  const summary = [
    "2002-Name       Proto      Table      State  Since         Info",
    `1002-${line}  ${info}`,
  ];
  const details = [
    "1006-  Message:        Established",
    `   BGP state:          ${state}`,
    ...(error === "" ? [] : [`     Last error:       ${error}`]),
  ];
  return async (command) => replyOf(...summary, ...(command === "show protocols" ? [] : details), "0000 ");
}

test("state and error are read as BIRD wrote them, whatever words the time and the error contain", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...states, "Down"), errors, times, async (state, error, time) => {
      const { observe } = createBirdQueries(birdWith(state, error, time), "4242422227");
      expect(await observe(() => new Set([name]))).toEqual([{ name, state, detail: error }]);
    }),
    { numRuns: 5000 },
  );
});

test("a usual summary is one command, whatever state words its errors contain", async () => {
  const bird = birdWith("Idle", "Received: Unexpected message in Established state", "2026-11-20 23:13:45");
  const commands: string[] = [];
  const { observe } = createBirdQueries((command) => {
    commands.push(command);
    return bird(command);
  }, "4242422227");
  await observe(() => new Set([name]));
  expect(commands).toEqual(["show protocols"]);
});
