import { chakra } from "@chakra-ui/react/styled-system";
import { CloudOff } from "lucide-react";

/** Says at the foot of every screen that the server gives no answer. It moves nothing, and lets clicks through. */
export function OfflineLine({ shown }: { readonly shown: boolean }) {
  return (
    <chakra.div
      role="status"
      position="fixed"
      insetX="0"
      bottom="0"
      zIndex="banner"
      display="flex"
      justifyContent="center"
      px="3"
      pb="calc(env(safe-area-inset-bottom) + 0.75rem)"
      pointerEvents="none"
    >
      {shown && (
        <chakra.p
          display="flex"
          alignItems="center"
          gap="2"
          px="3.5"
          py="2"
          fontSize="sm"
          color="fg"
          bg="issues.subtle"
          borderWidth="1px"
          borderColor="issues"
          borderRadius="lg"
          boxShadow="panel"
        >
          <chakra.span color="issues" flexShrink="0">
            <CloudOff size={16} aria-hidden />
          </chakra.span>
          No connection to the server. You see what was last known.
        </chakra.p>
      )}
    </chakra.div>
  );
}
