import { Text, Title } from '@mantine/core';
import Link from 'next/link';
import type { ReactNode } from 'react';
import classes from '../shell/shell.module.css';

/** A whole page that only says something, with one way on. `inside` keeps the main landmark of the frame around it. */
export function MessagePage({
  title,
  body,
  href,
  link,
  inside = false,
  children,
}: {
  title: string;
  body: string;
  href: string;
  link: string;
  inside?: boolean;
  children?: ReactNode;
}) {
  const Landmark = inside ? 'div' : 'main';
  return (
    <Landmark className={classes.narrow}>
      <Title order={1} mb="xs">
        {title}
      </Title>
      <Text mb="md">{body}</Text>
      {children}
      <Link href={href} className={classes.link}>
        {link}
      </Link>
    </Landmark>
  );
}
