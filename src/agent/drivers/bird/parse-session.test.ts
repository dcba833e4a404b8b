/** What no recording shows. `tests/tools/record-bird/parsers.test.ts` parses those of all versions. */
import { expect, test } from "vitest";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { parseSessions } from "./parse-session.ts";

const heading = "1002-short      BGP        ---        up     23:13:45.479  Established   ";
const state = "1006-  BGP state:          Established";
const up = "     State:          UP";

test("reads every number of routes; one that BIRD omits is 0, and without the line they are unknown", () => {
  const counts = "     Routes:         7 imported, 41 exported, 9 preferred";
  const updates = "       Import updates:             37         18         18          0          1";
  const lines = [heading, state, "   Channel ipv4", up, "   Channel ipv6", up, counts, updates, "0000 "];
  const unknown = { accepted: null, filtered: null, exported: null, malformedUpdates: null, limits: [] };
  expect(parseSessions(replyOf(...lines))).toEqual([
    {
      name: "short",
      state: "Established",
      detail: "",
      neighbour: null,
      routes: [
        { family: "IPv4", ...unknown },
        { family: "IPv6", accepted: 7, filtered: 0, exported: 41, malformedUpdates: 18, limits: [] },
      ],
    },
  ]);
});

test("other channels, other protocols, protocols without a state, and errors are left out", () => {
  const reply = replyOf(heading, state, "   Channel ipv4-mc", up, "0000 ");
  expect(parseSessions(reply)).toMatchObject([{ name: "short", routes: [] }]);
  expect(parseSessions(replyOf(heading.replace("BGP", "RIP"), state, "0000 "))).toEqual([]);
  expect(parseSessions(replyOf(heading, "0000 "))).toEqual([]);
  expect(parseSessions(replyOf("9001 syntax error, unexpected CF_SYM_UNDEFINED"))).toEqual([]);
});
