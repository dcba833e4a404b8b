import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./api/query-client.ts";
import { syncLoginSessionAcrossTabs } from "./api/login-session.ts";
import { providerQuery } from "./api/provider.ts";
import { takePasswordToken } from "./features/accounts/password-token.ts";
import { answerLivenessProbe, onOpenFromNotification } from "./browser/worker.ts";
import { markChunkLoadErrors } from "./browser/updates/chunk-load-error.ts";
import { createPwa, PwaContext } from "./browser/pwa.ts";
import { startWorker } from "./browser/updates/start-worker.ts";
import { createAppRouter } from "./router.tsx";
import { createAppSystem } from "./ui/theme/system.ts";

// The modules, the code up to the render, and the render are tasks of their own, so that a slow phone can respond between them.
// WebKit evaluates a route's file too early if it imports a module that waits here, so that only this one may.
await nextTask();

const container = document.getElementById("root");
if (container === null) throw new Error("index.html has no #root");

const pwa = createPwa();
answerLivenessProbe(container);
markChunkLoadErrors();

const passwordToken = takePasswordToken();
const onLoginSessionEnd = () => void router.invalidate();
const queryClient = createQueryClient(onLoginSessionEnd);
const router = createAppRouter({ queryClient, passwordToken, onLoginSessionEnd });

syncLoginSessionAcrossTabs(queryClient, onLoginSessionEnd);
onOpenFromNotification((path) => void router.navigate({ href: path }));

// The first screen waits for it: the root route joins this request.
void queryClient.prefetchQuery(providerQuery());
const system = createAppSystem();
await nextTask();
createRoot(container).render(
  <StrictMode>
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <PwaContext value={pwa}>
          <RouterProvider router={router} />
        </PwaContext>
      </QueryClientProvider>
    </ChakraProvider>
  </StrictMode>,
);

void startWorker(pwa.updates, () => queryClient.invalidateQueries());

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
