/** The whole web app in jsdom, as one tab of a browser. */
import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import { createQueryClient } from "../../src/web/api/query-client.ts";
import { createAppRouter } from "../../src/web/router.tsx";
import { createAppSystem } from "../../src/web/ui/theme/system.ts";

export interface AppTab {
  /** Loads the app at an address, as typed into the address bar. The previous page and its memory are discarded. */
  readonly open: (address: string) => void;
  readonly reload: () => void;
  /** The path and search in the address bar. */
  readonly address: () => string;
  /** Unmounts the app; storage is kept. */
  readonly close: () => void;
}

const system = createAppSystem();

export function createAppTab(): AppTab {
  let page: Pick<AppTab, "address" | "close"> | undefined;
  const address = () => page?.address() ?? "";
  const open = (to: string) => {
    page?.close();
    const { element, queryClient, address: shown } = createPage(to);
    const { unmount } = render(element);
    const close = () => {
      unmount();
      queryClient.clear();
    };
    page = { address: shown, close };
  };
  return { open, reload: () => open(address()), address, close: () => page?.close() };
}

/** Does what src/web/main.tsx does before it renders, with a history that belongs to this page alone. */
export function createPage(to: string) {
  // As the script in index.html does.
  const start = new URL(to, window.location.origin);
  const passwordToken = start.searchParams.get("token") || null;
  start.searchParams.delete("token");
  const onLoginSessionEnd = () => void router.invalidate();
  const queryClient = createQueryClient(onLoginSessionEnd);
  const history = createMemoryHistory({ initialEntries: [`${start.pathname}${start.search}${start.hash}`] });
  const router = createAppRouter({ queryClient, passwordToken, onLoginSessionEnd }, history);
  const element = (
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>
  );
  return { element, router, queryClient, address: () => router.state.location.href };
}
