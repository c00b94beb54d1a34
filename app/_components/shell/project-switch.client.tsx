'use client';

import { Button, Menu } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { sectionPath } from '@/lib/present/routes';
import classes from './shell.module.css';

export interface ProjectChoice {
  slug: string;
  name: string;
}

export function ProjectSwitch({ current, projects }: { current: ProjectChoice; projects: ProjectChoice[] }) {
  const t = useTranslations('shell.project');
  return (
    <Menu position="bottom-start" width={260} withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="compact-sm"
          rightSection={<IconSelector size={14} aria-hidden />}
          classNames={{ root: classes.projectButton, label: classes.projectLabel }}
          aria-label={t('switch', { name: current.name })}
        >
          {current.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} className={classes.scroll}>
        {projects.map((project) => (
          <Menu.Item
            key={project.slug}
            component={Link}
            href={sectionPath(project.slug, 'overview')}
            aria-current={project.slug === current.slug ? 'true' : undefined}
            leftSection={
              <IconCheck size={14} aria-hidden visibility={project.slug === current.slug ? 'visible' : 'hidden'} />
            }
          >
            {project.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} href="/projects?all=1">
          {t('all')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
