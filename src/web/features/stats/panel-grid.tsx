import { chakra } from "@chakra-ui/react/styled-system";

/** Panels side by side where there is room for two. */
export const PanelGrid = chakra("div", {
  base: {
    display: "grid",
    gap: "4",
    alignItems: "start",
    gridTemplateColumns: { base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" },
  },
});
