import { TextLink } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Links } from "./form.tsx";
import { SetPasswordForm } from "./set-password-form.tsx";

export interface SetPasswordPageProps {
  /** The token of the mailed link; null when the address held none. */
  readonly token: string | null;
}

export function SetPasswordPage({ token }: SetPasswordPageProps) {
  return (
    <Page title="Set password">
      {token === null ? <Notice tone="error">Bad URL.</Notice> : <SetPasswordForm token={token} />}
      <Links>
        <TextLink to="/login">Back to login</TextLink>
      </Links>
    </Page>
  );
}
