import { useLocation } from "@tanstack/react-router";
import { createLazyPart } from "#web/ui/layout/lazy-part.tsx";

const LazyNotice = createLazyPart(async () => (await import("../other-logins.tsx")).KioubitFailureNotice);

/** Shows the code that the server puts into the address after a return that it has refused. */
export function KioubitFailure() {
  return useLocation({ select: ({ search }) => search.kioubit !== undefined }) && <LazyNotice />;
}
