'use client';

import { ActionIcon, Anchor, AppShell, Burger, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconClock, IconSettings2 } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { sectionPath, type Section } from '@/lib/present/routes';
import { LiveRefresh } from '../live/live-refresh.client';
import { AccountMenu } from './account-menu.client';
import { DisplayDialog } from './display-dialog.client';
import { NavLinks } from './nav-links.client';
import { ProjectSwitch, type ProjectChoice } from './project-switch.client';
import classes from './shell.module.css';

export interface FrameProps {
  project: ProjectChoice;
  projects: ProjectChoice[];
  person: { name: string; email: string };
  zone: string;
  openReviews: number;
  sections: readonly Section[];
  /** What the pulse said when this was rendered. */
  stamp: string;
  children: ReactNode;
}

/** Header, navigation and main landmark around every page of a project. */
export function AppFrame({ project, projects, person, zone, openReviews, sections, stamp, children }: FrameProps) {
  const t = useTranslations('shell');
  const [navOpened, nav] = useDisclosure(false);
  const [displayOpened, display] = useDisclosure(false);
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !navOpened } }}
      padding={{ base: 'xs', sm: 'md' }}
      // Charts measure the room beside the navigation: it must be there at once, not slide into place.
      transitionDuration={0}
      classNames={{ main: classes.main }}
    >
      <a className="skip-link" href="#main">
        {t('skipToContent')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="xs" gap="xs" wrap="nowrap">
          <Burger
            opened={navOpened}
            onClick={nav.toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={navOpened ? t('closeNavigation') : t('openNavigation')}
            aria-expanded={navOpened}
          />
          <Anchor component={Link} href={sectionPath(project.slug, 'overview')} className={classes.brand}>
            {t('product')}
          </Anchor>
          <ProjectSwitch current={project} projects={projects} />
          <Group gap={4} ml="auto" wrap="nowrap">
            <LiveRefresh slug={project.slug} stamp={stamp} />
            <ActionIcon variant="subtle" color="gray" size="lg" onClick={display.open} aria-label={t('display.open')}>
              <IconSettings2 size={18} stroke={1.6} aria-hidden />
            </ActionIcon>
            <AccountMenu name={person.name} email={person.email} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('navigation')} className={navOpened ? undefined : classes.collapsed}>
        <AppShell.Section grow className={classes.scroll}>
          <NavLinks slug={project.slug} openReviews={openReviews} sections={sections} onNavigate={nav.close} />
        </AppShell.Section>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          fw={400}
          justify="flex-start"
          leftSection={<IconClock size={14} aria-hidden />}
          classNames={{ label: classes.zoneLabel }}
          onClick={display.open}
        >
          {t('display.zoneNow', { zone })}
        </Button>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {children}
      </AppShell.Main>
      <DisplayDialog opened={displayOpened} onClose={display.close} zone={zone} />
    </AppShell>
  );
}
