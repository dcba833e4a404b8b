import { CatchBoundary } from "@tanstack/react-router";
import { type ComponentType, lazy, Suspense } from "react";

/** Creates a part of a screen that is loaded when it is first rendered. Until then, and without its chunk, it is empty. */
export function createLazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part = lazy(async () => ({ default: await load() }));
  return function LazyPart(props: Props) {
    return (
      <CatchBoundary getResetKey={() => ""} errorComponent={() => null}>
        <Suspense>
          <Part {...props} />
        </Suspense>
      </CatchBoundary>
    );
  };
}
