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
  let page: Page | undefined;
  const address = () => page?.address() ?? "";
  const open = (to: string) => {
    page?.close();
    page = openPage(to);
  };
  return { open, reload: () => open(address()), address, close: () => page?.close() };
}

type Page = Pick<AppTab, "address" | "close">;

/** Does what src/web/main.tsx does, with a history that belongs to this page alone. */
function openPage(to: string): Page {
  // As the script in index.html does.
  const start = new URL(to, window.location.origin);
  const passwordToken = start.searchParams.get("token") || null;
  start.searchParams.delete("token");
  const onLoginSessionEnd = () => void router.invalidate();
  const queryClient = createQueryClient(onLoginSessionEnd);
  const history = createMemoryHistory({ initialEntries: [`${start.pathname}${start.search}${start.hash}`] });
  const router = createAppRouter({ queryClient, passwordToken, onLoginSessionEnd }, history);
  const { unmount } = render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return {
    address: () => router.state.location.href,
    close: () => {
      unmount();
      queryClient.clear();
    },
  };
}
