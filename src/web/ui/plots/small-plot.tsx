import { CatchBoundary } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { ReadablePlotProps } from "./readable-plot.tsx";

const ReadablePlot = lazy(async () => ({ default: (await import("./readable-plot.tsx")).ReadablePlot }));

/** A small plot without axes. It is loaded after the texts beside it; its place has to be kept. */
export function SmallPlot(props: ReadablePlotProps) {
  return (
    <CatchBoundary getResetKey={() => ""} errorComponent={() => null}>
      <Suspense>
        <ReadablePlot {...props} />
      </Suspense>
    </CatchBoundary>
  );
}
