import { chakra } from "@chakra-ui/react/styled-system";

export interface PermissionHintProps {
  /** Whether the browser will ask. */
  readonly shown: boolean;
  /** The button that makes it ask. */
  readonly button: string;
}

/** Says beforehand what the browser will ask on a button, and nothing where it will not ask. */
export function PermissionHint({ shown, button }: PermissionHintProps) {
  if (!shown) return null;
  return (
    <chakra.p fontSize="sm" color="fg.muted">
      On {button} your browser asks once whether we may notify you when the deployment has ended. It goes on
      either way, and you can change your mind on the dashboard.
    </chakra.p>
  );
}
