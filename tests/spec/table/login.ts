import type { Rows } from "./row.ts";

export const loginRows = {
  2: {
    "login-fields":
      "Title 'Login page'. Fields ASN and Password, both required; the button is disabled when either is empty",
    "login-links":
      "Links 'Forgot password?' (to /forgotPassword) and 'Register for an account' (to /register)",
    "login-reset-tab":
      "The screen also contains a 'resetPassword' tab that no visible link reaches. (Reading: The tab is /login?tab=resetPassword.)",
  },
  4: {
    "login-success-state":
      "On success goes to /manager. Auth: unauthenticated becomes authenticated on login success.",
  },
  5: {
    "login-pending": "the button is disabled when a request is pending",
  },
  7: {
    "login-status-alone": "POST /api/login/: success taken from status alone",
  },
  8: {
    "login-invalid": "message 'Invalid credentials' shows 'Invalid username or password.'",
    "login-refused-otherwise":
      "any other error shows 'An error occured. Please try again.': a refusal, no answer",
  },
} as const satisfies Rows;
