import type { EndedTask } from "./watcher.tsx";

export interface ToldEnding {
  /** What happened, and where. */
  readonly what: string;
  /** What the link to the deployment's screen is for. */
  readonly next: string;
}

/** @param host the node's name with the provider's domain. */
export function tellEnding({ watched: { type }, ending }: EndedTask, host: string): ToldEnding {
  if (type === "delete") {
    return ending === "success"
      ? { what: `Your peering on ${host} is deleted.`, next: "See what was done" }
      : { what: `Your peering on ${host} could not be deleted. It still runs.`, next: "See why" };
  }
  return ending === "success"
    ? { what: `Your peering is deployed to ${host}.`, next: "See the config for your side" }
    : { what: `The deployment to ${host} failed. What ran before is kept.`, next: "See why and try again" };
}
