import { chakra } from "@chakra-ui/react/styled-system";
import { useNotificationState } from "../../offline/notifications.ts";

/** Says beforehand what the browser will ask on Submit, and nothing where it will not ask. */
export function PermissionHint() {
  if (useNotificationState() !== "unasked") return null;
  return (
    <chakra.p fontSize="sm" color="fg.muted">
      On Submit your browser asks once whether we may notify you when the deployment has ended. It is deployed
      either way, and you can change your mind on the dashboard.
    </chakra.p>
  );
}
