import { chakra } from "@chakra-ui/react/styled-system";

export interface PermissionHintProps {
  /** True when the browser is going to ask for permission. */
  readonly shown: boolean;
  /** The label of the button that triggers the question. */
  readonly button: string;
}

/** Announces the browser's permission prompt before the button that triggers it is pressed. */
export function PermissionHint({ shown, button }: PermissionHintProps) {
  if (!shown) return null;
  return (
    <chakra.p fontSize="sm" color="fg.muted">
      When you press {button}, your browser asks once whether we may notify you when the deployment finishes.
      The deployment continues either way, and you can change this in Settings.
    </chakra.p>
  );
}
