import { expect, test } from "vitest";
import { sessionsOf } from "../../../domain/peering/bgp-sessions.ts";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { dualStackOf, peeringOf } from "../../fixtures/peerings.ts";
import {
  type BirdCallOptions,
  type BirdControl,
  type BirdReply,
  BirdUnavailableError,
} from "./control-socket.ts";
import { createBirdQueries } from "./queries.ts";

const show = "show route all filtered protocol";

/** A fake BIRD whose IPv4 channel rejects that many routes, and whose other channels reject none. */
function birdRejecting(total: number) {
  const commands: string[] = [];
  const limits: Array<number | undefined> = [];
  const sendCommand = async (command: string, options: BirdCallOptions = {}): Promise<BirdReply> => {
    commands.push(command);
    limits.push(options.outputLimitBytes);
    if (command.startsWith("show protocols")) {
      const name = command.split(" ").at(-1) ?? "";
      const hit = total >= 6000 ? " [HIT]" : "";
      return replyOf(
        `1002-${name} BGP        ---        up     00:50:47.580  Established   `,
        "1006-  BGP state:          Established",
        "   Channel ipv4",
        `     Receive limit:  6000${hit}`,
        `     Routes:         0 imported, ${total} filtered, 1 exported, 0 preferred`,
        "   Channel ipv6",
        "     Routes:         1 imported, 0 filtered, 1 exported, 0 preferred",
        "0000 ",
      );
    }
    if (!command.includes("NET_IP4")) return replyOf("0000 ");
    const routes = Array.from({ length: Math.min(total, 700) }, (_, index) => [
      `1007-10.${index >> 8}.${index & 255}.0/24 unicast [dn42 00:50:47.580] * (100) [AS4242420001i]`,
      "1012-\tBGP.large_community: (4242422227, 4242, 5)",
    ]);
    return replyOf(...routes.flat(), "0000 ");
  };
  return { queries: createBirdQueries(sendCommand, "4242422227"), commands, limits };
}

test("queries each channel separately, so that one address family does not hide the other", async () => {
  const { queries, commands, limits } = birdRejecting(3);
  await queries.refused(sessionsOf(peeringOf(1)));
  await queries.refused(sessionsOf(dualStackOf(1)));
  expect(commands).toEqual([
    "show protocols all dn42_4242420001",
    `${show} dn42_4242420001 where net.type = NET_IP4`,
    `${show} dn42_4242420001 where net.type = NET_IP6`,
    "show protocols all dn42_4242420001_v4",
    "show protocols all dn42_4242420001_v6",
    `${show} dn42_4242420001_v4 where net.type = NET_IP4`,
    `${show} dn42_4242420001_v6 where net.type = NET_IP6`,
  ]);
  expect(new Set(limits)).toEqual(new Set([240 * 1024]));
});

test("lists 500 routes and returns BIRD's own total", async () => {
  const facts = await birdRejecting(6000).queries.refused(sessionsOf(peeringOf(1)));
  expect(facts.routes).toHaveLength(500);
  expect({ ...facts, routes: [] }).toEqual({
    routes: [],
    totals: { ipv4: 6000, ipv6: 0 },
    limits: [{ family: "IPv4", kind: "receive", routes: 6000 }],
  });
});

const failing: BirdControl = async () => replyOf("9001 syntax error, unexpected CF_SYM_UNDEFINED");

test("where BIRD replies with an error, the facts are unknown, and a text contains the error", async () => {
  const queries = createBirdQueries(failing, "4242422227");
  const sessions = sessionsOf(peeringOf(1));
  await expect(queries.refused(sessions)).rejects.toThrow("BIRD replied: 9001 syntax error");
  await expect(queries.observe(() => new Set(["dn42_4242420001"]))).rejects.toThrow(BirdUnavailableError);
  expect(await queries.sessions(sessions)).toEqual([]);
  expect(await queries.received(sessions)).toContain("syntax error, unexpected CF_SYM_UNDEFINED");
});

test("observes all sessions with one command, and a node without sessions has none", async () => {
  const commands: string[] = [];
  const queries = createBirdQueries(async (command) => {
    commands.push(command);
    return replyOf("8003 No protocols match");
  }, "4242422227");
  expect(await queries.observe(() => new Set(["dn42_4242420001"]))).toEqual([]);
  expect(commands).toEqual(['show protocols all "dn42_*"']);
});
