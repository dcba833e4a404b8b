/**
 * The token of a mailed link. The first script of index.html removes it from the address before anything else runs. This
 * tab remembers it until the password is set, so that a reload shows the form again. Nothing else stores it.
 */
import { readWebStorage, removeFromWebStorage, writeWebStorage } from "#browser-storage/web-storage.ts";

declare global {
  interface Window {
    /** Set by index.html; empty if the link has an empty token. */
    passwordToken?: string;
  }
}

const storageKey = "password-token";

/** Returns the token of the link that was opened, or of the one before a reload; null if there is none. */
export function takePasswordToken(): string | null {
  const { passwordToken } = window;
  delete window.passwordToken;
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  // An address without a token that was entered or followed is a bad link, whatever was opened before.
  const remembered = visit?.type === "navigate" ? null : readWebStorage("sessionStorage", storageKey);
  const token = passwordToken ?? remembered ?? "";
  if (token === "") forgetPasswordToken();
  else writeWebStorage("sessionStorage", storageKey, token);
  return token || null;
}

/** Ends the reload of a form whose token can no longer be used. */
export function forgetPasswordToken(): void {
  removeFromWebStorage("sessionStorage", storageKey);
}
