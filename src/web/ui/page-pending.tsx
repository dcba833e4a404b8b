import { chakra } from "@chakra-ui/react/styled-system";
import { Skeleton, SkeletonLines } from "./skeleton.tsx";
import { VisuallyHidden } from "./visually-hidden.tsx";

/** Stands in for a screen whose code or data is on the way. */
export function PagePending() {
  return (
    <chakra.div display="grid" gap="6" aria-busy>
      <VisuallyHidden role="status">Loading…</VisuallyHidden>
      <Skeleton width="14rem" height="1.75rem" />
      <SkeletonLines lines={4} />
    </chakra.div>
  );
}
