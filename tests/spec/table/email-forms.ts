import type { Row } from "./row.ts";

/** Register and Forgot password: one form with two texts. */
export const emailFormRows = [
  {
    id: "register-text",
    section: 2,
    says: "'Please enter your dn42 AS number to get started. We will send a verification link to the e-mail address associated to this AS number.'",
  },
  { id: "register-form", section: 2, says: "One input, a Next button" },
  { id: "register-login-link", section: 2, says: "a link 'Already have an account? Login' (to /login)" },
  {
    id: "register-sent",
    section: 2,
    says: "emailSent: 'We have send a link to the email address associated with this AS number. Please click the link in the email to set your account password.'",
  },
  { id: "register-sent-link", section: 2, says: "emailSent: a link back to login" },
  {
    id: "register-error",
    section: 2,
    says: "emailSentError: heading Error, 'There was an issue making this request. Please try again or contact the support team.'",
  },
  {
    id: "register-error-link",
    section: 2,
    says: "emailSentError: a link back to the registration page that reloads it",
    browser: "navigation: the link reloads the page",
  },
  { id: "register-payload", section: 3, says: "Registration payload: asn." },
  { id: "register-empty", section: 5, says: "Registration: ASN required; Next disabled when empty" },
  { id: "register-pending", section: 5, says: "Registration: Next disabled when pending" },
  { id: "register-200", section: 4, says: "Register: form goes to emailSent on HTTP 200" },
  { id: "register-other", section: 4, says: "Register: otherwise to emailSentError" },
  {
    id: "register-no-answer",
    section: 8,
    says: "anything else goes to emailSentError: no answer at all",
  },
  { id: "register-exists", section: 8, says: "'User already exists' shows 'User already exists.'" },
  {
    id: "register-unknown-as",
    section: 8,
    says: "'AS number cannot be found' shows 'AS number cannot be found.'",
  },
  {
    id: "register-429",
    section: 8,
    says: "HTTP 429 shows 'Too many requests, please wait and try again later.'",
  },
  {
    id: "register-refused-value",
    section: 8,
    says: "anything else goes to emailSentError: a refused AS number",
    reading:
      "A rejected value (422 with the field) is shown at the field: a typing mistake is not a server error.",
  },
  { id: "forgot-title", section: 2, says: "Titled 'Password Reset'." },
  {
    id: "forgot-text",
    section: 2,
    says: "'Enter your dn42 AS number and we will send you an email with a password reset link.'",
  },
  { id: "forgot-layout", section: 2, says: "Same tabs and layout as registration: the form" },
  { id: "forgot-sent", section: 2, says: "Same tabs and layout as registration: emailSent" },
  { id: "forgot-sent-link", section: 2, says: "Same tabs and layout as registration: a link back to login" },
  { id: "forgot-error", section: 2, says: "Same tabs and layout as registration: emailSentError" },
  {
    id: "forgot-error-link",
    section: 2,
    says: "Same tabs and layout as registration: a link back that reloads",
    reading: "It leads back to the password reset.",
    browser: "navigation: the link reloads the page",
  },
  { id: "forgot-payload", section: 3, says: "Reset payload: asn, password_reset ('Yes')." },
  { id: "forgot-empty", section: 5, says: "Reset: ASN required; Next disabled when empty" },
  { id: "forgot-pending", section: 5, says: "Reset: Next disabled when pending" },
  { id: "forgot-429", section: 8, says: "HTTP 429 shows 'Too many requests, ...' on password reset too" },
  {
    id: "forgot-unknown-as",
    section: 8,
    says: "'AS number cannot be found' shows 'AS number cannot be found.' on password reset too",
    reading: "An AS without an account gets the same response as an AS that the registry does not have.",
  },
  { id: "mail-limit", section: 9, says: "Rate limiting (HTTP 429) applies to sending mail." },
] as const satisfies readonly Row[];
