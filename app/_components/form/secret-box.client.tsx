'use client';

import { Group, Text } from '@mantine/core';
import classes from './form.module.css';
import { CopyButton } from './copy-button.client';

/** A text to take away, in full, with its copy button; wraps instead of scrolling, also at 360 px. */
export function SecretBox({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Group justify="space-between" align="end" gap="xs" mb={4}>
        <Text component="div" size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton value={value} label={label} />
      </Group>
      <pre className={classes.secret}>{value}</pre>
    </div>
  );
}
