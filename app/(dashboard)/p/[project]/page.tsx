import { redirect } from 'next/navigation';
import { sectionPath } from '@/lib/present/routes';

export default async function ProjectPage({ params }: { params: Promise<{ project: string }> }): Promise<never> {
  redirect(sectionPath((await params).project, 'overview'));
}
