import { Group, Stack, Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { AccountMenu } from '@/app/_components/shell/account-menu.client';
import { DisplayCorner } from '@/app/_components/shell/display-corner.client';
import classes from '@/app/_components/shell/shell.module.css';
import { listPersonProjects } from '@/lib/auth/authorize';
import { requirePerson } from '@/lib/auth/context';
import { getPreferences } from '@/lib/auth/preferences';
import { getWebRuntime } from '@/lib/auth/web-runtime';
import { sectionPath } from '@/lib/present/routes';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('shell.projects'))('title') };
}

/** Where a person with one project never stays. */
export default async function ProjectsPage({ searchParams }: { searchParams: Promise<{ all?: string }> }) {
  const person = await requirePerson('/projects');
  const projects = await listPersonProjects(getWebRuntime().db, person);
  const [only] = projects;
  if (only && projects.length === 1 && (await searchParams).all === undefined)
    redirect(sectionPath(only.slug, 'overview'));
  const [t, { zone }] = await Promise.all([getTranslations('shell.projects'), getPreferences()]);
  return (
    <>
      <Group component="header" justify="flex-end" gap={0} pe="xs">
        <DisplayCorner zone={zone} />
        <AccountMenu name={person.name} email={person.email} />
      </Group>
      <main className={classes.narrow}>
        <Title order={1} mb="md">
          {t('title')}
        </Title>
        {projects.length === 0 ? (
          <Stack gap="xs">
            <Text>{t('none')}</Text>
            <Text c="dimmed" size="sm">
              {t('noneHint')}
            </Text>
          </Stack>
        ) : (
          <ul className={classes.plainList}>
            {projects.map((project) => (
              <li key={project.slug}>
                <Link href={sectionPath(project.slug, 'overview')} className={classes.link}>
                  {project.name}
                </Link>{' '}
                <Text span c="dimmed" size="sm">
                  {t(`roles.${project.role}`)}
                </Text>
              </li>
            ))}
          </ul>
        )}
      </main>
    </>
  );
}
