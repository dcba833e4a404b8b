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

/** The provider's public data. The root route loads it before anything renders. */
export function useProvider(): Provider {
  return useSuspenseQuery(providerQuery()).data;
}

/** Returns where a node is; "" if the provider does not list it. */
export function useNodePlace(node: string): string {
  return useProvider().nodes.find(({ name }) => name === node)?.place ?? "";
}
