import { useProvider } from "../../api/provider.ts";
import { Page } from "../../ui/page.tsx";
import { HostedStatus } from "./hosted-status.tsx";
import { NodesHistory } from "./nodes-history.tsx";

/** The uptime monitor that the provider names, or else the server's own. */
export function StatusPage() {
  const { status_page } = useProvider();
  return (
    <Page title="Status">{status_page === "" ? <NodesHistory /> : <HostedStatus page={status_page} />}</Page>
  );
}
