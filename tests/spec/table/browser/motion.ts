import type { Rows } from "../row.ts";

/** Animations, and a clipboard that can be read. */
export const motionRows = {
  2: {
    "loaders-turn":
      "A Login button with a spinner while waiting; the contact form's button shows a loader while sending; a deployment starts 'waiting' with a loader; the modals show a loader while waiting",
  },
  9: {
    "modal-transition":
      "Modal transition 200 ms, Escape closes modals (Reading: Those of the queries and 'Confirm peer deletion', which Escape does not confirm.)",
    "copied-flag": "'Copy to clipboard' copies the output; the clipboard 'copied' flag lasts 1500 ms",
  },
} as const satisfies Rows;
