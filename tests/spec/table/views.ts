import type { Rows } from "./row.ts";

/** Views of the manager: the contact form, and the provider's own dashboards in frames. */
export const viewRows = {
  2: {
    "contact-form":
      "Form with 'Your name', 'Your email address', 'Your message' and a Submit button. The button is disabled after the first click. Contact message: username, name, email, message. POST /api/submitContactForm {username, name, email, message}",
    "contact-success":
      "'Your message has been submitted. We will get back to you as soon as we can. Thank you'",
    "contact-failure":
      "'Failed to submit message. Please double-check your data to ensure the email address format is valid and that there are no special characters in the name.' (also without an answer)",
    "stats-panel": "One embedded panel 'Total routes'. Dashboard panels cover the last 3 hours.",
  },
  5: {
    "contact-client-checks":
      "Contact form: client-side checks are not shown; the e-mail must be valid and the name free of special characters (Reading: The form rejects what the server would reject, with the same words and without a request.)",
  },
  9: {
    "node-panels":
      "Two embedded dashboard panels (node CPU usage and node memory usage); for each peered node a panel titled '{node} - iface AS{username}'. Panels load from the provider's own host by node and AS variables; they cover the last 3 hours: Node Status. (Reading: The app adds Grafana's parameters to an address that has no time range.)",
  },
} as const satisfies Rows;
