import type { Rows } from "./row.ts";

export const setPasswordRows = {
  "set-no-token": { section: 2, says: "with no token it shows 'Bad URL.'" },
  "set-fields": {
    section: 2,
    says: "Reads a token from the query string. Fields Password and Confirm password, with a back-to-login link",
  },
  "set-error": {
    section: 2,
    says: "to error otherwise: 'There was an issue with making this request. Please return to the login page to try again, or contact the support team.', with a back-to-login link",
  },
  "set-200": {
    section: 4,
    says: "setPassword goes to setPasswordSuccess on 200: 'Success!' and 'Please return to the login page to login to your account.', with a back-to-login link. Payload: token, password.",
  },
  "set-400": {
    section: 4,
    says: "to invalidToken on 400 with message 'Invalid or expired token': 'Token invalid or expired, please try again.', with a back-to-login link",
  },
  "set-mismatch": {
    section: 8,
    says: "the two passwords must match; otherwise the text 'Passwords do not match' shows; submit is blocked with 'Passwords do not match.'",
  },
  "set-any-length": {
    section: 5,
    says: "Any length or complexity rule is not shown.",
    reading: "The form sends the password as typed; the server rejects one that is too short or too common.",
  },
  "set-empty": { section: 5, says: "Submit is disabled when either field is empty." },
  "set-refused-password": {
    section: 8,
    says: "other errors go to the error tab: a refused password",
    reading: "A password that the server rejects (422 with the field) can be corrected in the form.",
  },
} as const satisfies Rows;
