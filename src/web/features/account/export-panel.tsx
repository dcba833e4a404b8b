import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation } from "@tanstack/react-query";
import { accountCalls } from "#contract/call-tables/accounts/account-calls.ts";
import { call, errorMessage } from "../../api/client.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";

export function ExportPanel({ username }: { readonly username: string }) {
  const request = useMutation({
    mutationFn: () => call(accountCalls.exportAccount, { username }),
    onSuccess: (exported) => {
      const day = new Date(exported.exported).toISOString().slice(0, 10);
      saveFile(`AS${username}-${day}.json`, `${JSON.stringify(exported, null, 2)}\n`);
    },
  });
  return (
    <Panel title="Your data">
      <chakra.div display="grid" gap="3" justifyItems="start">
        <chakra.p color="fg.muted">
          Everything that is stored about AS{username}: account, login sessions, API tokens, peerings,
          deployments, traffic, messages and activity, as a JSON file without passwords and keys of browsers.
        </chakra.p>
        <Button onClick={() => request.mutate()} isPending={request.isPending}>
          Download
        </Button>
        {request.isSuccess && <Notice tone="success">The file was downloaded.</Notice>}
        {request.isError && (
          <Notice tone="error">Nothing was downloaded. {errorMessage(request.error)}</Notice>
        )}
      </chakra.div>
    </Panel>
  );
}

/** Lets the browser store a text as a file. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Safari reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
