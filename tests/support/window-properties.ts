import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { afterAll, beforeAll } from "vitest";

/** Sets properties of the window before the tests of a file, and restores them after the tests. */
export function useWindowProperties(properties: Readonly<Record<string, unknown>>): void {
  const before = new Map<string, PropertyDescriptor | undefined>();
  beforeAll(() => {
    for (const [name, value] of Object.entries(properties)) {
      before.set(name, Object.getOwnPropertyDescriptor(window, name));
      Object.defineProperty(window, name, { value, configurable: true, enumerable: true, writable: true });
    }
  });
  afterAll(() => {
    for (const [name, descriptor] of before) {
      Reflect.deleteProperty(window, name);
      if (descriptor) Object.defineProperty(window, name, descriptor);
    }
  });
}

/** Gives the tests of a file an IndexedDB, which is empty at first. jsdom has none. */
export function useIndexedDb(): void {
  useWindowProperties({ indexedDB: new IDBFactory(), IDBKeyRange });
}
