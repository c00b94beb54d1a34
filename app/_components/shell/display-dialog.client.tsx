'use client';

import {
  Anchor,
  Button,
  Group,
  Modal,
  Select,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { LOCALES } from '@/lib/core/locale';
import { LOCALE_COOKIE, preferenceCookie, SCHEMES, ZONE_COOKIE } from '@/lib/core/preference';
import { listZones } from '@/lib/core/zone';

function keep(name: string, value: string) {
  document.cookie = preferenceCookie(name, value, location.protocol === 'https:');
}

/** Language, colours and zone for the whole site. Every choice takes effect at once. */
export function DisplayDialog({ opened, onClose, zone }: { opened: boolean; onClose: () => void; zone: string }) {
  const t = useTranslations('shell.display');
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('title')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        <LanguageChoice />
        <SchemeChoice />
        <ZoneChoice zone={zone} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function LanguageChoice() {
  const t = useTranslations('shell.display');
  const locale = useLocale();
  const router = useRouter();
  return (
    <div>
      <Text component="div" size="sm" fw={500} mb={4} id="display-language">
        {t('language')}
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby="display-language"
        value={locale}
        onChange={(value) => {
          keep(LOCALE_COOKIE, value);
          router.refresh();
        }}
        data={LOCALES.map((value) => ({ value, label: <span lang={value}>{t(`languages.${value}`)}</span> }))}
      />
    </div>
  );
}

function SchemeChoice() {
  const t = useTranslations('shell.display');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div>
      <Text component="div" size="sm" fw={500} mb={4} id="display-scheme">
        {t('scheme')}
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby="display-scheme"
        value={colorScheme}
        onChange={(value) => setColorScheme(value)}
        data={SCHEMES.map((value) => ({ value, label: t(`schemes.${value}`) }))}
      />
    </div>
  );
}

function ZoneChoice({ zone }: { zone: string }) {
  const t = useTranslations('shell.display');
  const router = useRouter();
  const zones = useMemo(() => listZones(), []);
  const detected = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const choose = (value: string | null) => {
    if (!value) return;
    keep(ZONE_COOKIE, value);
    router.refresh();
  };
  return (
    <Select
      label={t('zone')}
      description={
        <>
          {t('zoneHint')}{' '}
          {detected && detected !== zone ? (
            <Anchor component="button" type="button" inherit onClick={() => choose(detected)}>
              {t('zoneDetected', { zone: detected })}
            </Anchor>
          ) : null}
        </>
      }
      data={zones.includes(zone) ? zones : [zone, ...zones]}
      value={zone}
      onChange={choose}
      allowDeselect={false}
      // Typing replaces the zone instead of adding to its name.
      onFocus={(event) => event.currentTarget.select()}
      onClick={(event) => event.currentTarget.select()}
      searchable
      limit={100}
      nothingFoundMessage={t('zoneNone')}
    />
  );
}
