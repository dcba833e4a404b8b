import { createFileRoute } from "@tanstack/react-router";
import { useInstall } from "../browser/pwa.ts";
import { MainLayout } from "../features/home/main-layout.tsx";
import { createLazyPart } from "../ui/layout/lazy-part.tsx";

export const Route = createFileRoute("/_main")({ component: Main });

// Few browsers offer to install.
const InstallOffer = createLazyPart(
  async () => (await import("../features/install/install-offer.tsx")).InstallOffer,
);

function Main() {
  const { method } = useInstall();
  return <MainLayout installOffer={method !== null && <InstallOffer />} />;
}
