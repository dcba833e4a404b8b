import { nodeHost } from "#contract/node-host.ts";
import type { Handlers } from "../../api/handlers.ts";
import { endAllApiTokens } from "../../api/tokens/api-token-rows.ts";
import { recordEvent } from "../../audit/record-event.ts";
import type { AppContext } from "../../context.ts";
import { listActivity } from "./list-activity.ts";

export type ActivityContext = Pick<AppContext, "db" | "profile" | "clock" | "loginSessions">;

type ActivityCall = "getActivity" | "endAllLoginSessions";

export function activityHandlers({
  db,
  profile,
  clock,
  loginSessions,
}: ActivityContext): Pick<Handlers, ActivityCall> {
  return {
    getActivity: async ({ before }, { asn, origin }) =>
      listActivity(db, {
        asn,
        before: before ?? null,
        loginSession: origin.loginSession,
        toHost: (node) => nodeHost(node, profile.domain),
      }),

    endAllLoginSessions: async (_requestBody, request) => {
      const { asn, origin } = request;
      await db.transaction().execute(async (tx) => {
        await loginSessions.endAll(tx, asn);
        await endAllApiTokens(tx, asn, origin, clock());
        await recordEvent(tx, { kind: "login-sessions-ended", asn }, origin, clock());
      });
      await loginSessions.announceEnded(asn);
      request.setLoginToken(null);
      return {};
    },
  };
}
