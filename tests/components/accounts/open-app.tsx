import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { act, cleanup, render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import type { ErrorStatus } from "#contract/call.ts";
import { type CallName, calls } from "#contract/calls.ts";
import type { ErrorBody } from "#contract/http-error.ts";
import { createHandlers } from "#mocks/handlers.ts";
import { emptyState, type MockState } from "#mocks/state.ts";
import { createQueryClient } from "#web/api/query-client.ts";
import { createAppRouter } from "#web/router.tsx";
import { createAppSystem } from "#web/ui/theme/system.ts";

type AppRouter = ReturnType<typeof createAppRouter>;

export interface Backend {
  readonly state: () => MockState;
  /** From now on the call gets this error response. */
  readonly refuse: (name: CallName, status: ErrorStatus, body: ErrorBody) => void;
  /** The next response to the call is this error. */
  readonly refuseOnce: (name: CallName, status: ErrorStatus, body: ErrorBody) => void;
  /** From now on the call fails as it does without a network. */
  readonly cutOff: (name: CallName) => void;
  /** From now on the call gets this response. */
  readonly reply: (
    name: CallName,
    response: (info: { readonly request: Request }) => Response | Promise<Response>,
  ) => void;
  /** From now on every call gets the mock backend's response again. */
  readonly restore: () => void;
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
  const use = (
    name: CallName,
    response: Parameters<Backend["reply"]>[1],
    options: { readonly once: boolean },
  ) => {
    const { method, path } = calls[name];
    server.use((method === "GET" ? http.get : http.post)(path, response, options));
  };
  const reply: Backend["reply"] = (name, response) => use(name, response, { once: false });
  beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
  beforeEach(() => {
    // jsdom has no layout: every media query matches.
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
    reply,
    refuse: (name, status, body) => reply(name, () => HttpResponse.json(body, { status })),
    refuseOnce: (name, status, body) => use(name, () => HttpResponse.json(body, { status }), { once: true }),
    restore: () => server.resetHandlers(...createHandlers(state)),
    cutOff: (name) => reply(name, () => HttpResponse.error()),
    sent: (name) => requests.filter(({ path }) => path === calls[name].path).map(({ body }) => body),
  };
}

/** jsdom has no layout and no such observer; what waits for its width waits forever. */
class NeverResized implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

const system = createAppSystem();

export interface OpenApp {
  readonly user: UserEvent;
  readonly router: AppRouter;
  /** The path and search that the address bar would show. */
  readonly address: () => string;
}

/** Opens the app as a browser does at an address, and waits for its first screen. */
export async function openApp(address: string, passwordToken: string | null = null): Promise<OpenApp> {
  const onLoginSessionEnd = () => void router.invalidate();
  const queryClient = createQueryClient(onLoginSessionEnd);
  const router = createAppRouter(
    { queryClient, passwordToken, onLoginSessionEnd },
    createMemoryHistory({ initialEntries: [address] }),
  );
  const user = userEvent.setup();
  await router.load();
  // Awaited, because React never resumes a component that suspends in a synchronous `act` scope: a chunk that loads
  // more slowly than the loader waits for it.
  await act(async () => {
    render(
      <ChakraProvider value={system}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ChakraProvider>,
    );
  });
  return { user, router, address: () => router.state.location.href };
}
