interface Sessions {
  readonly sessions?:
    | ReadonlyArray<{ readonly state: string; readonly since?: number | null | undefined }>
    | undefined;
}

/**
 * When the first of the sessions that are not Established ended, in milliseconds since 1970 by the server's clock; null if the
 * server does not say.
 */
export function downSince({ sessions = [] }: Sessions): number | null {
  const times = sessions.flatMap(({ state, since }) =>
    state !== "Established" && typeof since === "number" ? [since] : [],
  );
  return times.length === 0 ? null : Math.min(...times);
}
