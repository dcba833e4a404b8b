import { TextLink } from "../../ui/link.tsx";
import { Page } from "../../ui/page.tsx";
import { EmailForm } from "./email-form.tsx";
import { Links } from "./form.tsx";

export function RegisterPage() {
  return (
    <Page title="Register">
      <EmailForm
        purpose="register"
        intro="Please enter your dn42 AS number to get started. We will send a verification link to the e-mail address associated to this AS number."
        links={
          <Links>
            <TextLink to="/login">Already have an account? Login</TextLink>
          </Links>
        }
        home={{ href: "/register", text: "Back to registration" }}
      />
    </Page>
  );
}
