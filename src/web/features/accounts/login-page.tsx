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
import { useProvider } from "../../api/provider.ts";
import { hasPasskeys } from "../../browser/passkey-support.ts";
import { useReloadGuard } from "../../browser/pwa.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { ExternalLink, TextLink } from "../../ui/text/link.tsx";
import { createLazyPart } from "../../ui/layout/lazy-part.tsx";
import { PasswordResetForm } from "./email-link-forms.tsx";
import { Form, FormLinks } from "./form.tsx";
import { KioubitFailure } from "./kioubit/kioubit-failure.tsx";

const OtherLogin = createLazyPart(async () => (await import("./other-logins.tsx")).OtherLogin);

const otherWays = ["passkey", "kioubit"] as const;

export interface LoginPageProps {
  readonly tab: "login" | "resetPassword";
  /** The path within the app that is opened after login. */
  readonly redirectTo: string;
}

export function LoginPage({ tab, redirectTo }: LoginPageProps) {
  const encryptedHref = useEncryptedHref();
  return tab === "login" ? (
    <Page title="Login page">
      <EndedLoginSessionsHint />
      <KioubitFailure />
      {encryptedHref === null ? (
        <LoginForm redirectTo={redirectTo} />
      ) : (
        <UnencryptedHint encryptedHref={encryptedHref} />
      )}
    </Page>
  ) : (
    <Page title="Password Reset">
      <PasswordResetForm pageHref="/login?tab=resetPassword" />
    </Page>
  );
}

/**
 * Returns this page's address over https if the app was opened over plain HTTP and is meant for https: the browser would
 * send the password in clear text, and drop the cookie of the login. Null otherwise, also on localhost, where most browsers
 * keep that cookie.
 */
function useEncryptedHref(): string | null {
  const { public_url: publicUrl } = useProvider();
  const href = useLocation({ select: (location) => location.href });
  const isUnencrypted = window.location.protocol === "http:" && !window.isSecureContext;
  return isUnencrypted && publicUrl.startsWith("https:") ? publicUrl + href : null;
}

/** In place of the form, so that no password is typed here. */
function UnencryptedHint({ encryptedHref }: { readonly encryptedHref: string }) {
  return (
    <chakra.div display="grid" gap="5">
      <Notice tone="warning">
        This address is not encrypted, so you cannot log in here. Log in at{" "}
        <ExternalLink href={encryptedHref}>{new URL(encryptedHref).origin}</ExternalLink>.
      </Notice>
      <LoginLinks />
    </chakra.div>
  );
}

function LoginLinks() {
  return (
    <FormLinks>
      <TextLink to="/forgotPassword">Forgot password?</TextLink>
      <TextLink to="/register">Register for an account</TextLink>
    </FormLinks>
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

/** The server accepted the login, but the browser did not keep the cookie. */
class LoginNotKeptError extends Error {
  override readonly name = "LoginNotKeptError";
  override readonly message =
    "Your browser did not keep the login. Allow cookies for this site, then try again.";
}

/** False if the server says that no AS is logged in. Without a response the screens say what is wrong. */
async function isLoginKept(): Promise<boolean> {
  return call(calls.authStatus, undefined).then(
    ({ isAuthenticated }) => isAuthenticated,
    () => true,
  );
}

/** docs/behaviour.md, section 8: "Login". */
function loginErrorText(error: Error): string {
  if (error instanceof LoginNotKeptError) return error.message;
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
  const { ways_in: waysIn } = useProvider();
  const otherLogins = otherWays.filter((way) => waysIn.includes(way) && (way !== "passkey" || hasPasskeys()));
  useReloadGuard("form", asnInput !== "" || password !== "");
  const finishLogin = async (loggedInAs: string) => {
    await handleLogin(queryClient, loggedInAs);
    await router.navigate({ href: redirectTo, replace: true });
    if (router.state.location.pathname === "/login" && !(await isLoginKept())) throw new LoginNotKeptError();
  };
  const login = useMutation({
    mutationFn: async () => {
      await finishPendingLogout(queryClient);
      await call(calls.login, { username, password });
    },
    onSuccess: () => finishLogin(username),
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
      {otherLogins.length > 0 && (
        <chakra.div display="grid" gap="3">
          {otherLogins.map((way) => (
            // As high as a button, which arrives later.
            <chakra.div key={way} minHeight={{ base: "10", md: "9" }}>
              <OtherLogin way={way} onLogin={finishLogin} />
            </chakra.div>
          ))}
        </chakra.div>
      )}
      <LoginLinks />
    </chakra.div>
  );
}
