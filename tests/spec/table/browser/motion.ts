import type { Rows } from "../row.ts";

/** Animations, and a clipboard that can be read. */
export const motionRows = {
  "loaders-turn": {
    section: 2,
    says: "A Login button with a spinner while waiting; the contact form's button shows a loader while sending; a deployment starts 'waiting' with a loader; the modals show a loader while waiting",
  },
  "modal-transition": {
    section: 9,
    says: "Modal transition 200 ms, Escape closes modals",
    reading: "Those of the queries and 'Confirm peer deletion', which Escape does not confirm.",
  },
  "copied-flag": {
    section: 9,
    says: "'Copy to clipboard' copies the output; the clipboard 'copied' flag lasts 1500 ms",
  },
} as const satisfies Rows;
