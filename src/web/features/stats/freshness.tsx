import { toldBy } from "../../api/client.ts";
import { Notice } from "../../ui/notice.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { spokenAge } from "../../../domain/age.ts";
import { useNow } from "./use-now.ts";
import type { Samples } from "./use-samples.ts";

/** How old the newest sample is, in the one line that the screen keeps for it. */
export function Freshness({ samples: { state } }: { readonly samples: Samples }) {
  const now = useNow(1000);
  const { loaded, latestAt } = state;
  if (loaded === "pending") {
    return (
      <>
        <VisuallyHidden role="status">Loading…</VisuallyHidden>
        Last sample: …
      </>
    );
  }
  return <>Last sample: {latestAt === null ? "none yet" : spokenAge(Math.max(0, now - latestAt) / 1000)}</>;
}

/** What went wrong with loading samples, with a way to try again. */
export function LoadFailure({ samples: { query, state } }: { readonly samples: Samples }) {
  if (!query.isError) return null;
  return (
    <Notice onRetry={() => void query.refetch()} retrying={query.isFetching}>
      {state.loaded === "yes"
        ? "The newest samples could not be loaded; the charts show the ones before."
        : "The samples could not be loaded."}{" "}
      {toldBy(query.error)}
    </Notice>
  );
}
