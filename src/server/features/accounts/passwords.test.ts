import { expect, test } from "vitest";
import { HttpError } from "#contract/http-error.ts";
import type { Derive } from "./password-hash.ts";
import { createPasswordHasher } from "./passwords.ts";

test("a stored password is argon2id with 19 MiB, two passes and its own salt", async () => {
  const passwords = createPasswordHasher();
  const stored = await passwords.hash("correct horse", ["a"]);
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await passwords.hash("correct horse", ["a"])).not.toBe(stored);
  expect(await passwords.verify("correct horse", stored, ["a"])).toBe(true);
  expect(await passwords.verify("correct house", stored, ["a"])).toBe(false);
  expect(await passwords.verify("", stored, ["a"])).toBe(false);
});

test("a hash with other costs is verified with its costs", async () => {
  // From the test suite of the reference implementation (P-H-C/phc-winner-argon2, src/test.c).
  const stored = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  expect(await createPasswordHasher().verify("password", stored, ["a"])).toBe(true);
});

test("the same characters in another Unicode form are the same password", async () => {
  const passwords = createPasswordHasher();
  const stored = await passwords.hash("caf\u00E9 cr\u00E8me", ["a"]);
  expect(await passwords.verify("cafe\u0301 cre\u0300me", stored, ["a"])).toBe(true);
});

test("a malformed stored hash is an error, not a wrong password", async () => {
  await expect(createPasswordHasher().verify("x", "plain", ["a"])).rejects.toThrow(
    "a stored password hash is malformed",
  );
});

/** A derivation that the test completes. */
function createHeldDerive() {
  const open: Array<() => void> = [];
  let running = 0;
  let most = 0;
  let calls = 0;
  const derive: Derive = async (_password, _salt, _cost, length) => {
    calls += 1;
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => void open.push(resolve));
    running -= 1;
    return Buffer.alloc(length);
  };
  return { derive, finishOne: () => open.shift()?.(), calls: () => calls, most: () => most };
}

test("an AS without an account costs as many derivations as one with a wrong password", async () => {
  const stored = await createPasswordHasher().hash("right", ["a"]);
  const held = createHeldDerive();
  const passwords = createPasswordHasher({ derive: held.derive });
  for (const [index, hash] of [stored, null].entries()) {
    const isRight = passwords.verify("wrong", hash, ["a"]);
    held.finishOne();
    expect([await isRight, held.calls()]).toEqual([false, index + 1]);
  }
});

test("two run, three wait of which the clients take turns, and the sixth is rejected at once", async () => {
  const held = createHeldDerive();
  const passwords = createPasswordHasher({ derive: held.derive, concurrency: 2, maxWaiting: 3 });
  const ended: string[] = [];
  const hashes = ["a1", "a2", "a3", "a4", "b1"].map((name) =>
    passwords.hash("x", [name.slice(0, 1)]).then(() => ended.push(name)),
  );
  const rejected: unknown = await passwords.hash("x", ["a"]).catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(HttpError);
  expect(rejected).toMatchObject({ status: 429, retryAfterSeconds: 5 });
  while (ended.length < hashes.length) {
    held.finishOne();
    await Promise.resolve();
  }
  expect(ended).toEqual(["a1", "a2", "a3", "b1", "a4"]);
  expect([held.most(), held.calls()]).toEqual([2, 5]);
  const after = passwords.hash("x", ["a"]);
  held.finishOne();
  await after;
});
