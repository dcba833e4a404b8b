import { createFileRoute } from "@tanstack/react-router";
import { RegisterPage } from "../../features/accounts/email-link-forms.tsx";

export const Route = createFileRoute("/_plain/register")({ component: RegisterPage });
