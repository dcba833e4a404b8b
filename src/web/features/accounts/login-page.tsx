import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { calls } from "#contract/call-tables/app-calls.ts";
import { CallError } from "#contract/client.ts";
import { errorMessages } from "#contract/http-error.ts";
import { canonicalizeAsn } from "#domain/asn.ts";
import { call } from "../../api/client.ts";
import { handleLogin, finishPendingLogout } from "../../api/login-session.ts";
import { useReloadGuard } from "../../browser/pwa.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TextLink } from "../../ui/text/link.tsx";
import { PasswordResetForm } from "./email-link-forms.tsx";
import { Form, FormLinks } from "./form.tsx";

export interface LoginPageProps {
  readonly tab: "login" | "resetPassword";
  /** The path within the app that is opened after login. */
  readonly redirectTo: string;
}

export function LoginPage({ tab, redirectTo }: LoginPageProps) {
  return tab === "login" ? (
    <Page title="Login page">
      <EndedLoginSessionsHint />
      <LoginForm redirectTo={redirectTo} />
    </Page>
  ) : (
    <Page title="Password Reset">
      <PasswordResetForm pageHref="/login?tab=resetPassword" />
    </Page>
  );
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** All login sessions were just ended because of an intruder. */
    readonly hasEndedLoginSessions?: boolean;
  }
}

function EndedLoginSessionsHint() {
  const isShown = useLocation({ select: ({ state }) => state.hasEndedLoginSessions === true });
  if (!isShown) return null;
  return (
    <Notice tone="success">
      All login sessions were ended. If another person may know your password, set a new one with{" "}
      <TextLink to="/forgotPassword">Forgot password?</TextLink> before you log in.
    </Notice>
  );
}

/** docs/behaviour.md, section 8: "Login". */
function loginErrorText(error: Error): string {
  return error instanceof CallError && error.body.message === errorMessages.invalidCredentials
    ? "Invalid username or password."
    : "An error occured. Please try again.";
}

/** Why the operator has blocked the AS. A server says it to clients with the right password only. */
function RefusalReason({ error }: { readonly error: Error }) {
  if (!(error instanceof CallError) || error.status !== 403) return null;
  return <chakra.p mt="1">{error.body.message}</chakra.p>;
}

export interface LoginFormProps {
  readonly redirectTo: string;
}

export function LoginForm({ redirectTo }: LoginFormProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [asnInput, setAsnInput] = useState("");
  const [password, setPassword] = useState("");
  const [isPasswordShown, setIsPasswordShown] = useState(false);
  const username = canonicalizeAsn(asnInput);
  useReloadGuard("form", asnInput !== "" || password !== "");
  const login = useMutation({
    mutationFn: async () => {
      await finishPendingLogout(queryClient);
      await call(calls.login, { username, password });
    },
    onSuccess: async () => {
      await handleLogin(queryClient, username);
      await router.navigate({ href: redirectTo, replace: true });
    },
  });

  return (
    <chakra.div display="grid" gap="5">
      <Form
        label="Login page"
        onSubmit={() => {
          setIsPasswordShown(false);
          login.mutate();
        }}
      >
        <Field
          label="ASN"
          name="username"
          value={asnInput}
          onChange={setAsnInput}
          onBlur={() => setAsnInput(username)}
          autoComplete="username"
          inputMode="numeric"
          placeholder="e.g. 4242420001"
          mono
          required
          takesFocus
        />
        <PasswordField
          label="Password"
          name="password"
          isShown={isPasswordShown}
          onToggle={() => setIsPasswordShown(!isPasswordShown)}
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          required
        />
        {login.isError && (
          <Notice tone="error">
            {loginErrorText(login.error)}
            <RefusalReason error={login.error} />
          </Notice>
        )}
        <Button
          tone="primary"
          type="submit"
          wide
          disabled={username === "" || password === ""}
          isPending={login.isPending}
        >
          Login
        </Button>
      </Form>
      <FormLinks>
        <TextLink to="/forgotPassword">Forgot password?</TextLink>
        <TextLink to="/register">Register for an account</TextLink>
      </FormLinks>
    </chakra.div>
  );
}
