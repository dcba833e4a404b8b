import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { calls } from "../../../contract/calls.ts";
import { call } from "../../api/client.ts";
import { useBusy } from "../../pwa/pwa.ts";
import { Arrival } from "../../ui/arrival.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Form, QuietReason } from "./form.tsx";
import { readSetPasswordFailure } from "./set-password-failure.ts";

export interface SetPasswordFormProps {
  readonly token: string;
}

export function SetPasswordForm({ token }: SetPasswordFormProps) {
  const [password, setPassword] = useState("");
  const [confirmation, setConfirmation] = useState("");
  const [blocked, setBlocked] = useState(false);
  const setting = useMutation({ mutationFn: () => call(calls.setPassword, { token, password }) });
  useBusy("form", !setting.isSuccess && (password !== "" || confirmation !== ""));
  const differ = confirmation !== "" && password !== confirmation;

  if (setting.isSuccess)
    return (
      <Arrival>
        <Notice tone="success">
          <chakra.h2 fontWeight="semibold">Success!</chakra.h2>
          <p>Please return to the login page to login to your account.</p>
        </Notice>
      </Arrival>
    );

  const failure = setting.error === null ? null : readSetPasswordFailure(setting.error);
  if (failure?.at === "invalidToken")
    return (
      <Arrival>
        <Notice tone="error">Token invalid or expired, please try again.</Notice>
      </Arrival>
    );
  if (failure?.at === "error")
    return (
      <>
        <Arrival>
          <Notice tone="error">
            There was an issue with making this request. Please return to the login page to try again, or
            contact the support team.
          </Notice>
        </Arrival>
        <QuietReason>{failure.reason}</QuietReason>
      </>
    );

  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setBlocked(false);
    if (setting.isError) setting.reset();
  };
  return (
    <Form onSubmit={() => (differ ? setBlocked(true) : setting.mutate())}>
      <Field
        label="Password"
        name="password"
        type="password"
        value={password}
        onChange={change(setPassword)}
        error={failure?.reason}
        hint="15 characters or more are recommended, or a whole sentence."
        autoComplete="new-password"
        required
      />
      <Field
        label="Confirm password"
        name="confirmation"
        type="password"
        value={confirmation}
        onChange={change(setConfirmation)}
        error={differ ? "Passwords do not match" : ""}
        autoComplete="new-password"
        required
      />
      {blocked && <Notice tone="error">Passwords do not match.</Notice>}
      <Button
        tone="primary"
        type="submit"
        wide
        disabled={password === "" || confirmation === ""}
        pending={setting.isPending}
      >
        Submit
      </Button>
    </Form>
  );
}
