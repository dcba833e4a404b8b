import { createFileRoute } from "@tanstack/react-router";
import { RegisterPage } from "../../features/accounts/register-page.tsx";

export const Route = createFileRoute("/_plain/register")({ component: RegisterPage });
