import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import classes from './state.module.css';

/** Something is there, but too little to conclude from: the numbers say how little. */
export function NotEnoughData({ count, need }: { count: number; need: number }) {
  const t = useTranslations('shell.state');
  return (
    <Stack gap={4} className={classes.box} data-state="not-enough">
      <Text fw={600}>{t('notEnoughTitle')}</Text>
      <Text size="sm" c="dimmed">
        {t('notEnoughHint', { count, need })}
      </Text>
    </Stack>
  );
}
