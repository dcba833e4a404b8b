import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./api/query-client.ts";
import { takePasswordToken } from "./features/accounts/password-token.ts";
import { createAppRouter } from "./router.tsx";
import { createAppSystem } from "./ui/system.ts";

const container = document.getElementById("root");
if (container === null) throw new Error("index.html has no #root");

const passwordToken = takePasswordToken(window.location, window.history);
const queryClient = createQueryClient(() => void router.invalidate());
const router = createAppRouter({ queryClient, passwordToken });

createRoot(container).render(
  <StrictMode>
    <ChakraProvider value={createAppSystem()}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>
  </StrictMode>,
);
