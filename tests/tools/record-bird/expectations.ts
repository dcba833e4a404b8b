/** Compares BIRD's output with a judgement, by searching for the texts that the judgement names. */
import type { ChannelJudgement, SessionJudgement } from "../../fixtures/router-outputs/judgement.ts";

/**
 * Returns what the output of `show protocols all NAME` does not show. Limits are not compared: BIRD does not always
 * mark them.
 *
 * @param output the lines without their codes
 */
export function findDifferences(output: readonly string[], expected: SessionJudgement): readonly string[] {
  const lines = output.map(squeeze);
  const errors = lines.filter((line) => line.startsWith("Last error: "));
  const expectedErrors = expected.lastError === "" ? [] : [`Last error: ${expected.lastError}`];
  const hasNeighbour = lines.includes("Neighbor capabilities");
  return [
    ...(lines.includes(`BGP state: ${expected.state}`) ? [] : ["state"]),
    ...(errors.join("\n") === expectedErrors.join("\n") ? [] : ["last error"]),
    ...(hasNeighbour === (expected.neighbour !== null) ? [] : ["neighbour"]),
    ...expected.channels.flatMap((channel) => findChannelDifferences(lines, channel)),
  ].map((difference) => `${expected.name}: ${difference}`);
}

function findChannelDifferences(lines: readonly string[], expected: ChannelJudgement): readonly string[] {
  const start = lines.indexOf(`Channel ${expected.family.toLowerCase()}`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith("Channel "));
  const channel = end === -1 ? rest : rest.slice(0, end);
  const routes = channel.find((line) => line.startsWith("Routes: ")) ?? "";
  if (expected.imported === null) return routes === "" ? [] : [`${expected.family} routes`];
  const updates = channel.find((line) => line.startsWith("Import updates: ")) ?? "";
  const hasRoutes = routes.startsWith(
    `Routes: ${expected.imported} imported, ${expected.filtered} filtered,`,
  );
  // The counters are "received", "rejected" and others.
  const hasUpdates = updates.split(" ")[3] === String(expected.invalidUpdates);
  return [
    ...(hasRoutes ? [] : [`${expected.family} routes`]),
    ...(hasUpdates ? [] : [`${expected.family} invalid updates`]),
  ];
}

function squeeze(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
