import type { Row } from "./row.ts";

export const setPasswordRows = [
  { id: "set-token", section: 2, says: "Reads a token from the query string" },
  { id: "set-no-token", section: 2, says: "with no token it shows 'Bad URL.'" },
  { id: "set-fields", section: 2, says: "Fields Password and Confirm password." },
  { id: "set-form-link", section: 2, says: "setPassword (the form): with a back-to-login link" },
  {
    id: "set-success",
    section: 2,
    says: "setPasswordSuccess: 'Success!' and 'Please return to the login page to login to your account.'",
  },
  { id: "set-success-link", section: 2, says: "setPasswordSuccess: with a back-to-login link" },
  { id: "set-invalid", section: 2, says: "invalidToken: 'Token invalid or expired, please try again.'" },
  { id: "set-invalid-link", section: 2, says: "invalidToken: with a back-to-login link" },
  {
    id: "set-error",
    section: 2,
    says: "error: 'There was an issue with making this request. Please return to the login page to try again, or contact the support team.'",
  },
  { id: "set-error-link", section: 2, says: "error: with a back-to-login link" },
  { id: "set-payload", section: 3, says: "Set-password payload: token, password." },
  { id: "set-200", section: 4, says: "setPassword goes to setPasswordSuccess on 200" },
  {
    id: "set-400",
    section: 4,
    says: "to invalidToken on 400 with message 'Invalid or expired token'",
  },
  { id: "set-400-other", section: 4, says: "to error otherwise: 400 with another message" },
  { id: "set-500", section: 8, says: "other errors go to the error tab: 500" },
  { id: "set-no-answer", section: 8, says: "other errors go to the error tab: no answer" },
  {
    id: "set-mismatch",
    section: 5,
    says: "the two passwords must match; otherwise the text 'Passwords do not match' shows",
  },
  {
    id: "set-blocked",
    section: 5,
    says: "submit is blocked with 'Passwords do not match.'",
  },
  { id: "set-mismatch-client", section: 8, says: "Client mismatch: 'Passwords do not match.'" },
  {
    id: "set-any-length",
    section: 5,
    says: "Any length or complexity rule is not shown.",
    reading: "The form sends the password as typed; the server rejects one that is too short or too common.",
  },
  { id: "set-empty", section: 5, says: "Submit is disabled when either field is empty." },
  {
    id: "set-refused-password",
    section: 8,
    says: "other errors go to the error tab: a refused password",
    reading: "A password that the server rejects (422 with the field) can be corrected in the form.",
  },
] as const satisfies readonly Row[];
