import { createFileRoute } from "@tanstack/react-router";
import { PlainLayout } from "../features/accounts/plain-layout.tsx";

export const Route = createFileRoute("/_plain")({ component: PlainLayout });
