import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useEffect, useRef } from "react";

/** What takes the place of a form that was sent. It takes the focus too, since the button that had it is gone. */
export function Arrival({ children }: { readonly children: ReactNode }) {
  const arrived = useRef<HTMLDivElement>(null);
  useEffect(() => arrived.current?.focus(), []);
  return (
    <chakra.div ref={arrived} tabIndex={-1} outline="none" width="full">
      {children}
    </chakra.div>
  );
}
