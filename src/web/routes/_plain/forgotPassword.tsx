import { createFileRoute } from "@tanstack/react-router";
import { ForgotPasswordPage } from "../../features/accounts/email-link-forms.tsx";

export const Route = createFileRoute("/_plain/forgotPassword")({ component: ForgotPasswordPage });
