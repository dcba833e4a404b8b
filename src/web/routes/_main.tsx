import { createFileRoute } from "@tanstack/react-router";
import { MainLayout } from "../features/home/main-layout.tsx";

export const Route = createFileRoute("/_main")({ component: MainLayout });
