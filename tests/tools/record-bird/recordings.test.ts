/** The recordings in tests/fixtures/router-outputs agree with the judgements beside them. */
import { describe, expect, test } from "vitest";
import type { RefusedRouteJudgement } from "../../fixtures/router-outputs/judgement.ts";
import { readRouterOutputs, replyTo, type RouterOutput } from "../../support/router-outputs.ts";
import { findDifferences } from "./expectations.ts";

const outputs = await readRouterOutputs();

test("each version has the same cases, except those that it cannot show", () => {
  const versions = Map.groupBy(outputs, ({ version }) => version);
  const names = [...new Set(outputs.map(({ name }) => name))];
  expect(versions.size).toBeGreaterThan(1);
  for (const [version, recorded] of versions) {
    const missing = names.filter((name) => !recorded.some((output) => output.name === name));
    expect(missing).toEqual(version.startsWith("3.") ? ["closing"] : []);
  }
});

describe.each([...Map.groupBy(outputs, ({ version }) => version)])("BIRD %s", (_, recorded) => {
  test("shows the judged states, errors and counts", () => {
    const differences = recorded.flatMap((output) =>
      output.judgement.sessions
        .flatMap((session) => findDifferences(linesOf(output, `show protocols all ${session.name}`), session))
        .map((difference) => `${output.name}: ${difference}`),
    );
    expect(differences).toEqual([]);
  });

  test("lists the judged refused routes", () => {
    for (const output of recorded) {
      for (const { name, channels } of output.judgement.sessions) {
        for (const { family, refused } of channels) {
          const netType = family === "IPv4" ? "NET_IP4" : "NET_IP6";
          const command = `show route all filtered protocol ${name} where net.type = ${netType}`;
          if (!refused || !output.replies.some((each) => each.command === command)) continue;
          expect({ case: output.name, routes: routesIn(linesOf(output, command)) }).toEqual({
            case: output.name,
            routes: refused.map(describeRoute).toSorted(),
          });
        }
      }
    }
  });
});

function linesOf(output: RouterOutput, command: string): readonly string[] {
  return replyTo(output, command).lines.map(({ text }) => text);
}

function describeRoute({ prefix, reason, origin, asPath }: RefusedRouteJudgement): string {
  return `${prefix} ${reason} ${origin} ${asPath.slice(0, 400)}`;
}

/** Returns prefix, reason, origin and path of each route. */
function routesIn(lines: readonly string[]): readonly string[] {
  const text = lines.join("\n");
  const pattern =
    /^(\S+) +unicast .*\[(?:AS([0-9]+))?.?\]$[^]*?(?:BGP\.as_path|bgp_path): (.*)$[^]*?large_community:[^]*?\(4242422227, 4242, ([0-9])\)/gm;
  return Array.from(
    text.matchAll(pattern),
    ([, prefix, origin = null, asPath = "", reason]) =>
      `${prefix} ${reason} ${origin} ${asPath.slice(0, 400)}`,
  ).toSorted();
}
