import { createFileRoute } from "@tanstack/react-router";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { Page } from "../../ui/layout/page.tsx";

export const Route = createFileRoute("/_main/not-found")({ component: NotFound });

function NotFound() {
  return (
    <Page
      title="404 not found :("
      lead="There is no page at this address. Check the address for typing errors, or start from Home."
    >
      <div>
        <ButtonLink to="/">Back to Home</ButtonLink>
      </div>
    </Page>
  );
}
