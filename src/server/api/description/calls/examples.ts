import type { Task } from "#contract/entities.ts";

/** The participant and the peering of all examples: an AS of the demo's registry, on a node of the demo. */
export const username = "4242420001";
export const node = "de01";
export const taskID = "0198f3a2-5d0c-7a41-9e1b-2c6f0d4b8a11";

export const waitingTask: Task = {
  status: "waiting",
  taskID,
  quip: "Convincing the packets to take the scenic route…",
  node,
  kind: "deploy",
  steps: [],
  reason: "",
  deadline: 1_795_000_120_000,
};

export const noPeering = "No peering of this AS on the node";
