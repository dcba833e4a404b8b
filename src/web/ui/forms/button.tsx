import { chakra, defineRecipe } from "@chakra-ui/react/styled-system";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { Spinner } from "../feedback/loading.tsx";

const recipe = defineRecipe({
  base: {
    position: "relative",
    display: "inline-flex",
    alignItems: "center",
    justifyContent: "center",
    gap: "2",
    flexShrink: 0,
    borderWidth: "1px",
    borderColor: "transparent",
    borderRadius: "md",
    fontWeight: "medium",
    lineHeight: "tight",
    whiteSpace: "nowrap",
    textDecoration: "none",
    color: "var(--ink)",
    cursor: "pointer",
    userSelect: "none",
    transition: "background-color 120ms, border-color 120ms, color 120ms",
    _disabled: { cursor: "not-allowed", opacity: 0.5 },
    // The label stays in the layout, so the button keeps its width.
    "&[aria-busy=true]": { cursor: "progress", opacity: 1, color: "transparent" },
  },
  variants: {
    tone: {
      /** The main action of a screen. */
      primary: { bg: "accent", "--ink": "{colors.accent.fg}", _hover: { bg: "accent.hover" } },
      plain: {
        bg: "bg.panel",
        "--ink": "{colors.fg}",
        borderColor: "border.emphasized",
        _hover: { bg: "bg.subtle", borderColor: "fg.subtle" },
      },
      /** Without a border, for toolbars and rows. */
      quiet: {
        bg: "transparent",
        "--ink": "{colors.fg.muted}",
        _hover: { bg: "bg.muted", "--ink": "{colors.fg}" },
      },
      danger: {
        bg: "bg.panel",
        "--ink": "{colors.down}",
        borderColor: "border.emphasized",
        _hover: { bg: "down.subtle", borderColor: "down" },
      },
    },
    size: {
      sm: { minHeight: { base: "9", md: "8" }, px: "2.5", fontSize: "sm" },
      md: { minHeight: { base: "10", md: "9" }, px: "3.5", fontSize: "md" },
      lg: { minHeight: "11", px: { base: "4", md: "5" }, fontSize: { base: "md", md: "lg" } },
    },
    wide: { true: { width: "full" } },
  },
  defaultVariants: { tone: "plain", size: "md" },
});

const ButtonElement = chakra("button", recipe);
const AnchorElement = chakra("a", recipe);

export interface ButtonProps extends ComponentProps<typeof ButtonElement> {
  /** Disables the button and shows a spinner in place of its label. */
  readonly isPending?: boolean | undefined;
}

export function Button({ isPending = false, disabled, children, type = "button", ...rest }: ButtonProps) {
  return (
    <ButtonElement type={type} disabled={disabled === true || isPending} aria-busy={isPending} {...rest}>
      {children}
      {isPending && (
        <chakra.span position="absolute" inset="0" display="grid" placeItems="center" color="var(--ink)">
          <Spinner />
        </chakra.span>
      )}
    </ButtonElement>
  );
}

/** A link within the app, styled as a button. */
export const ButtonLink = createLink(AnchorElement);
