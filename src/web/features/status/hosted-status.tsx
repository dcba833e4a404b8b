import { chakra } from "@chakra-ui/react/styled-system";
import { ExternalLink } from "../../ui/link.tsx";
import { PageFrame } from "../../ui/page-frame.tsx";

export interface HostedStatusProps {
  /** URL of the uptime monitor's page, or a path of our own host. */
  readonly page: string;
}

/** The provider's uptime monitor, wherever it is hosted. */
export function HostedStatus({ page }: HostedStatusProps) {
  const { host } = new URL(page, window.location.origin);
  return (
    <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
      <chakra.p color="fg.muted" overflowWrap="anywhere">
        The uptime monitor at {host}. Should nothing appear below,{" "}
        <ExternalLink href={page} target="_blank" rel="noreferrer">
          open it in a tab of its own
        </ExternalLink>
        .
      </chakra.p>
      <PageFrame src={page} title="the uptime monitor" height={800} />
    </chakra.div>
  );
}
