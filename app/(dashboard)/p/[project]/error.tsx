'use client';

import { ErrorPage } from '@/app/_components/state/error-page.client';

export default function ProjectError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <ErrorPage digest={error.digest} reset={reset} inside />;
}
