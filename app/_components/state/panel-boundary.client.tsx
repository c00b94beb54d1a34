'use client';

import { useRouter } from 'next/navigation';
import { Component, startTransition, type ReactNode } from 'react';
import { FailedPanel } from './failed-panel.client';

type Failure = Error & { digest?: string };

class Boundary extends Component<{ children: ReactNode; refresh: () => void }, { failure: Failure | null }> {
  override state: { failure: Failure | null } = { failure: null };

  static getDerivedStateFromError(failure: Failure) {
    // Redirects, 404 and 403 travel as errors and are Next's to catch.
    if (failure.digest?.startsWith('NEXT_')) throw failure;
    return { failure };
  }

  retry = () => {
    startTransition(() => {
      this.props.refresh();
      this.setState({ failure: null });
    });
  };

  override render() {
    const { failure } = this.state;
    return failure ? <FailedPanel onRetry={this.retry} digest={failure.digest} /> : this.props.children;
  }
}

/** Around one panel of a page, so that its fault takes nothing else along. */
export function PanelBoundary({ children }: { children: ReactNode }) {
  const router = useRouter();
  return <Boundary refresh={() => router.refresh()}>{children}</Boundary>;
}
