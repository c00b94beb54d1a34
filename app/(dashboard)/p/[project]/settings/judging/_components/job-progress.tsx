import { Button, Group, Progress, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { JobWire } from './settings-api';

interface JobProgressProps {
  job: JobWire;
  label: string;
  cancelLabel: string;
  /** null where the person may not. */
  onCancel: (() => void) | null;
}

/** How far a background job has come, with a way to stop it. */
export function JobProgress({ job, label, cancelLabel, onCancel }: JobProgressProps) {
  const t = useTranslations('settings.whatIf');
  const share = job.total === 0 ? 0 : Math.min(100, (job.done / job.total) * 100);
  return (
    <div>
      <Progress.Root size="lg">
        <Progress.Section value={share} aria-label={label} />
      </Progress.Root>
      <Group justify="space-between" mt={4} gap="xs">
        <Text size="sm" className="numeric">
          {job.total === 0 ? t('counting') : t('progress', { done: job.done, total: job.total })}{' '}
          {job.total > 0 && job.done >= job.total ? t('across') : null}
        </Text>
        {onCancel === null ? null : (
          <Button variant="default" size="compact-sm" onClick={onCancel}>
            {cancelLabel}
          </Button>
        )}
      </Group>
    </div>
  );
}
