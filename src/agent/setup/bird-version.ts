/** Which versions of BIRD the agent works with. */
import type { BirdReply } from "../drivers/bird/control-socket.ts";

/** The versions whose output is recorded in tests/fixtures/router-outputs. */
export const triedVersions = ["2.0.12", "2.17.5", "2.20.0", "3.1.7", "3.4.0"] as const;
/** Older ones refuse the files of the peerings. */
const oldestVersion = triedVersions[0];
const newestMajor = 3;

/** Parses the version in the reply to `show status`: "BIRD 2.0.12"; null if there is none. */
export function parseBirdVersion({ lines }: BirdReply): string | null {
  const matches = lines.map(({ text }) => /^BIRD v?([0-9]+(?:\.[0-9]+)+)/.exec(text)?.[1]);
  return matches.find((version) => version !== undefined) ?? null;
}

/** Returns the problem with a version and how to fix it; null if there is none. */
export function findVersionProblem(version: string): string | null {
  if (isOlder(version, oldestVersion)) {
    return `BIRD ${version} is too old: it refuses the peerings' files. Install ${oldestVersion} or newer.`;
  }
  if (Number(version.split(".")[0]) > newestMajor) {
    return `This agent does not know BIRD ${version}. Install a newer agent, or BIRD 2 or 3.`;
  }
  return null;
}

/** Says whether a version was tried, which ones were, and the known risk of BIRD 3 (docs/nodes.md). */
export function describeVersion(version: string): string {
  const isTried = triedVersions.some((tried) => tried === version);
  const tried = `BIRD ${version} was ${isTried ? "" : "not "}tried with this agent. Tried versions: ${triedVersions.join(", ")}.`;
  return version.startsWith("3.")
    ? `${tried} A participant can block changes on a node with BIRD 3, see docs/nodes.md; BIRD 2 does not have this fault.`
    : tried;
}

function isOlder(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => text.split(".").map(Number));
  const index = other?.findIndex((part, place) => part !== (own?.[place] ?? 0)) ?? -1;
  return index !== -1 && (own?.[index] ?? 0) < (other?.[index] ?? 0);
}
