import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { cleanup, render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import type { RefusalStatus } from "../../../src/contract/call.ts";
import { type CallName, calls } from "../../../src/contract/calls.ts";
import type { Failure } from "../../../src/contract/failure.ts";
import { createHandlers } from "../../../src/mocks/handlers.ts";
import { emptyState, type MockState } from "../../../src/mocks/state.ts";
import { createQueryClient } from "../../../src/web/api/query-client.ts";
import { createAppRouter } from "../../../src/web/router.tsx";
import { createAppSystem } from "../../../src/web/ui/system.ts";

type AppRouter = ReturnType<typeof createAppRouter>;

export interface Backend {
  readonly state: () => MockState;
  /** From now on the call is refused. */
  readonly refuse: (name: CallName, status: RefusalStatus, failure: Failure) => void;
  /** From now on the call fails as it does without a network. */
  readonly cutOff: (name: CallName) => void;
  /** From now on the call is answered so. */
  readonly answer: (name: CallName, response: (asked: { readonly request: Request }) => Response) => void;
  /** Bodies of the calls made so far, oldest first. */
  readonly sent: (name: CallName) => readonly unknown[];
}

/** The mock backend for the tests of one file, fresh before each of them. */
export function useBackend(): Backend {
  let state = emptyState();
  const requests: { readonly path: string; readonly body: unknown }[] = [];
  const server = setupServer();
  server.events.on("request:start", async ({ request }) => {
    const text = await request.clone().text();
    requests.push({
      path: new URL(request.url).pathname,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    });
  });
  const answer: Backend["answer"] = (name, response) => {
    const { method, path } = calls[name];
    server.use((method === "GET" ? http.get : http.post)(path, response));
  };
  beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
  beforeEach(() => {
    // jsdom lays nothing out; the app is told that there is room for everything.
    vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: true }));
    vi.stubGlobal("scrollTo", () => {});
    vi.stubGlobal("ResizeObserver", NeverResized);
    state = emptyState();
    requests.length = 0;
    server.resetHandlers(...createHandlers(state));
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  afterAll(() => server.close());
  return {
    state: () => state,
    answer,
    refuse: (name, status, failure) => answer(name, () => HttpResponse.json(failure, { status })),
    cutOff: (name) => answer(name, () => HttpResponse.error()),
    sent: (name) => requests.filter(({ path }) => path === calls[name].path).map(({ body }) => body),
  };
}

/** jsdom has no layout and no such observer; what waits for its width waits for ever. */
class NeverResized implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

export interface OpenApp {
  readonly user: UserEvent;
  readonly router: AppRouter;
  /** The path and search that the address bar would show. */
  readonly address: () => string;
}

/** Opens the app as a browser does at an address, and waits for its first screen. */
export async function openApp(address: string, passwordToken: string | null = null): Promise<OpenApp> {
  const onSessionEnd = () => void router.invalidate();
  const queryClient = createQueryClient(onSessionEnd);
  const router = createAppRouter(
    { queryClient, passwordToken, onSessionEnd },
    createMemoryHistory({ initialEntries: [address] }),
  );
  const user = userEvent.setup();
  await router.load();
  render(
    <ChakraProvider value={createAppSystem()}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return { user, router, address: () => router.state.location.href };
}
