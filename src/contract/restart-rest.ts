/**
 * How long a participant waits between two restarts of the BGP sessions of a peering, in milliseconds: sessions need this to
 * come back.
 */
export const restartRestMs = 30_000;
