import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { calls } from "../../contract/calls.ts";
import type { Provider } from "../../contract/entities.ts";
import { read } from "./client.ts";

export function providerQuery() {
  return queryOptions({
    queryKey: ["provider"],
    queryFn: (context) => read(context, calls.provider, undefined),
    staleTime: 5 * 60_000,
  });
}

/** The provider's public facts; the root route has loaded them before anything renders. */
export function useProvider(): Provider {
  return useSuspenseQuery(providerQuery()).data;
}
