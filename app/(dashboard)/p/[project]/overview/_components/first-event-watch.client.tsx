'use client';

import { Loader } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import classes from '../overview.module.css';

const LOOK_AGAIN_MS = 3_000;

/** Looks again every few seconds until the first event is in; then this page is another one. */
export function FirstEventWatch() {
  const t = useTranslations('overview.first');
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') router.refresh();
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <p role="status" className={classes.quiet}>
      <Loader size={12} aria-hidden mr={6} />
      {t('waiting')}
    </p>
  );
}
