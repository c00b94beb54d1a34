'use client';

import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRefreshAlert } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import classes from './live.module.css';
import { usePulse } from './use-pulse';

/** Keeps the page up to date by itself, says so, and can be paused (WCAG 2.2.2). */
export function LiveRefresh({ slug, stamp }: { slug: string; stamp: string }) {
  const t = useTranslations('shell.live');
  const [paused, setPaused] = useState(false);
  const { state, pending, refreshing, showNow } = usePulse(slug, stamp, paused);
  const said = paused ? t('off') : state === 'failed' ? t('failed') : state === 'busy' ? t('busy') : t('on');
  if (state === 'signed_out') {
    return (
      <Button component="a" href="/login" variant="light" size="compact-sm" title={t('signedOut')}>
        {t('signIn')}
      </Button>
    );
  }
  return (
    <>
      <span role="status" className={classes.news}>
        {pending ? (
          <Button variant="light" size="compact-sm" onClick={showNow} aria-label={t('showNew')}>
            {t('newData')}
          </Button>
        ) : null}
      </span>
      <Tooltip label={said}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={() => setPaused(!paused)}
          aria-label={`${paused ? t('resume') : t('pause')}. ${said}`}
          data-live={paused ? 'off' : state}
          data-refreshing={refreshing || undefined}
          className={classes.toggle}
        >
          {paused ? (
            <IconPlayerPlay size={17} stroke={1.6} aria-hidden />
          ) : state === 'failed' ? (
            <IconRefreshAlert size={17} stroke={1.6} aria-hidden />
          ) : (
            <IconPlayerPause size={17} stroke={1.6} aria-hidden />
          )}
        </ActionIcon>
      </Tooltip>
    </>
  );
}
