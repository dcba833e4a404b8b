import type { Rows } from "./row.ts";

export const contactRows = {
  "contact-form": {
    section: 2,
    says: "Form with 'Your name', 'Your email address', 'Your message' and a Submit button. The button is disabled after the first click. Contact message: username, name, email, message. POST /api/submitContactForm {username, name, email, message}",
  },
  "contact-client-checks": {
    section: 5,
    says: "Contact form: client-side checks are not shown; the e-mail must be valid and the name free of special characters",
    reading: "The form rejects what the server would reject, with the same words and without a request.",
  },
  "contact-success": {
    section: 2,
    says: "'Your message has been submitted. We will get back to you as soon as we can. Thank you'",
  },
  "contact-failure": {
    section: 2,
    says: "'Failed to submit message. Please double-check your data to ensure the email address format is valid and that there are no special characters in the name.' (also without an answer)",
  },
} as const satisfies Rows;
