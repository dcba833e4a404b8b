import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

export interface FormProps {
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** Leaves it to the app to say what is wrong with a value. */
export function Form({ onSubmit, children }: FormProps) {
  return (
    <chakra.form
      noValidate
      display="grid"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </chakra.form>
  );
}

/** The ways out of a form. */
export function Links({ children }: { readonly children: ReactNode }) {
  return (
    <chakra.div
      display="flex"
      flexWrap="wrap"
      justifyContent="space-between"
      columnGap="4"
      rowGap="2"
      pt="4"
      borderTopWidth="1px"
    >
      {children}
    </chakra.div>
  );
}

/** The server's own sentence beneath the general one. */
export function QuietReason({ children }: { readonly children: string }) {
  return (
    <chakra.p color="fg.muted" fontSize="sm" overflowWrap="anywhere">
      {children}
    </chakra.p>
  );
}
