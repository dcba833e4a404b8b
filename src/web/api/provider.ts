import { type QueryClient, queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { isRecent, recordUnsupportedCall } from "../../browser-storage/unsupported-calls.ts";
import { readWebStorage, writeWebStorage } from "../../browser-storage/web-storage.ts";
import { calls } from "../../contract/call-tables/app-calls.ts";
import { CallError, UnreadableResponseError } from "../../contract/client.ts";
import type { Provider } from "../../contract/entities.ts";
import { nodeHost } from "../../contract/node-host.ts";
import { read } from "./client.ts";

/** When the server had no profile, in milliseconds since 1970. The script in index.html reads it too. */
const missingSinceKey = "provider-missing-since";

/** The profile that the app uses. */
export interface LoadedProvider extends Provider {
  /** False for the default profile. */
  readonly isPublished: boolean;
}

/** The provider's profile. A server that publishes none gets the default one. */
export function providerQuery() {
  return queryOptions({
    queryKey: ["provider"],
    queryFn: async (context): Promise<LoadedProvider> => {
      if (isKnownToBeMissing()) return loadDefaultProvider();
      try {
        return { ...(await read(context, calls.provider, undefined)), isPublished: true };
      } catch (error) {
        if (!isMissing(error)) throw error;
        rememberMissing();
        return await loadDefaultProvider();
      }
    },
    staleTime: 5 * 60_000,
  });
}

async function loadDefaultProvider(): Promise<LoadedProvider> {
  // Not a static import: few servers need it.
  const { createDefaultProvider } = await import("../../contract/app/default-provider.ts");
  return { ...createDefaultProvider(window.location.hostname), isPublished: false };
}

/**
 * Whether the server accepts request fields beyond the specification. One that publishes a profile does; another may
 * reject a field that it does not know.
 */
export function acceptsOwnFields(queryClient: QueryClient): boolean {
  return queryClient.getQueryData(providerQuery().queryKey)?.isPublished === true;
}

/** Whether the server refuses the profile, or responds with something else, for example the app's page. */
function isMissing(error: unknown): boolean {
  return error instanceof UnreadableResponseError || (error instanceof CallError && error.status < 500);
}

function isKnownToBeMissing(): boolean {
  return isRecent(Number(readWebStorage("localStorage", missingSinceKey)));
}

/** Without storage the profile is requested with every page. */
function rememberMissing(): void {
  void recordUnsupportedCall(calls.provider.path);
  writeWebStorage("localStorage", missingSinceKey, String(Date.now()));
}

/** The provider's public data. The root route loads it before anything renders. */
export function useProvider(): Provider {
  return useSuspenseQuery(providerQuery()).data;
}

/** A node whose position is known. */
export type PlacedNode = Provider["nodes"][number] & { readonly lat: number; readonly lon: number };

export function isPlaced(node: object): node is PlacedNode {
  return "lat" in node && node.lat !== null;
}

/** Returns a function that gives a node its full name, with the provider's domain, for every text that people read. */
export function useNodeHost(): (node: string) => string {
  const { domain } = useProvider();
  return useCallback((node: string) => nodeHost(node, domain), [domain]);
}

/** Returns a node's full name outside a component. The provider is loaded before anything renders. */
export function findNodeHost(queryClient: QueryClient, node: string): string {
  return nodeHost(node, queryClient.getQueryData(providerQuery().queryKey)?.domain ?? "");
}

/** Returns where a node is; "" if the provider does not list it. */
export function useNodePlace(node: string): string {
  return useProvider().nodes.find(({ name }) => name === node)?.place ?? "";
}
