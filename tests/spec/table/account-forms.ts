import type { Rows } from "./row.ts";

/** Register and Forgot password, one form with two texts, and the form behind the mailed link. */
export const accountFormRows = {
  2: {
    "register-text":
      "'Please enter your dn42 AS number to get started. We will send a verification link to the e-mail address associated to this AS number.'; a link 'Already have an account? Login' (to /login)",
    "register-form":
      "One input, a Next button; ASN required; Next disabled when empty. Password reset: same tabs and layout as registration",
    "forgot-title":
      "Titled 'Password Reset'. 'Enter your dn42 AS number and we will send you an email with a password reset link.'",
    "forgot-sent":
      "Same tabs and layout as registration: emailSent, a link back to login; reset payload: asn, password_reset ('Yes').",
    "forgot-error":
      "Same tabs and layout as registration: emailSentError, a link back (Reading: It leads back to the password reset.)",
    "set-no-token": "with no token it shows 'Bad URL.'",
    "set-fields":
      "Reads a token from the query string. Fields Password and Confirm password, with a back-to-login link",
    "set-error":
      "to error otherwise: 'There was an issue with making this request. Please return to the login page to try again, or contact the support team.', with a back-to-login link",
  },
  3: {
    "register-sent":
      "Registration payload: asn; HTTP 200 leads to emailSent: 'We have send a link to the email address associated with this AS number. Please click the link in the email to set your account password.', a link back to login",
  },
  4: {
    "register-other":
      "Register: otherwise, no answer included, to emailSentError: heading Error, 'There was an issue making this request. Please try again or contact the support team.'",
    "set-200":
      "setPassword goes to setPasswordSuccess on 200: 'Success!' and 'Please return to the login page to login to your account.', with a back-to-login link. Payload: token, password.",
    "set-400":
      "to invalidToken on 400 with message 'Invalid or expired token': 'Token invalid or expired, please try again.', with a back-to-login link",
  },
  5: {
    "register-pending": "Registration and reset: Next disabled when pending",
    "set-any-length":
      "Any length or complexity rule is not shown. (Reading: The form sends the password as typed; the server rejects one that is too short or too common.)",
    "set-empty": "Submit is disabled when either field is empty.",
  },
  8: {
    "register-exists":
      "'User already exists' shows 'User already exists.'; 'AS number cannot be found' shows 'AS number cannot be found.'",
    "register-refused-value":
      "anything else goes to emailSentError: a refused AS number (Reading: A rejected value (422 with the field) is shown at the field: a typing mistake is not a server error.)",
    "forgot-unknown-as":
      "'AS number cannot be found' shows 'AS number cannot be found.' on password reset too (Reading: An AS without an account gets the same response as an AS that the registry does not have.)",
    "set-mismatch":
      "the two passwords must match; otherwise the text 'Passwords do not match' shows; submit is blocked with 'Passwords do not match.'",
    "set-refused-password":
      "other errors go to the error tab: a refused password (Reading: A password that the server rejects (422 with the field) can be corrected in the form.)",
  },
  9: {
    "mail-limit":
      "HTTP 429 shows 'Too many requests, please wait and try again later.'; it applies to sending mail, on password reset too.",
  },
} as const satisfies Rows;
