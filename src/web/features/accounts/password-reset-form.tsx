import { TextLink } from "../../ui/link.tsx";
import { EmailForm } from "./email-form.tsx";
import { Links } from "./form.tsx";

export interface PasswordResetFormProps {
  /** The address of the screen that the form stands on. */
  readonly home: string;
}

export function PasswordResetForm({ home }: PasswordResetFormProps) {
  return (
    <EmailForm
      purpose="resetPassword"
      intro="Enter your dn42 AS number and we will send you an email with a password reset link."
      links={
        <Links>
          <TextLink to="/login">Back to login</TextLink>
          <TextLink to="/register">Register for an account</TextLink>
        </Links>
      }
      home={{ href: home, text: "Back to password reset" }}
    />
  );
}
