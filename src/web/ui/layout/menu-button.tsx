import type { KeyboardEvent } from "react";
import { Button, type ButtonProps } from "../forms/button.tsx";
import { VisuallyHidden } from "../text/visually-hidden.tsx";

export interface MenuButtonProps extends ButtonProps {
  readonly menuId: string;
  readonly isOpen: boolean;
}

export function MenuButton({ menuId, isOpen, ...rest }: MenuButtonProps) {
  return (
    <Button aria-expanded={isOpen} aria-controls={menuId} px="0" width="8" fontSize="lg" {...rest}>
      =<VisuallyHidden> menu</VisuallyHidden>
    </Button>
  );
}

/** Handles keys in a menu and around its button: Escape closes the menu, and the focus returns to the button. */
export function closeOnEscape(menuId: string, close: () => void) {
  return ({ key }: KeyboardEvent) => {
    if (key !== "Escape") return;
    close();
    document.querySelector<HTMLElement>(`[aria-controls=${menuId}]`)?.focus();
  };
}
