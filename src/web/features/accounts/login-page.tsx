import { Page } from "../../ui/page.tsx";
import { LoginForm } from "./login-form.tsx";
import { PasswordResetForm } from "./password-reset-form.tsx";

export interface LoginPageProps {
  readonly tab: "login" | "resetPassword";
  /** Where a successful login leads: a path within the app. */
  readonly from: string;
}

export function LoginPage({ tab, from }: LoginPageProps) {
  return tab === "login" ? (
    <Page title="Login page">
      <LoginForm from={from} />
    </Page>
  ) : (
    <Page title="Password Reset">
      <PasswordResetForm home="/login?tab=resetPassword" />
    </Page>
  );
}
