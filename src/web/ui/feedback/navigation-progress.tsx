import { chakra } from "@chakra-ui/react/styled-system";
import { useRouterState } from "@tanstack/react-router";

/** A line at the top of the window while the next screen is loading for longer than a moment. */
export function NavigationProgress() {
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  if (!isLoading) return null;
  return (
    <chakra.div
      aria-hidden
      position="fixed"
      insetInline="0"
      top="0"
      height="2px"
      zIndex="sticky"
      bg="accent"
      animation="appear 300ms ease-in 200ms both"
    />
  );
}
