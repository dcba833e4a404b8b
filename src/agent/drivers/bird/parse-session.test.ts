import fc from "fast-check";
import { expect, test } from "vitest";
import { replyOf } from "../../fixtures/fake-bird.ts";
import type { BirdControl } from "./control-socket.ts";
import { parseSessions } from "./parse-session.ts";
import { createBirdQueries } from "./queries.ts";

const established = [
  "2002-Name       Proto      Table      State  Since         Info",
  "1002-dn42_4242420001 BGP        ---        up     23:13:45.479  Established   ",
  "1006-  BGP state:          Established",
  "     Neighbor address: fe80::1%dn42_4242420001",
  "     Local capabilities",
  "       Multiprotocol",
  "         AF announced: ipv4 ipv6",
  "       Extended next hop",
  "         IPv6 nexthop: ipv4",
  "     Neighbor capabilities",
  "       Multiprotocol",
  "         AF announced: ipv4 ipv6",
  "       Route refresh",
  "       Extended next hop",
  "         IPv6 nexthop: ipv4",
  "       4-octet AS numbers",
  "     Session:          external AS4",
  "   Channel ipv4",
  "     State:          UP",
  "     Routes:         2 imported, 3 filtered, 40 exported, 2 preferred",
  "     Route change stats:     received   rejected   filtered    ignored   accepted",
  "       Import updates:              6          1          3          0          2",
  "   Channel ipv6",
  "     State:          UP",
  "     Routes:         7 imported, 41 exported, 7 preferred",
  "       Import updates:              7          0          0          0          7",
  " ",
  "0000 ",
];

test("parses the neighbour's capabilities and the routes of each channel", () => {
  expect(parseSessions(replyOf(...established))).toEqual([
    {
      name: "dn42_4242420001",
      state: "Established",
      detail: "",
      neighbour: { families: ["IPv4", "IPv6"], extendedNextHop: true },
      routes: [
        { family: "IPv4", accepted: 2, filtered: 3, exported: 40, malformedUpdates: 1, limits: [] },
        { family: "IPv6", accepted: 7, filtered: 0, exported: 41, malformedUpdates: 0, limits: [] },
      ],
    },
  ]);
});

test("a neighbour with one address family", () => {
  const ipv6Only = established.toSpliced(11, 1, "         AF announced: ipv6").toSpliced(14, 1);
  expect(parseSessions(replyOf(...ipv6Only))[0]?.neighbour).toEqual({
    families: ["IPv6"],
    extendedNextHop: false,
  });
});

test("each protocol has its own lines, and protocols other than BGP are skipped", () => {
  const reply = replyOf(
    "2002-Name       Proto      Table      State  Since         Info",
    "1002-device1    Device     ---        up     23:13:45.479  ",
    "1002-short      BGP        ---        down   23:13:45.479  ",
    "1006-  BGP state:          Down",
    "   Channel ipv4",
    "     State:          DOWN",
    // BIRD prints the limits of a channel that is down, too.
    "     Receive limit:  6000 [HIT]",
    "   Channel ipv4-mc",
    "     State:          UP",
    ...established.slice(1),
  );
  expect(parseSessions(reply).map(({ name: protocol, routes }) => [protocol, routes])).toEqual([
    ["short", [{ family: "IPv4", accepted: 0, filtered: 0, exported: 0, malformedUpdates: 0, limits: [] }]],
    ["dn42_4242420001", expect.objectContaining({ length: 2 })],
  ]);
});

test("does not take the node's own capabilities for the neighbour's", () => {
  const bare = established.filter((_, index) => ![11, 13, 14].includes(index));
  expect(parseSessions(replyOf(...bare))[0]?.neighbour).toEqual({
    families: ["IPv4"],
    extendedNextHop: false,
  });
});

test("a neighbour that did not reply has no capabilities", () => {
  const reply = replyOf(
    "1002-dn42_4242420001 BGP        ---        start  23:13:45.479  Active        Socket: Connection refused",
    "1006-  BGP state:          Active",
    "     Last error:       Socket: Connection refused",
    "   Channel ipv4",
    "     State:          DOWN",
    "0000 ",
  );
  expect(parseSessions(reply)).toEqual([
    {
      name: "dn42_4242420001",
      state: "Active",
      detail: "Socket: Connection refused",
      neighbour: null,
      routes: [{ family: "IPv4", accepted: 0, filtered: 0, exported: 0, malformedUpdates: 0, limits: [] }],
    },
  ]);
});

/** Output of BIRD 2.0.12 for channels that accept 4000 routes and keep 6000. */
function channelAfter(limits: readonly string[], counts: readonly string[]) {
  const reply = replyOf(
    "1002-dn42_4242420001 BGP        ---        up     00:50:47.580  Established   ",
    "1006-  BGP state:          Established",
    "   Channel ipv4",
    "     State:          UP",
    ...limits.flatMap((limit) => [`     ${limit}`, "       Action:       block"]),
    ...counts.map((line) => `     ${line}`),
    "0000 ",
  );
  return parseSessions(reply)[0]?.routes;
}
const receiveHit = { family: "IPv4", kind: "receive", routes: 6000 };
const importHit = { family: "IPv4", kind: "import", routes: 4000 };

test.each([
  [
    "marked by BIRD",
    ["Receive limit:  6000 [HIT]", "Import limit:   4000"],
    "0 imported, 6000 filtered",
    [receiveHit],
  ],
  [
    "after `configure`, without the mark",
    ["Receive limit:  6000"],
    "0 imported, 6000 filtered",
    [receiveHit],
  ],
  [
    "import limit",
    ["Receive limit:  6000", "Import limit:   4000"],
    "4000 imported, 1999 filtered",
    [importHit],
  ],
  [
    "both",
    ["Receive limit:  6000", "Import limit:   4000"],
    "4000 imported, 2000 filtered",
    [importHit, receiveHit],
  ],
  ["fewer routes", ["Receive limit:  6000", "Import limit:   4000"], "3999 imported, 2000 filtered", []],
  [
    "fewer routes, marked by BIRD 3",
    ["Import state:   UP", "Receive limit:  6000", "Import limit:   4000 [HIT]"],
    "1 imported",
    [],
  ],
  ["fewer routes, marked", ["Receive limit:  6000", "Import limit:   4000 [HIT]"], "1 imported", [importHit]],
])("limits: %s", (_, limits, routes, hit) => {
  expect(channelAfter(limits, [`Routes:         ${routes}, 1 exported`])?.[0]?.limits).toEqual(hit);
});

test("counts routes in the table, and updates that BIRD dropped", () => {
  const channel = channelAfter(
    ["Receive limit:  6000", "Import limit:   4000"],
    [
      "Routes:         1 imported, 3 filtered, 1 exported, 1 preferred",
      "Route change stats:     received   rejected   filtered    ignored   accepted",
      "  Import updates:             37         18         18          0          1",
    ],
  );
  expect(channel).toEqual([
    { family: "IPv4", accepted: 1, filtered: 3, exported: 1, malformedUpdates: 18, limits: [] },
  ]);
});

test("what BIRD does not say about a channel that is up is unknown", () => {
  expect(channelAfter([], [])).toEqual([
    { family: "IPv4", accepted: null, filtered: null, exported: null, malformedUpdates: null, limits: [] },
  ]);
});

test("returns nothing for an unknown protocol", () => {
  expect(parseSessions(replyOf("9001 syntax error, unexpected CF_SYM_UNDEFINED"))).toEqual([]);
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
  return async () => replyOf(...summary, ...details, "0000 ");
}

test("state and error are read as BIRD wrote them, whatever words the time and the error contain", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...states, "Down"), errors, times, async (state, error, time) => {
      const { observe } = createBirdQueries(birdWith(state, error, time), "4242422227");
      expect(await observe(() => new Set([name]))).toMatchObject([{ name, state, detail: error }]);
    }),
    { numRuns: 5000 },
  );
});
