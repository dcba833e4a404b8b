import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "../text/visually-hidden.tsx";

export function Spinner() {
  return (
    <chakra.span
      aria-hidden
      display="inline-block"
      boxSize="4"
      borderWidth="2px"
      borderStyle="solid"
      borderColor="currentColor"
      borderInlineStartColor="transparent"
      borderRadius="full"
      animation="spin 700ms linear infinite"
      css={{ "@media (prefers-reduced-motion: reduce)": { animationDuration: "2.4s" } }}
    />
  );
}

export interface LoaderProps {
  /** What is loading: "Loading peerings…". */
  readonly label: string;
}

/** A spinner with a label, where the shape of the content is unknown. Where it is known, use `Skeleton`. */
export function Loader({ label }: LoaderProps) {
  return (
    <chakra.div role="status" display="flex" alignItems="center" gap="2.5" color="fg.muted" py="2">
      <Spinner />
      <span>{label}</span>
    </chakra.div>
  );
}

export interface SkeletonProps {
  readonly width?: string;
  readonly height?: string;
}

/** A placeholder for loading content. Hidden from screen readers: use a `Loader` or an `aria-busy` region for them. */
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

/** A placeholder for lines of text. */
export function SkeletonLines({ lines }: SkeletonLinesProps) {
  return (
    <chakra.span display="grid" gap="2.5" py="1">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height="0.7em" width={`${92 - ((line * 23) % 40)}%`} />
      ))}
    </chakra.span>
  );
}

/** A placeholder for a screen while its code or data loads. */
export function PageSkeleton() {
  return (
    <chakra.div display="grid" gap="6" aria-busy>
      <VisuallyHidden role="status">Loading…</VisuallyHidden>
      <Skeleton width="14rem" height="1.75rem" />
      <SkeletonLines lines={4} />
    </chakra.div>
  );
}
