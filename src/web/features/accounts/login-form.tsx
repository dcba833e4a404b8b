import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { calls } from "../../../contract/calls.ts";
import { CallError } from "../../../contract/client.ts";
import { messages } from "../../../contract/failure.ts";
import { tidyAsn } from "../../../domain/asn.ts";
import { call } from "../../api/client.ts";
import { beginSession, endOwedSession } from "../../api/session.ts";
import { useBusy } from "../../pwa/pwa.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { TextLink } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Form, Links } from "./form.tsx";

/** Section 8 of the specification, "Login". */
function told(error: Error): string {
  return error instanceof CallError && error.failure.message === messages.invalidCredentials
    ? "Invalid username or password."
    : "An error occured. Please try again.";
}

export interface LoginFormProps {
  readonly from: string;
}

export function LoginForm({ from }: LoginFormProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState("");
  const [password, setPassword] = useState("");
  const username = tidyAsn(typed);
  useBusy("form", typed !== "" || password !== "");
  const login = useMutation({
    mutationFn: async () => {
      await endOwedSession();
      await call(calls.login, { username, password });
    },
    onSuccess: async () => {
      await beginSession(queryClient, username);
      await router.navigate({ href: from, replace: true });
    },
  });

  return (
    <chakra.div display="grid" gap="5">
      <Form onSubmit={() => login.mutate()}>
        <Field
          label="ASN"
          name="username"
          value={typed}
          onChange={setTyped}
          onBlur={() => setTyped(username)}
          autoComplete="username"
          inputMode="numeric"
          placeholder="e.g. 4242420001"
          mono
          required
        />
        <Field
          label="Password"
          name="password"
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          required
        />
        {login.isError && <Notice tone="error">{told(login.error)}</Notice>}
        <Button
          tone="primary"
          type="submit"
          wide
          disabled={username === "" || password === ""}
          pending={login.isPending}
        >
          Login
        </Button>
      </Form>
      <Links>
        <TextLink to="/forgotPassword">Forgot password?</TextLink>
        <TextLink to="/register">Register for an account</TextLink>
      </Links>
    </chakra.div>
  );
}
