import { chakra } from "@chakra-ui/react/styled-system";

/** Read aloud, not painted. */
export const VisuallyHidden = chakra("span", { base: { srOnly: true } });
