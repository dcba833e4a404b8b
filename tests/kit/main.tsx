/** The page /kit of the development server with the mock backend: the plots in all their states. */
import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createAppSystem } from "../../src/web/ui/theme/system.ts";
import { Kit } from "./kit.tsx";

const container = document.getElementById("root");
if (container === null) throw new Error("index.html has no #root");
document.title = "Kit";
createRoot(container).render(
  <StrictMode>
    <ChakraProvider value={createAppSystem()}>
      <Kit />
    </ChakraProvider>
  </StrictMode>,
);
