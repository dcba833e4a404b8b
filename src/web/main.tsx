import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./api/query-client.ts";
import { followOtherTabs } from "./api/session.ts";
import { takePasswordToken } from "./features/accounts/password-token.ts";
import { answerAlive } from "./pwa/alive.ts";
import { nameMissingParts } from "./pwa/missing-part.ts";
import { createPwa, PwaContext } from "./pwa/pwa.ts";
import { listenToWorker } from "./offline/listen-to-worker.ts";
import { beginWorker } from "./pwa/worker.ts";
import { createAppRouter } from "./router.tsx";
import { createAppSystem } from "./ui/system.ts";

const container = document.getElementById("root");
if (container === null) throw new Error("index.html has no #root");

const pwa = createPwa();
answerAlive(container);
nameMissingParts();

const passwordToken = takePasswordToken(window.location, window.history);
const onSessionEnd = () => void router.invalidate();
const queryClient = createQueryClient(onSessionEnd);
const router = createAppRouter({ queryClient, passwordToken, onSessionEnd });

followOtherTabs(queryClient, onSessionEnd);
listenToWorker((path) => void router.navigate({ href: path }));

// What runs so far, the styles and the first rendering are three tasks: a slow phone answers between them.
await nextTask();
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

void beginWorker(pwa.updates, () => queryClient.invalidateQueries());

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
