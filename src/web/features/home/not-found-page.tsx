import { ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";

export function NotFoundPage() {
  return (
    <Page
      title="404 not found :("
      lead="There is no screen at this address. Was it typed by hand, or is the link an old one?"
    >
      <div>
        <ButtonLink to="/">Back to Home</ButtonLink>
      </div>
    </Page>
  );
}
