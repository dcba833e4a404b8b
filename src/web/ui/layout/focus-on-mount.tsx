import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useEffect, useRef } from "react";

/** Focuses its content when mounted: for the result that replaces a submitted form and its focused button. */
export function FocusOnMount({ children }: { readonly children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <chakra.div ref={element} tabIndex={-1} outline="none" width="full">
      {children}
    </chakra.div>
  );
}
