import type { Rows } from "./row.ts";

/** Register and Forgot password: one form with two texts. */
export const emailFormRows = {
  "register-text": {
    section: 2,
    says: "'Please enter your dn42 AS number to get started. We will send a verification link to the e-mail address associated to this AS number.'; a link 'Already have an account? Login' (to /login)",
  },
  "register-form": {
    section: 2,
    says: "One input, a Next button; ASN required; Next disabled when empty. Password reset: same tabs and layout as registration",
  },
  "register-sent": {
    section: 3,
    says: "Registration payload: asn; HTTP 200 leads to emailSent: 'We have send a link to the email address associated with this AS number. Please click the link in the email to set your account password.', a link back to login",
  },
  "register-pending": { section: 5, says: "Registration and reset: Next disabled when pending" },
  "register-other": {
    section: 4,
    says: "Register: otherwise, no answer included, to emailSentError: heading Error, 'There was an issue making this request. Please try again or contact the support team.'",
  },
  "register-exists": {
    section: 8,
    says: "'User already exists' shows 'User already exists.'; 'AS number cannot be found' shows 'AS number cannot be found.'",
  },
  "register-refused-value": {
    section: 8,
    says: "anything else goes to emailSentError: a refused AS number",
    reading:
      "A rejected value (422 with the field) is shown at the field: a typing mistake is not a server error.",
  },
  "forgot-title": {
    section: 2,
    says: "Titled 'Password Reset'. 'Enter your dn42 AS number and we will send you an email with a password reset link.'",
  },
  "forgot-sent": {
    section: 2,
    says: "Same tabs and layout as registration: emailSent, a link back to login; reset payload: asn, password_reset ('Yes').",
  },
  "forgot-error": {
    section: 2,
    says: "Same tabs and layout as registration: emailSentError, a link back",
    reading: "It leads back to the password reset.",
  },
  "forgot-unknown-as": {
    section: 8,
    says: "'AS number cannot be found' shows 'AS number cannot be found.' on password reset too",
    reading: "An AS without an account gets the same response as an AS that the registry does not have.",
  },
  "mail-limit": {
    section: 9,
    says: "HTTP 429 shows 'Too many requests, please wait and try again later.'; it applies to sending mail, on password reset too.",
  },
} as const satisfies Rows;
