import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "#contract/lenient.ts";
import { isEstablished } from "#domain/peering/peering-path.ts";
import { Since } from "./since.tsx";

export type Session = NonNullable<PeerStatus["sessions"]>[number];

export const NoWrap = chakra("span", { base: { whiteSpace: "nowrap" } });

/** The state of one session as BIRD reports it, its routes, and why it is not Established. */
export function SessionState({ session }: { readonly session: Session }) {
  return (
    <>
      <chakra.span htmlTranslate="no" fontFamily="mono" fontSize="sm">
        {session.state}
      </chakra.span>
      <SessionTimes session={session} />
      {session.detail !== "" && (
        <chakra.span htmlTranslate="no" display="block" fontFamily="mono" fontSize="sm" color="fg.muted">
          {session.detail}
        </chakra.span>
      )}
      {isEstablished(session) && session.routes !== null && <SessionRoutes routes={session.routes} />}
    </>
  );
}

/** The numbers of routes, in a line for each address family. */
function SessionRoutes({ routes }: { readonly routes: NonNullable<Session["routes"]> }) {
  return routes.map(({ family, accepted, refused, exported }) => (
    <chakra.span key={family} display="block" fontSize="sm" color="fg.muted">
      {routes.length > 1 && `${family}: `}
      <NoWrap>{accepted} accepted</NoWrap>,{" "}
      <NoWrap color={refused > 0 ? "issues" : undefined}>{refused} refused</NoWrap>,{" "}
      <NoWrap>{exported === null ? "still sending" : `${exported} exported`}</NoWrap>
    </chakra.span>
  ));
}

/** Since when it is Established or not, and how often it ended in the last day. Nothing where the server does not say. */
function SessionTimes({ session }: { readonly session: Session }) {
  const { since, ends = 0 } = session;
  const hasSince = typeof since === "number";
  return (
    <>
      {hasSince && (
        <>
          {" "}
          <chakra.span
            // In a line of its own if it does not fit, and in two on a narrow phone.
            display={isEstablished(session) ? "inline-block" : "block"}
            fontSize="sm"
            fontVariantNumeric="tabular-nums"
          >
            {!isEstablished(session) && "down "}
            <Since at={since} />
          </chakra.span>
        </>
      )}
      {ends > 0 && (
        <chakra.span display="block" fontSize="sm" color="issues">
          ended {ends === 1 ? "once" : `${ends} times`} in 24 h
        </chakra.span>
      )}
    </>
  );
}
