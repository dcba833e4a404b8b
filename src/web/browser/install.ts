/** Whether the app can be installed on the device, and how. */
import { readWebStorage, writeWebStorage } from "../../browser-storage/web-storage.ts";
import { createStore } from "./store.ts";

/** Chromium's event, which the DOM types lack: the browser offers to install the app. */
interface InstallPromptEvent extends Event {
  readonly prompt: () => Promise<unknown>;
}

/**
 * - `prompt`: the browser can show its install prompt.
 * - `share`: the participant finds the command in the browser's Share menu (Safari on iOS).
 */
export type InstallMethod = "prompt" | "share";

export interface Install {
  /** Null: the app is installed, the browser does not offer it, or the hint was dismissed. */
  readonly method: () => InstallMethod | null;
  readonly subscribe: (onChange: () => void) => () => void;
  /** Shows the browser's prompt, once for each offer. */
  readonly prompt: () => Promise<void>;
  /** Hides the hint on this device for good. */
  readonly dismissHint: () => void;
}

interface InstallState {
  readonly offer: InstallPromptEvent | null;
  readonly hasHint: boolean;
}

/** Persisted name; any value means dismissed. */
const hintKey = "install-hint";

/** Call it at the start of the page: a browser offers once, before anything is rendered. */
export function createInstall(): Install {
  const isDismissed = readWebStorage("localStorage", hintKey) !== null;
  const store = createStore<InstallState>({ offer: null, hasHint: isSafariOnIos() && !isDismissed });
  const change = (changes: Partial<InstallState>) => store.set({ ...store.get(), ...changes });
  window.addEventListener("beforeinstallprompt", (event) => {
    // Otherwise some browsers show a banner of their own.
    event.preventDefault();
    change({ offer: event as InstallPromptEvent });
  });
  window.addEventListener("appinstalled", () => change({ offer: null, hasHint: false }));
  return {
    method: () => {
      const { offer, hasHint } = store.get();
      if (offer !== null) return "prompt";
      return hasHint ? "share" : null;
    },
    subscribe: store.subscribe,
    prompt: async () => {
      const { offer } = store.get();
      change({ offer: null });
      await offer?.prompt();
    },
    dismissHint: () => {
      writeWebStorage("localStorage", hintKey, "dismissed");
      change({ hasHint: false });
    },
  };
}

/** Only Safari on iOS has the property. It is false until the app runs from the home screen. */
function isSafariOnIos(): boolean {
  return (navigator as { readonly standalone?: boolean }).standalone === false;
}
