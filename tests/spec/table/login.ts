import type { Row } from "./row.ts";

export const loginRows = [
  {
    id: "login-fields",
    section: 2,
    says: "Title 'Login page'. Fields ASN and Password, both required; the button is disabled when either is empty",
  },
  {
    id: "login-links",
    section: 2,
    says: "Links 'Forgot password?' (to /forgotPassword) and 'Register for an account' (to /register)",
  },
  {
    id: "login-success-state",
    section: 4,
    says: "On success goes to /manager. Auth: unauthenticated becomes authenticated on login success.",
  },
  {
    id: "login-reset-tab",
    section: 2,
    says: "The screen also contains a 'resetPassword' tab that no visible link reaches.",
    reading: "The tab is /login?tab=resetPassword.",
  },
  { id: "login-pending", section: 5, says: "the button is disabled when a request is pending" },
  {
    id: "login-invalid",
    section: 8,
    says: "message 'Invalid credentials' shows 'Invalid username or password.'",
  },
  {
    id: "login-refused-otherwise",
    section: 8,
    says: "any other error shows 'An error occured. Please try again.': a refusal, no answer",
  },
  { id: "login-status-alone", section: 7, says: "POST /api/login/: success taken from status alone" },
] as const satisfies readonly Row[];
