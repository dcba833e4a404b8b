import { Page } from "../../ui/page.tsx";
import { PasswordResetForm } from "./password-reset-form.tsx";

export function ForgotPasswordPage() {
  return (
    <Page title="Password Reset">
      <PasswordResetForm home="/forgotPassword" />
    </Page>
  );
}
