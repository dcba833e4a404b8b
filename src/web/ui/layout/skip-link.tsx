import { chakra } from "@chakra-ui/react/styled-system";

/** Properties of a layout's `main` element, which the skip link focuses. */
export const skipTarget = { id: "content", tabIndex: -1, outline: "none" } as const;

/** The first element of every layout: moves the focus past the header and the menu. Hidden until it has the focus. */
export function SkipLink() {
  return (
    <chakra.a
      href={`#${skipTarget.id}`}
      onClick={(event) => {
        // The router would take the fragment for a navigation.
        event.preventDefault();
        document.getElementById(skipTarget.id)?.focus();
      }}
      position="fixed"
      top="2"
      insetInlineStart="2"
      px="3.5"
      py="2"
      bg="bg.panel"
      color="fg"
      fontWeight="medium"
      borderWidth="1px"
      borderColor="border.emphasized"
      borderRadius="md"
      boxShadow="raised"
      zIndex="modal"
      css={{ "&:not(:focus)": { transform: "translateY(-200%)", boxShadow: "none" } }}
    >
      Skip to content
    </chakra.a>
  );
}
