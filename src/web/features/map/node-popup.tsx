import { chakra } from "@chakra-ui/react/styled-system";
import { X } from "lucide-react";
import { useEffect, useEffectEvent, useMemo, useRef } from "react";
import { Popup, useMap, useMapEvents } from "react-leaflet";
import { shownHalfHours } from "#contract/history.ts";
import { decodePlot } from "#domain/plot.ts";
import type { PlacedNode } from "../../api/provider.ts";
import { SkeletonLines } from "../../ui/feedback/loading.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { NodeTable, NodeTableFrame } from "../../ui/plots/node-table.tsx";
import { SmallPlot } from "../../ui/plots/small-plot.tsx";
import { zoomWithMargins } from "./geometry.ts";
import { describeLatencies, formatCpu, formatPeers, type NodeStates, stateReason } from "./node-facts.ts";
import type { Link } from "./node-links.ts";
import { isMotionAllowed } from "./motion.ts";

export interface NodePopupProps {
  readonly node: PlacedNode;
  readonly links: readonly Link[];
  /** The summary of the node's links. */
  readonly linkSummary: string;
  readonly states: NodeStates;
  readonly onClose: () => void;
}

/** In pixels. A narrow map has a narrower popup. */
const maxWidth = 288;
const gap = 12;
/** Below the middle of the marker: half of it and the buttons of the map, or only the marker where the map is low. */
const spaceBelow = 72;
const leastSpaceBelow = 22;
/** Above the middle of the marker: half of it, the popup's tip, and a gap. */
const spaceAbove = 40;

/** Scrolls its node into view when opened. A click on the map, the button and Escape close it. */
export function NodePopup({ node, onClose, ...content }: NodePopupProps) {
  const { lat, lon } = node;
  const position = useMemo((): [number, number] => [lat, lon], [lat, lon]);
  const map = useMap();
  const width = Math.min(maxWidth, map.getSize().x - 2 * gap);
  useMapEvents({ click: onClose });

  const close = useEffectEvent(() => {
    if (map.getPane("popupPane")?.contains(document.activeElement)) {
      map.getPane("markerPane")?.querySelector<HTMLElement>(".chosen")?.focus();
    }
    onClose();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && close();
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return (
    <Popup
      position={position}
      offset={[0, -8]}
      minWidth={width}
      maxWidth={width}
      closeButton={false}
      autoPan={false}
      autoClose={false}
      closeOnClick={false}
      closeOnEscapeKey={false}
    >
      <PopupContent node={node} position={position} {...content} />
      <Button
        size="sm"
        tone="quiet"
        aria-label="Close"
        position="absolute"
        top="1"
        insetEnd="1"
        onClick={() => close()}
      >
        <X size={14} aria-hidden />
      </Button>
    </Popup>
  );
}

const Facts = chakra("dl", {
  base: {
    px: "3",
    fontSize: "sm",
    fontVariantNumeric: "tabular-nums",
    "& > div": { display: "grid", gridTemplateColumns: "4.5rem minmax(0, 1fr)" },
    "& dt": { color: "fg.muted" },
    "& .cpu": { display: "grid", gridTemplateColumns: "auto minmax(0, 1fr)", columnGap: "3" },
  },
});

interface PopupContentProps extends Omit<NodePopupProps, "onClose"> {
  readonly position: [lat: number, lon: number];
}

/** The node's row as on Home, and what the row has no place for. */
function PopupContent({ node, position, links, linkSummary, states }: PopupContentProps) {
  const { rows, summary, isLoading } = states;
  const row = rows.find(({ name }) => name === node.name);
  const content = useRef<HTMLDivElement>(null);
  const map = useMap();
  // Again when the states arrive, because the popup becomes higher.
  useEffect(() => {
    const { offsetWidth = 0, offsetHeight = 0 } = content.current ?? {};
    const [beside, above] = [offsetWidth / 2 + gap, offsetHeight + spaceAbove];
    const below = Math.max(leastSpaceBelow, Math.min(spaceBelow, map.getSize().y - above));
    // When the node was selected in the list on a small screen, the map is further up.
    map.getContainer().scrollIntoView({ block: "nearest" });
    const zoom = zoomWithMargins(node, { above, below, beside }, map.getZoom());
    const animate = isMotionAllowed();
    if (zoom > map.getZoom()) {
      const middle = map.project(position, zoom).subtract([0, (above - below) / 2]);
      map.setView(map.unproject(middle, zoom), zoom, { animate });
      return;
    }
    map.panInside(position, {
      paddingTopLeft: [beside, above],
      paddingBottomRight: [beside, below],
      animate,
    });
  }, [map, node, position, isLoading]);
  if (!row) return null;
  const reason = stateReason(node.name, states);
  const cpu = summary?.nodes.find((each) => each.node === node.name)?.cpu;
  const facts = [
    ["Links", linkSummary],
    ["Latency", describeLatencies(node, links, summary)],
    ["Peers", formatPeers(row)],
  ] as const;
  return (
    <chakra.div ref={content} pb="2.5">
      <NodeTableFrame>
        <NodeTable rows={[row]} />
      </NodeTableFrame>
      {isLoading && (
        <chakra.div px="3" pb="1.5">
          <SkeletonLines lines={3} />
        </chakra.div>
      )}
      {reason !== "" && (
        <chakra.div px="3" pb="1.5" fontSize="sm">
          {reason}
        </chakra.div>
      )}
      <Facts>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        {summary && cpu && (
          <div>
            <dt>CPU</dt>
            <dd className="cpu">
              {formatCpu(cpu)}
              <SmallPlot
                values={decodePlot(cpu, shownHalfHours)}
                from={summary.from}
                unit="%"
                label={`CPU, last 24 hours: ${formatCpu(cpu)}`}
                height={20}
              />
            </dd>
          </div>
        )}
      </Facts>
    </chakra.div>
  );
}
