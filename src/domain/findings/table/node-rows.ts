/** What rows about a node have in common. */

export const degraded = { segment: "node", weight: "degraded" } as const;

/** What only the operator reads has one short sentence. */
export const operatorOnly = {
  ...degraded,
  audience: "operator",
  sentence: "This node has a problem",
} as const;

/** What the operator has done on purpose, and should not forget. Participants do not read of it. */
export const operatorNote = { ...operatorOnly, weight: "note" } as const;
