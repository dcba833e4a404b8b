import { chakra } from "@chakra-ui/react/styled-system";
import { CloudOff } from "lucide-react";

/** Says at the foot of every screen that the server gives no answer. */
export function OfflineLine({ shown }: { readonly shown: boolean }) {
  return (
    <chakra.div role="status" justifySelf="center">
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
