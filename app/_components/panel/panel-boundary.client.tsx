'use client';

import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { unstable_rethrow } from 'next/navigation';
import { Component, useTransition, type ReactNode } from 'react';
import classes from './panel.module.css';

interface Failure {
  digest?: string;
}

interface BoundaryProps {
  children: ReactNode;
  fallback: (failure: Failure, reset: () => void) => ReactNode;
}

class Boundary extends Component<BoundaryProps, { failure: Failure | null }> {
  override state: { failure: Failure | null } = { failure: null };

  static getDerivedStateFromError(error: unknown): { failure: Failure } {
    // Redirects and not-found travel as errors and are Next's to handle.
    unstable_rethrow(error);
    const digest = typeof error === 'object' && error !== null && 'digest' in error ? String(error.digest) : undefined;
    return { failure: { digest } };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure ? this.props.fallback(failure, () => this.setState({ failure: null })) : this.props.children;
  }
}

/** A panel that fails, fails alone: the rest of the page stays and the panel offers to try again. */
export function PanelBoundary({ children }: { children: ReactNode }) {
  return <Boundary fallback={(failure, reset) => <PanelFailed failure={failure} reset={reset} />}>{children}</Boundary>;
}

function PanelFailed({ failure, reset }: { failure: Failure; reset: () => void }) {
  const t = useTranslations('common.panel');
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const retry = (): void =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <div className={classes.state} data-kind="failed" role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <p>
          <b>{t('failedTitle')}</b>
        </p>
        <p>{t('failedText')}</p>
        {failure.digest ? <p className={classes.quiet}>{t('failedReference', { digest: failure.digest })}</p> : null}
        <Button size="xs" variant="default" loading={busy} onClick={retry}>
          {t('retry')}
        </Button>
      </div>
    </div>
  );
}
