import { useEffect, useState } from "react";
import { recover, type Recovery } from "../../pwa/missing-part.ts";
import { Notice } from "../../ui/notice.tsx";

const words = {
  asking: "A part of the app could not be loaded. Looking for a newer version…",
  loading: "A part of the app could not be loaded. A newer version is there and will be opened now…",
  offline:
    "This part of the app is not on your device, and the server cannot be reached. What you entered elsewhere is kept. Check your connection, then load the page anew.",
  missing:
    "This part of the app is missing on the server too. What you entered elsewhere is kept. Load the page anew in a minute; if it is still missing, tell support.",
} as const satisfies Record<Recovery | "asking", string>;

/** Stands where a part of the app should. Opens a newer version by itself if that may help, and once only. */
export function MissingPartNotice() {
  const [state, setState] = useState<keyof typeof words>("asking");
  useEffect(() => {
    void recover(() => setState("loading")).then(setState);
  }, []);
  return (
    <Notice tone={state === "offline" || state === "missing" ? "error" : "quiet"}>{words[state]}</Notice>
  );
}
