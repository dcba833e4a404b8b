/** What a reload would take from a person, or from what they are waiting for. */
export type BusyReason = "deployment" | "form";

export interface Busy {
  /** Counts from now on, until the answered function is called. */
  readonly begin: (reason: BusyReason) => () => void;
  /** Whether there is anything at all. */
  readonly now: () => boolean;
  /** Hears of every change until the answered function is called. */
  readonly subscribe: (onChange: () => void) => () => void;
}

export function createBusy(): Busy {
  const going = new Set<{ readonly reason: BusyReason }>();
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());
  return {
    begin: (reason) => {
      const each = { reason };
      going.add(each);
      tell();
      return () => {
        if (going.delete(each)) tell();
      };
    },
    now: () => going.size > 0,
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}
