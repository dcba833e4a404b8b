import { afterAll, beforeAll, vi } from "vitest";

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

/** Replaces properties of the navigator until globals are restored. */
export function stubNavigator(properties: Readonly<Record<string, unknown>>): void {
  vi.stubGlobal(
    "navigator",
    new Proxy(navigator, {
      has: (target, name) => Object.hasOwn(properties, name) || name in target,
      get: (target, name) => Reflect.get(Object.hasOwn(properties, name) ? properties : target, name),
    }),
  );
}
