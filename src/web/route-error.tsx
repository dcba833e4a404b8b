import { chakra } from "@chakra-ui/react/styled-system";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { toldBy } from "./api/client.ts";
import { Notice } from "./ui/notice.tsx";
import { Page } from "./ui/page.tsx";
import { useStaticShellEnd } from "./ui/static-shell.ts";

/** What a route shows when its loader or its component failed. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  useStaticShellEnd();
  const [retrying, setRetrying] = useState(false);
  const retry = async () => {
    setRetrying(true);
    await router.invalidate();
    setRetrying(false);
    reset();
  };
  return (
    <chakra.div maxWidth="prose" mx="auto" px="4" py="10">
      <Page title="This did not work">
        <Notice tone="error" onRetry={() => void retry()} retrying={retrying}>
          {toldBy(error)}
        </Notice>
      </Page>
    </chakra.div>
  );
}
