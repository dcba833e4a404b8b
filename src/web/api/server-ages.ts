import { serverNow } from "./server-clock.ts";

/** Converts a time of the server's clock, in milliseconds since 1970, to the device's, which `useNow` and `Age` count with. */
export function toDeviceTime(at: number): number {
  return at - (serverNow() - Date.now());
}

/** Converts a time of `useNow` to the server's clock. */
export function toServerTime(at: number): number {
  return at + (serverNow() - Date.now());
}
