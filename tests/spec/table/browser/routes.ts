import type { Rows } from "../row.ts";

/** Navigation, layout, frames and cookies. */
export const routeRows = {
  2: {
    "routing-history":
      "Routing uses browser history paths. Before every navigation the authentication state is refreshed. (Reading: It is checked before each navigation. With a known login session the screen does not wait for the response, and is left if the login session has ended.)",
    "routing-unknown-file":
      "Any unknown path redirects to /not-found. (Reading: Those with a dot too. A missing file is 404 for everything that is not a navigation.)",
    "layout-plain": "/login, /register, /setPassword, /forgotPassword: public, plain centred layout",
    "layout-nav-active": "the active nav button is highlighted",
    "status-frame":
      "An embedded hosted uptime-monitor status page, 800 px high, scripts allowed (Reading: The provider's page where the profile names one.)",
    "panels-drawn":
      "Two embedded dashboard panels, last 3 hours; one embedded panel 'Total routes': where there is no dashboard (Reading: Without a dashboard in the profile the app draws the panels itself from the server's samples, for routes one chart per address family.)",
    "register-error-link": "emailSentError: a link back to the registration page that reloads it",
  },
  6: {
    "calls-credentials": "Every call carries the username and sends credentials (cookies).",
  },
} as const satisfies Rows;
