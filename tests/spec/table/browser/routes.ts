import type { Rows } from "../row.ts";

/** Navigation, layout, frames and cookies. */
export const routeRows = {
  "routing-history": {
    section: 2,
    says: "Routing uses browser history paths. Before every navigation the authentication state is refreshed.",
    reading:
      "It is checked before each navigation. With a known login session the screen does not wait for the response, and is left if the login session has ended.",
  },
  "routing-unknown-file": {
    section: 2,
    says: "Any unknown path redirects to /not-found.",
    reading: "Those with a dot too. A missing file is 404 for everything that is not a navigation.",
  },
  "layout-plain": {
    section: 2,
    says: "/login, /register, /setPassword, /forgotPassword: public, plain centred layout",
  },
  "layout-nav-active": { section: 2, says: "the active nav button is highlighted" },
  "status-frame": {
    section: 2,
    says: "An embedded hosted uptime-monitor status page, 800 px high, scripts allowed",
    reading: "The provider's page where the profile names one.",
  },
  "panels-drawn": {
    section: 2,
    says: "Two embedded dashboard panels, last 3 hours; one embedded panel 'Total routes': where there is no dashboard",
    reading:
      "Without a dashboard in the profile the app draws the panels itself from the server's samples, for routes one chart per address family.",
  },
  "register-error-link": {
    section: 2,
    says: "emailSentError: a link back to the registration page that reloads it",
  },
  "calls-credentials": {
    section: 6,
    says: "Every call carries the username and sends credentials (cookies).",
  },
} as const satisfies Rows;
