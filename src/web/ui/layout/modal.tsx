import {
  DialogBackdrop,
  DialogContent,
  DialogPositioner,
  DialogRoot,
  DialogTitle,
} from "@chakra-ui/react/dialog";
import { Portal } from "@chakra-ui/react/portal";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode, RefObject } from "react";

const fade = {
  _open: { animation: "appear 200ms ease-out" },
  _closed: { animation: "vanish 200ms ease-in" },
} as const;

export interface ModalProps {
  readonly title: string;
  readonly open: boolean;
  /** Also called on Escape and on a click outside. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons, with Close or Cancel first. */
  readonly footer: ReactNode;
  /** "alertdialog" for questions that require an answer. */
  readonly role?: "dialog" | "alertdialog";
  /** For router output. */
  readonly wide?: boolean;
  /** Receives the focus when the modal closes; by default the element that had it before. */
  readonly returnFocusTo?: RefObject<HTMLElement | null> | undefined;
}

export function Modal({
  title,
  open,
  onClose,
  children,
  footer,
  role = "dialog",
  wide = false,
  returnFocusTo,
}: ModalProps) {
  return (
    <DialogRoot
      open={open}
      onOpenChange={(details) => !details.open && onClose()}
      role={role}
      lazyMount
      unmountOnExit
      {...(returnFocusTo && { finalFocusEl: () => returnFocusTo.current })}
    >
      <Portal>
        <DialogBackdrop {...fade} position="fixed" inset="0" bg="rgb(8 10 14 / 0.55)" zIndex="modal" />
        <DialogPositioner
          position="fixed"
          inset="0"
          display="flex"
          alignItems={{ base: "flex-end", sm: "center" }}
          justifyContent="center"
          p={{ base: "2", sm: "6" }}
          zIndex="modal"
        >
          <DialogContent
            {...fade}
            display="flex"
            flexDirection="column"
            width="full"
            maxWidth={wide ? "56rem" : "34rem"}
            maxHeight="full"
            bg="bg.panel"
            borderWidth="1px"
            borderRadius="lg"
            boxShadow="raised"
            outline="none"
          >
            <DialogTitle px="5" pt="4" pb="3" fontSize="lg" fontWeight="semibold" letterSpacing="tight">
              {title}
            </DialogTitle>
            <chakra.div px="5" pb="5" overflow="auto" minHeight="0">
              {children}
            </chakra.div>
            <chakra.div
              display="flex"
              flexWrap="wrap"
              justifyContent="flex-end"
              gap="2"
              px="5"
              py="3"
              borderTopWidth="1px"
            >
              {footer}
            </chakra.div>
          </DialogContent>
        </DialogPositioner>
      </Portal>
    </DialogRoot>
  );
}
