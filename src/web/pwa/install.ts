/** Whether the app can be put among the device's own, and how. */

/** Chromium's, not in the DOM's types: the browser offers to install, and waits for us to ask. */
interface InstallPromptEvent extends Event {
  readonly prompt: () => Promise<unknown>;
}

/**
 * - `prompt`: the browser will ask for us.
 * - `share`: the person finds it in the browser's Share menu (Safari on iOS).
 */
export type InstallWay = "prompt" | "share";

export interface Install {
  /** Null: it is installed, the browser does not offer it, or nobody wants to hear of it. */
  readonly way: () => InstallWay | null;
  readonly subscribe: (onChange: () => void) => () => void;
  /** Lets the browser ask, once for each time that it offers. */
  readonly ask: () => Promise<void>;
  /** No more hints on this device. */
  readonly dismissHint: () => void;
}

const dismissed = "install-hint";

/** Listens from the start: a browser offers once, before anything is drawn. */
export function createInstall(): Install {
  let offer: InstallPromptEvent | null = null;
  let hint = isSafariOnIos() && !wasDismissed();
  const listeners = new Set<() => void>();
  const change = (to: { readonly offer?: InstallPromptEvent | null; readonly hint?: boolean }) => {
    offer = to.offer === undefined ? offer : to.offer;
    hint = to.hint ?? hint;
    listeners.forEach((listener) => listener());
  };
  window.addEventListener("beforeinstallprompt", (event) => {
    // Otherwise some browsers put a bar of their own over the page.
    event.preventDefault();
    change({ offer: event as InstallPromptEvent });
  });
  window.addEventListener("appinstalled", () => change({ offer: null, hint: false }));
  return {
    way: () => (offer === null ? (hint ? "share" : null) : "prompt"),
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    ask: async () => {
      const kept = offer;
      change({ offer: null });
      await kept?.prompt();
    },
    dismissHint: () => {
      try {
        localStorage.setItem(dismissed, "dismissed");
      } catch {
        // Storage is refused in some private windows; it is gone for this visit.
      }
      change({ hint: false });
    },
  };
}

/** Only there is the property known at all, and false until the app runs from the home screen. */
function isSafariOnIos(): boolean {
  return (navigator as { readonly standalone?: boolean }).standalone === false;
}

function wasDismissed(): boolean {
  try {
    return localStorage.getItem(dismissed) !== null;
  } catch {
    return false;
  }
}
