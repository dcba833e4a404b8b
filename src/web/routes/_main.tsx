import { createFileRoute } from "@tanstack/react-router";
import { MainLayout } from "../features/home/main-layout.tsx";
import { InstallOffer } from "../features/install/install-offer.tsx";

export const Route = createFileRoute("/_main")({ component: Main });

function Main() {
  return <MainLayout installOffer={<InstallOffer />} />;
}
