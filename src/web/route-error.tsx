import { chakra } from "@chakra-ui/react/styled-system";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { toldBy } from "./api/client.ts";
import { MissingPartNotice } from "./features/app-updates/missing-part-notice.tsx";
import { UpdateNotice } from "./features/app-updates/update-notice.tsx";
import { isMissingPart } from "./pwa/missing-part.ts";
import { loadNewest } from "./pwa/newest-version.ts";
import { Button, ButtonLink } from "./ui/button.tsx";
import { FootNotices } from "./ui/foot-notices.tsx";
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
    <Page title="This did not work" narrow>
      {isMissingPart(error) ? (
        <MissingPartNotice />
      ) : (
        <Notice tone="error" onRetry={() => void retry()} retrying={retrying}>
          {toldBy(error)}
        </Notice>
      )}
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        <ButtonLink to="/">Back to Home</ButtonLink>
        <Button onClick={() => void loadNewest()}>Load the page anew</Button>
      </chakra.div>
    </Page>
  );
}

/** The same where there is no layout around it. */
export function RootError(props: ErrorComponentProps) {
  return (
    <>
      <chakra.main flex="1 0 auto" width="full" maxWidth="step" mx="auto" px="4" py="10">
        <RouteError {...props} />
      </chakra.main>
      <FootNotices>
        <UpdateNotice />
      </FootNotices>
    </>
  );
}
