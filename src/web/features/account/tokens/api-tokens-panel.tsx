import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { maxApiTokens } from "#domain/accounts/api-tokens.ts";
import { errorMessage } from "#web/api/client.ts";
import { SkeletonLines } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { ExternalLink } from "#web/ui/text/link.tsx";
import { ApiTokenRow } from "./api-token-row.tsx";
import { apiTokensQuery } from "./api-tokens-query.ts";
import { CreateTokenForm } from "./create-token-form.tsx";
import { CreatedToken } from "./created-token.tsx";

/** What is shown below the list: a button, the form, or the secret of the token that was just created. */
type Addition = "closed" | "form" | { readonly token: string; readonly name: string };

export function ApiTokensPanel({ username }: { readonly username: string }) {
  const queryClient = useQueryClient();
  const { data, isError, error, refetch, isFetching } = useQuery(apiTokensQuery(username));
  const [addition, setAddition] = useState<Addition>("closed");
  /** Has the focus when the element that had it is gone. */
  const content = useRef<HTMLDivElement>(null);
  const close = () => {
    setAddition("closed");
    content.current?.focus();
  };
  if (data === null) return null;
  return (
    <Panel title="API tokens">
      <chakra.div ref={content} tabIndex={-1} outline="none" display="grid" gap="3">
        <chakra.p color="fg.muted">
          With a token, a script acts as AS{username} without a password. It cannot change the account itself.{" "}
          <ExternalLink href="/api/">What scripts can do</ExternalLink>
        </chakra.p>
        {isError && (
          <Notice tone="error" onRetry={() => void refetch()} isRetrying={isFetching}>
            The API tokens could not be loaded. {errorMessage(error)}
          </Notice>
        )}
        {data === undefined && !isError && <SkeletonLines lines={2} />}
        {data?.length === 0 && addition === "closed" && <p>There are no API tokens.</p>}
        {data && data.length > 0 && (
          <chakra.ul display="grid" aria-label="API tokens">
            {data.map((token) => (
              <ApiTokenRow key={token.id} username={username} token={token} returnFocusTo={content} />
            ))}
          </chakra.ul>
        )}
        {addition === "closed" && (
          <chakra.div>
            <Button
              onClick={() => setAddition("form")}
              disabled={data === undefined || data.length >= maxApiTokens}
            >
              Create a token…
            </Button>
          </chakra.div>
        )}
        {addition === "form" && (
          <CreateTokenForm
            username={username}
            onCancel={close}
            onCreated={(created) => {
              setAddition(created);
              void queryClient.invalidateQueries({ queryKey: apiTokensQuery(username).queryKey });
            }}
          />
        )}
        {typeof addition === "object" && <CreatedToken username={username} {...addition} onClose={close} />}
      </chakra.div>
    </Panel>
  );
}
