import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { useRemoveStaticShell } from "../../src/web/ui/layout/first-paint.tsx";
import { Panel } from "../../src/web/ui/layout/panel.tsx";
import { NodeTable, NodeTableFrame } from "../../src/web/ui/plots/node-table.tsx";
import { PathStrip } from "../../src/web/ui/plots/path-strip.tsx";
import { Spark } from "../../src/web/ui/plots/spark.tsx";
import { UptimeStrip } from "../../src/web/ui/plots/uptime-strip.tsx";
import { describeUptime } from "../../src/web/ui/plots/describe-uptime.ts";
import { ColourSchemeButton } from "../../src/web/ui/theme/colour-scheme.tsx";
import { LaddersAndLanes } from "./ladders-and-lanes.tsx";
import { from, nodes, plainNodes, segments, sixtyNodes, sparks, stepMs, uptimes } from "./samples.ts";

const formatTime = (at: number) => new Date(at).toISOString().slice(11, 16);

export function Kit() {
  useRemoveStaticShell();
  return (
    <chakra.main
      display="grid"
      gridTemplateColumns="minmax(0, 1fr)"
      gap="4"
      width="full"
      maxWidth="page"
      mx="auto"
      p="4"
    >
      <chakra.h1 fontSize="xl" fontWeight="semibold">
        Kit <ColourSchemeButton />
      </chakra.h1>
      <Panel title="PathStrip">
        <Samples>
          <Sample title="All good">
            <PathStrip segments={segments("good", "good", "good", "good")} showNames="always" />
          </Sample>
          <Sample title="Routes refused">
            <PathStrip segments={segments("good", "good", "good", "degraded")} showNames="always" />
          </Sample>
          <Sample title="No handshake">
            <PathStrip
              segments={segments("good", "broken", "not reached", "not reached")}
              showNames="always"
            />
          </Sample>
          <Sample title="Unknown">
            <PathStrip segments={segments()} showNames="always" />
          </Sample>
          <Sample title="Without names">
            <PathStrip segments={segments("good", "degraded", "broken", "not reached")} />
          </Sample>
          <Sample title="Unknown, without names">
            <PathStrip segments={segments("good", "unknown")} />
          </Sample>
        </Samples>
      </Panel>
      <Panel title="UptimeStrip">
        <Samples>
          {uptimes.map(([title, shares]) => (
            <Sample key={title} title={`${title}. ${describeUptime({ shares, from, stepMs }, formatTime)}`}>
              <UptimeStrip shares={shares} from={from} stepMs={stepMs} label="de01" />
            </Sample>
          ))}
          <Sample title="As wide as its card">
            <UptimeStrip shares={uptimes[1]?.[1] ?? []} from={from} stepMs={stepMs} label="de01" full />
          </Sample>
          <Sample title="Unstable, as wide as its card">
            <UptimeStrip shares={uptimes[4]?.[1] ?? []} from={from} stepMs={stepMs} label="de01" full />
          </Sample>
        </Samples>
      </Panel>
      <Panel title="Spark">
        <Samples>
          {sparks.map(([title, values]) => (
            <Sample key={title} title={title}>
              <Spark values={values} label={`Latency, last 24 hours: ${title}`} width={56} height={20} />
              <Spark values={values} label={`Latency, last 24 hours: ${title}`} />
            </Sample>
          ))}
        </Samples>
      </Panel>
      <LaddersAndLanes />
      <Panel title="NodeTable" flush>
        <NodeTableFrame>
          <NodeTable rows={nodes} />
        </NodeTableFrame>
      </Panel>
      <Panel title="NodeTable without history" flush>
        <NodeTableFrame>
          <NodeTable rows={plainNodes} />
        </NodeTableFrame>
      </Panel>
      <Panel title="NodeTable, 60 rows" flush>
        <NodeTableFrame>
          <NodeTable rows={sixtyNodes} />
        </NodeTableFrame>
      </Panel>
    </chakra.main>
  );
}

function Samples({ children }: { readonly children: ReactNode }) {
  return (
    <chakra.div display="grid" gridTemplateColumns="repeat(auto-fill, minmax(min(15rem, 100%), 1fr))" gap="5">
      {children}
    </chakra.div>
  );
}

function Sample({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <chakra.div minWidth="0">
      <chakra.p fontSize="xs" color="fg.muted" mb="1.5">
        {title}
      </chakra.p>
      {children}
    </chakra.div>
  );
}
