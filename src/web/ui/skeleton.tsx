import { chakra } from "@chakra-ui/react/styled-system";

export interface SkeletonProps {
  readonly width?: string;
  readonly height?: string;
}

/** Holds the place of something that is loading. Silent: a `Loader` or an `aria-busy` region speaks. */
export function Skeleton({ width = "100%", height = "1em" }: SkeletonProps) {
  return (
    <chakra.span
      aria-hidden
      display="block"
      maxWidth="full"
      bg="bg.muted"
      borderRadius="sm"
      style={{ width, height }}
      css={{
        "@media (prefers-reduced-motion: no-preference)": { animation: "pulse 1.8s ease-in-out infinite" },
      }}
    />
  );
}

export interface SkeletonLinesProps {
  readonly lines: number;
}

/** Lines of text that are loading. */
export function SkeletonLines({ lines }: SkeletonLinesProps) {
  return (
    <chakra.span display="grid" gap="2.5" py="1">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height="0.7em" width={`${92 - ((line * 23) % 40)}%`} />
      ))}
    </chakra.span>
  );
}
