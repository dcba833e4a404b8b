import { expect, test } from "vitest";
import { createCommitTimes } from "./commit-times.ts";

test("a slow commit is logged once a minute, and two within five minutes are a slow disk", () => {
  let time = 0;
  const logged: unknown[] = [];
  const times = createCommitTimes({
    log: { warn: (fields: object) => void logged.push(fields) },
    now: () => time,
  });
  times.note(400);
  expect([logged, times.readSlow()]).toEqual([[], null]);
  times.note(401);
  expect([logged, times.readSlow()]).toEqual([[{ ms: 401 }], null]);
  time += 59_000;
  times.note(2_000);
  expect([logged.length, times.readSlow()?.ms]).toEqual([1, 2_000]);
  time += 1_000;
  times.note(500);
  expect([logged.length, times.readSlow()?.ms]).toEqual([2, 500]);
  time += 299_000;
  expect(times.readSlow()).toBeNull();
});
