import { CatchBoundary } from "@tanstack/react-router";
import { type ComponentType, lazy, Suspense } from "react";

/** Creates a part of a screen that is loaded when it is first rendered. Until then, and without its chunk, it is empty. */
export function createLazyPart(load: () => Promise<ComponentType>) {
  const Part = lazy(async () => ({ default: await load() }));
  return function LazyPart() {
    return (
      <CatchBoundary getResetKey={() => ""} errorComponent={() => null}>
        <Suspense>
          <Part />
        </Suspense>
      </CatchBoundary>
    );
  };
}
