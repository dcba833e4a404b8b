import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { Panel } from "../../ui/panel.tsx";
import { ExternalLink } from "../../ui/link.tsx";
import { PageFrame } from "../../ui/page-frame.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";

export interface DrawnPanelProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A panel that the app draws itself. */
export function DrawnPanel({ title, children }: DrawnPanelProps) {
  return (
    <Panel title={title} actions={<Span />}>
      {children}
    </Panel>
  );
}

function Span() {
  return (
    <chakra.span color="fg.muted" fontSize="sm">
      last 3 hours
    </chakra.span>
  );
}

export interface FramedPanelProps {
  readonly title: string;
  /** Null while it is not known yet. */
  readonly url: string | null;
}

/** Pixels: what a dashboard's single panel is made for. */
const framedHeight = 320;

/** A panel of the provider's own dashboards. */
export function FramedPanel({ title, url }: FramedPanelProps) {
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
        <chakra.div style={{ height: framedHeight }} />
      ) : (
        <PageFrame key={url} src={url} title={title} height={framedHeight} flush />
      )}
    </Panel>
  );
}
