import { expect, test } from "vitest";
import { createSealer } from "./sealer.ts";

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const place = "outbox.body 17";
const changed = "was changed, or belongs to another place";

test("a value is opened with the same key in the same place only, and never sealed the same twice", () => {
  const sealer = createSealer([first]);
  const sealed = sealer.seal("the token é", place);
  expect(sealed).not.toContain("token");
  expect(sealer.seal("the token é", place)).not.toBe(sealed);
  expect(createSealer([first]).open(sealed, place)).toBe("the token é");
  expect(() => sealer.open(sealed, "outbox.body 18")).toThrow(changed);
  expect(() => createSealer([second]).open(sealed, place)).toThrow(/sealed with the key [0-9a-f]{16}/);
});

test("a changed value is not opened", () => {
  const sealer = createSealer([first]);
  const sealed = sealer.seal("the token", place);
  const content = sealed.lastIndexOf(":") + 1;
  for (const at of [content, content + 20, content + 40]) {
    const other = sealed[at] === "A" ? "B" : "A";
    expect(() => sealer.open(sealed.slice(0, at) + other + sealed.slice(at + 1), place)).toThrow(changed);
  }
  expect(() => sealer.open(sealed.slice(0, content + 20), place)).toThrow(changed);
});

test("the first key seals, and the others still open", () => {
  const old = createSealer([first]).seal("the token", place);
  const sealer = createSealer([second, first]);
  expect(sealer.open(old, place)).toBe("the token");
  expect([sealer.isCurrent(old), sealer.canOpen(old)]).toEqual([false, true]);
  const current = sealer.seal("the token", place);
  expect(sealer.isCurrent(current)).toBe(true);
  expect(createSealer([first]).canOpen(current)).toBe(false);
});

test("a value that is not sealed is refused", () => {
  const sealer = createSealer([first]);
  expect(() => sealer.open("sealed: with wax", place)).toThrow(`The value of ${place} is not sealed.`);
  expect([sealer.isCurrent("plain"), sealer.canOpen("plain")]).toEqual([false, false]);
});
