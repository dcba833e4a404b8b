import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { EmbeddedPage } from "../../ui/layout/embedded-page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ExternalLink } from "../../ui/text/link.tsx";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";

export interface ChartPanelProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A panel with the app's own charts. */
export function ChartPanel({ title, children }: ChartPanelProps) {
  return (
    <Panel title={title} actions={<TimeRange />}>
      {children}
    </Panel>
  );
}

function TimeRange() {
  return (
    <chakra.span color="fg.muted" fontSize="sm">
      last 3 hours
    </chakra.span>
  );
}

export interface DashboardPanelProps {
  readonly title: string;
  /** Null while it is unknown. */
  readonly url: string | null;
}

/** In pixels, the usual height of a single dashboard panel. */
const dashboardHeight = 320;

/** A panel of the provider's dashboards, in a frame. */
export function DashboardPanel({ title, url }: DashboardPanelProps) {
  return (
    <Panel
      title={title}
      flush
      actions={
        url !== null && (
          <ExternalLink href={url} target="_blank" rel="noreferrer" fontSize="sm">
            Open<VisuallyHidden>{` ${title} in a new tab`}</VisuallyHidden>
          </ExternalLink>
        )
      }
    >
      {url === null ? (
        <chakra.div style={{ height: dashboardHeight }} />
      ) : (
        <EmbeddedPage key={url} src={url} title={title} height={dashboardHeight} flush />
      )}
    </Panel>
  );
}

/** Shows two panels side by side on wide screens. */
export const PanelGrid = chakra("div", {
  base: {
    display: "grid",
    gap: "4",
    alignItems: "start",
    gridTemplateColumns: { base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" },
  },
});
