import { afterEach, expect, test, vi } from "vitest";
import { readWebStorage, writeWebStorage } from "./web-storage.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

function memoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
}

test("a value that was written can be read in its area", () => {
  vi.stubGlobal("localStorage", memoryStorage());
  vi.stubGlobal("sessionStorage", memoryStorage());
  expect(writeWebStorage("localStorage", "key", "value")).toBe(true);
  expect(readWebStorage("localStorage", "key")).toBe("value");
  expect(readWebStorage("sessionStorage", "key")).toBeNull();
});

function refuse(): never {
  throw new DOMException("Access is denied for this document.", "SecurityError");
}

test("a browser that refuses storage has stored nothing", () => {
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
  expect(writeWebStorage("localStorage", "key", "value")).toBe(false);
  expect(readWebStorage("localStorage", "key")).toBeNull();
});

test("a browser without storage has stored nothing", () => {
  vi.stubGlobal("sessionStorage", undefined);
  expect(writeWebStorage("sessionStorage", "key", "value")).toBe(false);
  expect(readWebStorage("sessionStorage", "key")).toBeNull();
});
