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
  let state = hash(String(seed));

  /** Mulberry32 (public domain, Tommy Ettinger): from 0 to just below 1. */
  function next(): number {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const integer = (below: number) => Math.floor(next() * below);

  return {
    integer,
    chance: (probability) => next() < probability,
    pick: (values) => values[integer(values.length)] ?? values[0],
    key: () => Buffer.from(Array.from({ length: 32 }, () => integer(256))).toString("base64"),
    fork: (name) => createRandom(`${seed} ${name}`),
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01_00_01_93);
  return value;
}
