import type { Row } from "./row.ts";

export const contactRows = [
  {
    id: "manager-menu-contact",
    section: 2,
    says: "side menu: Contact",
    reading: "A view of /manager: ?view=contact.",
  },
  {
    id: "contact-form",
    section: 2,
    says: "Form with 'Your name', 'Your email address', 'Your message' and a Submit button.",
  },
  {
    id: "contact-pending",
    section: 2,
    says: "The button is disabled after the first click and shows a loader while sending.",
    browser: "animation: the loader turns",
  },
  {
    id: "contact-repeated",
    section: 2,
    says: "The button is disabled after the first click: a second one sends nothing",
  },
  {
    id: "contact-client-checks",
    section: 5,
    says: "Contact form: client-side checks are not shown; the e-mail must be valid and the name free of special characters",
    reading: "The form rejects what the server would reject, with the same words and without a request.",
  },
  {
    id: "contact-success",
    section: 2,
    says: "'Your message has been submitted. We will get back to you as soon as we can. Thank you'",
  },
  {
    id: "contact-failure",
    section: 2,
    says: "'Failed to submit message. Please double-check your data to ensure the email address format is valid and that there are no special characters in the name.' (also without an answer)",
  },
  {
    id: "contact-message",
    section: 3,
    says: "Contact message: username, name, email, message. POST /api/submitContactForm {username, name, email, message}",
  },
] as const satisfies readonly Row[];
