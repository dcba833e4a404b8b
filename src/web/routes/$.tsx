import { createFileRoute, redirect } from "@tanstack/react-router";

/** Redirects every unknown path. */
export const Route = createFileRoute("/$")({
  beforeLoad: () => {
    // eslint-disable-next-line typescript/only-throw-error -- the router's redirects are thrown responses
    throw redirect({ to: "/not-found", replace: true });
  },
});
