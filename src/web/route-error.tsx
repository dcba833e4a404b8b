import { chakra } from "@chakra-ui/react/styled-system";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { errorMessage } from "./api/client.ts";
import { isChunkLoadError } from "./browser/updates/chunk-load-error.ts";
import { reloadNewestVersion } from "./browser/updates/newest-version.ts";
import { ChunkLoadErrorNotice, UpdateNotice } from "./features/app-updates/update-notices.tsx";
import { Notice } from "./ui/feedback/notice.tsx";
import { Notifications } from "./ui/feedback/notifications.tsx";
import { Button, ButtonLink } from "./ui/forms/button.tsx";
import { Page } from "./ui/layout/page.tsx";
import { useRemoveStaticShell } from "./ui/layout/first-paint.tsx";

/** Shown instead of a route whose loader or component has failed. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  useRemoveStaticShell();
  const [isRetrying, setIsRetrying] = useState(false);
  const retry = async () => {
    setIsRetrying(true);
    await router.invalidate();
    setIsRetrying(false);
    reset();
  };
  return (
    <Page title="This did not work" narrow>
      {isChunkLoadError(error) ? (
        <ChunkLoadErrorNotice />
      ) : (
        <Notice tone="error" onRetry={() => void retry()} isRetrying={isRetrying}>
          {errorMessage(error)}
        </Notice>
      )}
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        <ButtonLink to="/">Back to Home</ButtonLink>
        <Button onClick={() => void reloadNewestVersion()}>Reload the page</Button>
      </chakra.div>
    </Page>
  );
}

/** Shows an error of the root route, which has no layout around it. */
export function RootError(props: ErrorComponentProps) {
  return (
    <>
      <chakra.main flex="1 0 auto" width="full" maxWidth="step" mx="auto" px="4" py="10">
        <RouteError {...props} />
      </chakra.main>
      <Notifications>
        <UpdateNotice />
      </Notifications>
    </>
  );
}
