const format = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** In the reader's own time zone: "09:30". */
export function timeOfDay(at: number): string {
  return new Date(at).toLocaleTimeString("en", format);
}
