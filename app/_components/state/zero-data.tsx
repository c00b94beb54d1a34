import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './state.module.css';

/** Nothing exists yet: says what will appear here and how to send it. */
export function ZeroData({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack gap={6} className={classes.box} data-state="zero">
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text component="div" size="sm" c="dimmed">
        {children}
      </Text>
    </Stack>
  );
}
