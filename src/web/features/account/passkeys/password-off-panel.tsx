import { chakra } from "@chakra-ui/react/styled-system";
import { Panel } from "#web/ui/layout/panel.tsx";
import { TextLink } from "#web/ui/text/link.tsx";

/** In place of the form that changes the password. */
export function PasswordOffPanel() {
  return (
    <Panel title="Password">
      <chakra.p color="fg.muted">
        The password is turned off: only passkeys log in. To turn it on, set a new one with{" "}
        <TextLink to="/forgotPassword">Forgot password?</TextLink>
      </chakra.p>
    </Panel>
  );
}
