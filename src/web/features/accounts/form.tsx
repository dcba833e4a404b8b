import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

export interface FormProps {
  /** The page's heading: screen readers say it when the focus moves into the form. */
  readonly label: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A form without the browser's own validation: the app shows its own error messages. */
export function Form({ label, onSubmit, children }: FormProps) {
  return (
    <chakra.form
      noValidate
      aria-label={label}
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

/** Links to other screens, under a form. */
export function FormLinks({ children }: { readonly children: ReactNode }) {
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

/** The server's message, under the general one. */
export function ServerMessage({ children }: { readonly children: string }) {
  return (
    <chakra.p color="fg.muted" fontSize="sm" overflowWrap="anywhere">
      {children}
    </chakra.p>
  );
}
