import type { Rows } from "./row.ts";

export const loginRows = {
  "login-fields": {
    section: 2,
    says: "Title 'Login page'. Fields ASN and Password, both required; the button is disabled when either is empty",
  },
  "login-links": {
    section: 2,
    says: "Links 'Forgot password?' (to /forgotPassword) and 'Register for an account' (to /register)",
  },
  "login-success-state": {
    section: 4,
    says: "On success goes to /manager. Auth: unauthenticated becomes authenticated on login success.",
  },
  "login-reset-tab": {
    section: 2,
    says: "The screen also contains a 'resetPassword' tab that no visible link reaches.",
    reading: "The tab is /login?tab=resetPassword.",
  },
  "login-pending": { section: 5, says: "the button is disabled when a request is pending" },
  "login-invalid": {
    section: 8,
    says: "message 'Invalid credentials' shows 'Invalid username or password.'",
  },
  "login-refused-otherwise": {
    section: 8,
    says: "any other error shows 'An error occured. Please try again.': a refusal, no answer",
  },
  "login-status-alone": { section: 7, says: "POST /api/login/: success taken from status alone" },
} as const satisfies Rows;
