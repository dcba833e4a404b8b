import { hash } from "node:crypto";

/** Random numbers that are the same for the same seed. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  readonly integer: (below: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(values: readonly [T, ...T[]]) => T;
  /** 32 bytes in base64. */
  readonly key: () => string;
  /** Another sequence, which does not depend on how many numbers were drawn from this one. */
  readonly fork: (name: string) => Random;
}

export function createRandom(seed: number | string): Random {
  let drawn = 0;
  const draw = () => hash("sha256", `${seed}, ${(drawn += 1)}`, "buffer");
  /** From 0 to just below 1. */
  const next = () => draw().readUInt32BE() / 2 ** 32;
  const integer = (below: number) => Math.floor(next() * below);
  return {
    integer,
    chance: (probability) => next() < probability,
    pick: (values) => values[integer(values.length)] ?? values[0],
    key: () => draw().toString("base64"),
    fork: (name) => createRandom(`${seed} ${name}`),
  };
}
