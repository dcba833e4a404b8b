import { createFileRoute } from "@tanstack/react-router";
import { NotFoundPage } from "../../features/home/not-found-page.tsx";

export const Route = createFileRoute("/_main/not-found")({ component: NotFoundPage });
